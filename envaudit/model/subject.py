"""Everything that one judgement may look at, measured before: rules and checks only judge."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from envaudit.model.distribution import Distribution
from envaudit.model.files import Files
from envaudit.model.finding import Finding
from envaudit.model.interruption import Interruption
from envaudit.model.requirement import Need
from envaudit.model.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Siblings: distributions of one source repository, at one version in the baseline."""

    repository: str
    version: str
    """Their common version in the baseline."""
    members: tuple[str, ...]
    """Normalised names, sorted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One environment, as put before rules and checks."""

    snapshot: Snapshot
    installed: Mapping[str, tuple[Distribution, ...]]
    """By normalised name; several records of one name are all judged, and the worst wins."""
    needs: tuple[Need, ...]
    """Every requirement that is in force, dependents before what they require."""
    files: Files | None = None
    """How the files stand against the RECORDs; ``None``: nobody asked about files."""
    baseline: Snapshot | None = None
    """What stood there before; ``None`` without a baseline."""
    leaving: frozenset[str] = frozenset()
    """Names that a plan removes: in its projection nothing of them is lost."""
    families: tuple[Family, ...] = ()
    """Inferred from the baseline; empty without one."""
    rules: int = 0
    """How many rules are in force, whether or not they meet something installed."""
    variables: frozenset[str] = frozenset()
    """Names of the environment variables that are set and not empty where envaudit runs."""
    interruption: Interruption | None = None
    """The change that was interrupted; ``None``: none was, or nobody looked."""
    today: date | None = None
    """``None``: not known, and what hangs on a date is in force."""


class Judge(Protocol):
    """What a rule and a check have in common."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Say everything there is to say about ``subject``."""
        ...
