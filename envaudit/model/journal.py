"""One change of an environment, from before anything moves until it is known how it ended."""

from collections.abc import Mapping
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


FileStates = Mapping[str, str]
"""What was in an environment: path relative to it -> what the file system told of it; see
``doors.tree.list_states``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What is known of one change."""

    begun: str
    """RFC 3339, UTC."""
    environment: str
    """Absolute path."""
    commands: tuple[tuple[str, ...], ...]
    """What is run, secrets removed."""
    folder: str
    """Where they are run, absolute: what they name is found from there."""
    flags: tuple[str, ...]
    """From where uv may install, secrets removed."""
    names: tuple[str, ...]
    """Normalised names of what it touches, sorted."""
    before: Snapshot
    stash: tuple[Stashed, ...] = ()
    lacking: tuple[str, ...] = ()
    """Records of which files were missing before, sorted."""
    outcome: Outcome | None = None
