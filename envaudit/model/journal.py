"""One change of an environment, from before anything moves until it is known how it ended."""

from dataclasses import dataclass
from enum import StrEnum

from envaudit.model.bundle import Stashed
from envaudit.model.snapshot import Snapshot


class Outcome(StrEnum):
    """How a change ended. One that was interrupted has none."""

    HELD = "held"
    """The environment is what was promised."""
    RESTORED = "restored"
    """It failed, and the environment is back at its snapshot."""
    KEPT = "kept"
    """It went wrong, and was left so because the user said so."""
    BROKEN = "broken"
    """It failed, and the environment is not back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What is known of one change."""

    begun: str
    """RFC 3339, UTC."""
    environment: str
    """Absolute path."""
    commands: tuple[tuple[str, ...], ...]
    """What is run, secrets removed."""
    names: tuple[str, ...]
    """Normalised names of what it touches, sorted."""
    before: Snapshot
    stash: tuple[Stashed, ...] = ()
    outcome: Outcome | None = None
