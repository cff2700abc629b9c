"""The built-in checks, each judged on small environments in memory."""
