"""The tests. A package, so that every room of them can import ``tests.kit``."""
