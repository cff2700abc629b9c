"""A change of an environment that began and did not come to its end."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Interruption:
    """What the file names on an environment's shelf tell of it."""

    begun: str
    """``20261202T101112``, UTC."""
    journal: str
    """Absolute path."""
