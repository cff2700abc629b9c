"""Auditor for installed Python environments: what changed, what is wrong, what repairs it."""

__version__ = "0.1.0"
