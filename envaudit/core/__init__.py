"""Pure verbs on the nouns: graph, drift, evaluate, infer, planner, codec."""
