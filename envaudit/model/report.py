"""The result of one command: what every output format renders, and what the caller keeps."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from envaudit import __version__
from envaudit.exits import Exit
from envaudit.model.configuration import Configuration
from envaudit.model.document import Json
from envaudit.model.drift import Change
from envaudit.model.errors import Problem
from envaudit.model.finding import Finding, Severity
from envaudit.model.plan import Plan, Rejected


class Verdict(StrEnum):
    """What a command that judges concluded."""

    PASS = "pass"  # noqa: S105 - a verdict, not a password
    FAIL = "fail"
    DRIFT = "drift"
    UNKNOWN = "unknown"


class FailOn(StrEnum):
    """From which severity on a run fails."""

    WARNING = "warning"
    ERROR = "error"
    NEVER = "never"


class OnUnknown(StrEnum):
    """What ``exec`` does where the environment could not be judged."""

    ALLOW = "allow"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentSummary:
    """Which environment a report is about."""

    path: str | None
    """Absolute path of a live environment, or of the one a snapshot was taken from."""
    source: str
    """What was read: the environment's path, or the snapshot's name or file."""
    python: str
    distributions: int
    digest: str | None = None
    """The snapshot digest, where content was measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicySummary:
    """Which policy file judged, and how much of it met something installed."""

    file: str
    digest: str
    rules: int
    matched: int
    """Rules of which at least two members are installed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A file that a command wants written: it does not write itself."""

    path: Path
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """A program that takes the place of envaudit when its report is done."""

    program: Path
    """Absolute; its links are not followed, since a virtual environment's interpreter is one."""
    command: tuple[str, ...]
    """The argument list, the program's name as the user wrote it first."""
    variables: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The answer of one command."""

    command: str
    exit: Exit
    tool: str = __version__
    verdict: Verdict | None = None
    environment: EnvironmentSummary | None = None
    complete: bool = True
    findings: tuple[Finding, ...] = ()
    changes: tuple[Change, ...] = ()
    plan: Plan | None = None
    alternatives: tuple[Plan, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    policies: tuple[PolicySummary, ...] = ()
    configurations: tuple[Configuration, ...] = ()
    """The configuration files that say which rules judge, those not taken included."""
    lines: tuple[str, ...] = ()
    """The answer in sentences, for formats that people read. Untrusted: escape before showing."""
    hint: str | None = None
    """What to do about it, for formats that people read: one sentence. Untrusted."""
    notes: tuple[str, ...] = ()
    """Remarks beside the answer: for stderr. Untrusted: escape before showing."""
    data: Json = None
    """What only this command has to say, for formats that programs read."""
    errors: tuple[Problem, ...] = ()
    start: Start | None = None
    kept: Kept | None = None
    patch: Kept | None = None
    """Bytes that are no UTF-8 stand in its text as surrogates."""
    remembered: tuple[Kept, ...] = ()
    """Files on an environment's shelf that spare the next run work. That they could not be kept
    changes nothing of the answer."""

    def count(self, severity: Severity) -> int:
        """Return how many findings have ``severity``, without those that are waived."""
        return sum(
            finding.severity is severity and finding.waived is None for finding in self.findings
        )

    @property
    def waived(self) -> int:
        """How many findings a waiver covers."""
        return sum(finding.waived is not None for finding in self.findings)
