"""Odd states of real environments: each is named, and the printed command ends it."""
