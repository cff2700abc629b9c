"""Policies: rules as loaded from one TOML file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType
from typing import Protocol

from envaudit.model.finding import Finding, RuleReference, Severity
from envaudit.model.subject import Judge, Subject


class RuleKind(Judge, Protocol):
    """A table of one kind, ready to judge."""

    @property
    def members(self) -> tuple[str, ...]:
        """Normalised names and patterns that the rule speaks of."""
        ...

    def spoken_of(self, names: Iterable[str]) -> frozenset[str]:
        """Return which of ``names`` the rule speaks of."""
        ...

    def meets(self, names: Iterable[str]) -> bool:
        """Return whether the rule has something to judge where ``names`` are installed."""
        ...

    @property
    def summary(self) -> str:
        """The rule on one line, as a person would write it."""
        ...

    @property
    def details(self) -> tuple[str, ...]:
        """What the rule says beyond that, a line each: rows, severity, modifiers, remedies."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """An environment in a rule's own words, and what the rule must say about it."""

    installed: tuple[str, ...]
    """Pins: ``name==version``, or ``name==version @ URL`` for what was installed from a URL."""
    verdict: str
    """A severity, or ``pass``."""
    distributions: tuple[str, ...] = ()
    """Normalised names that the heaviest finding must name, sorted; empty: any."""
    python: str = "3.11"
    platform: str = "linux-x86_64"
    """A key of ``PLATFORMS``."""
    variables: frozenset[str] = frozenset()
    """Names of environment variables that are set."""
    built: tuple[tuple[str, str], ...] = ()
    """Name -> the version of torch that a file of the distribution says it was built against."""
    requires: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Name -> what the distribution declares."""


PLATFORMS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "linux-x86_64": {
            "os_name": "posix",
            "platform_machine": "x86_64",
            "platform_system": "Linux",
            "sys_platform": "linux",
        },
        "linux-aarch64": {
            "os_name": "posix",
            "platform_machine": "aarch64",
            "platform_system": "Linux",
            "sys_platform": "linux",
        },
        "macos-arm64": {
            "os_name": "posix",
            "platform_machine": "arm64",
            "platform_system": "Darwin",
            "sys_platform": "darwin",
        },
        "windows-x86_64": {
            "os_name": "nt",
            "platform_machine": "AMD64",
            "platform_system": "Windows",
            "sys_platform": "win32",
        },
    }
)
"""What an example can say of its platform, and the markers (PEP 508) of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule: where it stands, why it exists, and the kind that judges it."""

    reference: RuleReference
    reason: str
    sources: tuple[str, ...]
    kind: RuleKind
    examples: tuple[Example, ...] = ()

    severity: Severity | None = None
    """What the configuration says in place of the rule's own: nothing said as info gets heavier."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Judge ``subject`` by this rule; findings say which rule, and why it exists."""
        return tuple(
            replace(
                finding,
                severity=self._severity(finding),
                rule=self.reference,
                evidence=(*finding.evidence, f"why: {self.reason}"),
            )
            for finding in self.kind.judge(subject)
        )

    def _severity(self, finding: Finding) -> Severity:
        if self.severity is None or finding.severity is Severity.INFO:
            return finding.severity
        return self.severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiver:
    """A dated, reasoned exception."""

    rule: str
    """The id of a rule, or the code of a check."""
    until: date
    """The last day on which it holds."""
    reason: str
    file: str
    line: int
    distributions: tuple[str, ...] = ()
    """Normalised names: only findings that name one of these; empty: all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """One policy file."""

    name: str
    file: str
    """As shown to people: the path that was given, or the name inside the built-in pack."""
    digest: str
    """SHA-256 of the file's bytes."""
    reviewed: date | None
    rules: tuple[Rule, ...]
    waivers: tuple[Waiver, ...] = ()
    builtin: bool = False
    """Whether it is of the built-in pack, whose rules were examined before it was released."""
    asleep: tuple[str, ...] = ()
    """Ids of rules that were not read further: nothing that is installed concerns them."""
