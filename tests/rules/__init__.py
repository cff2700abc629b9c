"""Rule kinds, each judged on small environments in memory."""
