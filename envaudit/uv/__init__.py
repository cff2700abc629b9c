"""Talking to uv: which binary, what it would do, running it, and scratch folders."""
