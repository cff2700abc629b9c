"""A change of an environment that began and did not come to its end, or not yet."""

import shlex
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Interruption:
    """What the file names on an environment's shelf tell of it."""

    begun: str
    """``20261202T101112``, UTC."""
    environment: str
    """Absolute path."""
    journal: str
    """Absolute path."""
    under_way: bool = False
    """Whether whoever began it, or the installer that they started, still lives."""


def write_undoing(environment: str) -> str:
    """Return the command that undoes the change of an environment that was interrupted."""
    words = ("envaudit", "restore", "@interrupted", "--apply", "--python", environment)
    return shlex.join(words)
