"""The differences between two snapshots: drift, made of changes."""

from dataclasses import dataclass
from enum import StrEnum

from envaudit.model.distribution import Distribution, Unreadable
from envaudit.model.requirement import Chain
from envaudit.model.snapshot import Interpreter, StartupHook


class Alteration(StrEnum):
    """How a distribution that both snapshots have differs."""

    UPGRADED = "upgraded"
    """A later version."""
    DOWNGRADED = "downgraded"
    """An earlier version."""
    MOVED = "moved"
    """The same version from another origin."""
    REBUILT = "rebuilt"
    """The same version with other content: two content ids that are both known and differ, or one
    version that is spelled in two ways (`1.0`, `1.0.0`)."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class HookChanged:
    """Code that runs at every start of the interpreter came, went, or is other code."""

    before: StartupHook | None
    after: StartupHook | None
    family: None = None

    @property
    def how(self) -> str:
        """The one word for what happened to it."""
        if self.before is None:
            return "hook-added"
        return "hook-removed" if self.after is None else "hook-changed"

    @property
    def hook(self) -> StartupHook:
        """The hook as it is, or as it was."""
        hook = self.after or self.before
        if hook is None:
            raise ValueError("a change of no hook")
        return hook


@dataclass(frozen=True, slots=True, kw_only=True)
class Obscured:
    """A part of the environment that one of the two snapshots could not read."""

    part: Unreadable
    readable: bool
    """Whether it can be read in the later one."""
    family: None = None


Change = Added | Removed | Altered | InterpreterChanged | HookChanged | Obscured


def changed_name(change: Change) -> str:
    """Return what a change is about: a distribution's normalised name, ``python``, or a path."""
    match change:
        case Removed(before=before):
            return before.name
        case Added(after=after) | Altered(after=after):
            return after.name
        case InterpreterChanged():
            return "python"
        case HookChanged():
            return change.hook.path
        case Obscured(part=part):
            return f"{part.folder}/{part.part}"


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
        case HookChanged(how=how):
            return how
        case Obscured(readable=readable):
            return "became-readable" if readable else "became-unreadable"
