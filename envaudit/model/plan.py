"""What uv would do, and the commands that were tried and judged."""

from dataclasses import dataclass
from enum import StrEnum

from envaudit.model.distribution import Distribution


class Direction(StrEnum):
    """Which way a plan repairs, best first."""

    FORWARD = "forward"
    """Bring the others along with what changed."""
    BACK = "back"
    """Return to the versions of before."""
    REMOVE = "remove"
    """Uninstall an optional companion."""
    IN_PLACE = "in-place"
    """Put in order what is there, at the versions that are there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Something to ask uv about. Performed in this order: clean, clear, uninstall, install."""

    direction: Direction
    requirements: tuple[str, ...] = ()
    removals: tuple[str, ...] = ()
    """Names to uninstall."""
    reinstalls: tuple[str, ...] = ()
    """Pins (``name==version``) of what is installed, to be installed once more over it."""
    cleaned: tuple[str, ...] = ()
    """Names to clean from uv's cache: what it holds of them is what has to be repaired.

    ``--refresh-package`` does not do: of a wheel in a folder, uv takes what it unpacked before.
    """
    cleared: tuple[str, ...] = ()
    """Paths of the environment to delete."""
    indexes: tuple[tuple[str, str], ...] = ()
    """Name of a distribution -> URL of an index on which to look for it."""

    def flags(self) -> tuple[str, ...]:
        """Return the flags that uv's install needs for this, where it is one command.

        uv then looks on the indexes for everything that the command asks for.
        """
        names = (pin.partition("==")[0] for pin in self.reinstalls)
        return (
            *(word for name in names for word in ("--reinstall-package", name)),
            *(word for url in self.urls for word in ("--index", url)),
        )

    @property
    def urls(self) -> tuple[str, ...]:
        """The indexes, each once."""
        return tuple(dict.fromkeys(url for _, url in self.indexes))


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """What one distribution would do: one row of uv's answer, pairs joined."""

    name: str
    """Normalised."""
    before: str | None
    """Version now; ``None``: it would be new."""
    after: str | None
    """Version then; ``None``: it would be gone."""
    known: bool = True
    """Whether uv named a version for what would be installed (it names none for a source tree)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """The installer found a solution."""

    moves: tuple[Move, ...]
    described: tuple[Distribution, ...] = ()
    """What comes in, where the installer tells more of it than its version (pip does)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """uv found no solution, and says why in its own words."""

    reason: str


Answer = Resolved | Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A verified way: every command of it was tried and its projection judged."""

    direction: Direction
    moves: tuple[Move, ...]
    commands: tuple[tuple[str, ...], ...]
    """Argument lists, in the order in which to run them."""
    shell: str
    """The same, quoted, ready to paste."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """A way that was tried and does not work, and what stands in it."""

    candidate: Candidate
    reason: str
