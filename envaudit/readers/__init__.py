"""From disk to nouns: environments, snapshots, policies. Measures, and judges nothing."""
