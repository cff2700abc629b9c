"""A declared requirement as it stands in one environment, and the chains that lead to it."""

from dataclasses import dataclass
from enum import StrEnum

from envaudit.model.distribution import Distribution


class State(StrEnum):
    """How a requirement stands."""

    MET = "met"
    MISSING = "missing"
    """Nothing of that name is installed."""
    UNMET = "unmet"
    """Installed, in a version outside the specifier."""
    UNKNOWN = "unknown"
    """Cannot be decided: an unreadable line, version, or a marker value that is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """One requirement line of one installed distribution, judged against what is installed."""

    dependent: Distribution
    text: str
    """The line as written."""
    name: str
    """The required name, normalised; empty where the line cannot be parsed."""
    specifier: str = ""
    extra: str | None = None
    """The extra of the dependent that brings this line in."""
    asked_by: str | None = None
    """Who asks for that extra: the label of one installed distribution."""
    targets: tuple[Distribution, ...] = ()
    state: State
    reason: str | None = None
    """Why it is unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One step of a chain: a distribution and the requirement by which it was reached."""

    name: str
    version: str
    requirement: str | None = None
    """The text of the requirement that the step before declares; ``None`` at the start."""
    met: bool = True
    """Whether this version meets it. An unmet requirement is no reason for being what it is."""


Chain = tuple[Link, ...]
"""From a root, or from the change that caused it, to the distribution in question."""
