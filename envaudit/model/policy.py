"""Policies: rules as loaded from one TOML file."""

from dataclasses import dataclass, replace
from datetime import date
from typing import Protocol

from envaudit.model.finding import Finding, RuleReference
from envaudit.model.subject import Judge, Subject


class RuleKind(Judge, Protocol):
    """A table of one kind, ready to judge."""

    @property
    def members(self) -> tuple[str, ...]:
        """Normalised names that the rule speaks of; with fewer than two installed it is silent."""
        ...

    @property
    def summary(self) -> str:
        """The rule on one line, as a person would write it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """An environment in a rule's own words, and what the rule must say about it."""

    installed: tuple[str, ...]
    """Pins: ``name==version``."""
    verdict: str
    """A severity, or ``pass``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule: where it stands, why it exists, and the kind that judges it."""

    reference: RuleReference
    reason: str
    sources: tuple[str, ...]
    kind: RuleKind
    examples: tuple[Example, ...] = ()

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Judge ``subject`` by this rule; findings say which rule, and why it exists."""
        return tuple(
            replace(
                finding, rule=self.reference, evidence=(*finding.evidence, f"why: {self.reason}")
            )
            for finding in self.kind.judge(subject)
        )


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
