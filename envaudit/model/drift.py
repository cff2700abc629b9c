"""The differences between two snapshots: drift, made of changes."""

from dataclasses import dataclass
from enum import StrEnum

from envaudit.model.distribution import Distribution
from envaudit.model.requirement import Chain
from envaudit.model.snapshot import Interpreter


class Alteration(StrEnum):
    """How a distribution that both snapshots have differs."""

    UPGRADED = "upgraded"
    """A later version."""
    DOWNGRADED = "downgraded"
    """An earlier version."""
    MOVED = "moved"
    """The same version from another origin."""
    REBUILT = "rebuilt"
    """The same version with other content: two content ids that are both known and differ."""
    REWIRED = "rewired"
    """The same version with other requirements."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """A distribution that only the later snapshot has."""

    after: Distribution
    why: Chain = ()
    family: str | None = None
    """The source repository of the distributions that moved together with this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """A distribution that only the earlier snapshot has."""

    before: Distribution
    why: Chain = ()
    family: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Altered:
    """A distribution that both snapshots have, in one respect in which they differ."""

    how: Alteration
    before: Distribution
    after: Distribution
    why: Chain = ()
    family: str | None = None
    commits: int | None = None
    """How many commits lie between two development builds of one release, where that is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InterpreterChanged:
    """The interpreter is another one."""

    before: Interpreter
    after: Interpreter
    family: None = None


Change = Added | Removed | Altered | InterpreterChanged


def changed_name(change: Change) -> str:
    """Return the normalised name of the distribution that a change is about, or ``python``."""
    match change:
        case Removed(before=before):
            return before.name
        case Added(after=after) | Altered(after=after):
            return after.name
        case InterpreterChanged():
            return "python"


def change_kind(change: Change) -> str:
    """Return the one word for what happened."""
    match change:
        case Added():
            return "added"
        case Removed():
            return "removed"
        case Altered(how=how):
            return how.value
        case InterpreterChanged():
            return "interpreter-changed"
