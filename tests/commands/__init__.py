"""Each command as a function: what it answers, and with which exit code."""
