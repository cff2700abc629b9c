"""The way from an environment as it stands to a snapshot of it."""

from dataclasses import dataclass
from enum import StrEnum

from envaudit.model.bundle import Stashed
from envaudit.model.distribution import Distribution
from envaudit.model.drift import Change


class Source(StrEnum):
    """Where a distribution comes from, on the way back."""

    STASH = "stash"
    """Packed from its installed files before it was changed: no index is asked."""
    CACHE = "uv's cache"
    INDEX = "index"
    ORIGIN = "origin"
    """The source tree, the repository or the address that it came from."""
    UNTRIED = "cache or index"
    """uv decides when it is there, and nobody asked it before."""
    NOWHERE = "not to be had"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What is done for one distribution of the snapshot."""

    record: Distribution
    source: Source
    stashed: Stashed | None = None
    requirement: str | None = None
    """What is asked of uv, where no wheel is stashed: a pin, or a direct reference."""
    reason: str | None = None
    """Why it is not to be had."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """What leads from an environment as it stands to a snapshot of it."""

    torn: tuple[str, ...] = ()
    """Record folders that were not there and cannot be uninstalled: what a killed uv leaves."""
    removals: tuple[str, ...] = ()
    """Normalised names that were not there."""
    steps: tuple[Step, ...] = ()
    strays: tuple[str, ...] = ()
    """Files that were not there and that no record owns, or that overwrote one that was: set aside.
    Relative to the environment."""
    changes: tuple[Change, ...] = ()
    """By what the environment is not the snapshot."""
    beyond: tuple[str, ...] = ()
    """What differs and is not put back by any command, in sentences."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to be done."""
        return not (self.torn or self.removals or self.steps or self.strays or self.changes)

    @property
    def lost(self) -> tuple[Step, ...]:
        """What cannot be had."""
        return tuple(step for step in self.steps if step.source is Source.NOWHERE)
