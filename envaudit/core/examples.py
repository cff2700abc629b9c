"""A policy's own examples: whether each rule says of them what its author says that it does."""

from collections.abc import Iterator
from dataclasses import dataclass

from packaging.utils import canonicalize_name

from envaudit.model.distribution import Distribution
from envaudit.model.policy import Example, Rule
from envaudit.model.snapshot import Interpreter, Snapshot
from envaudit.model.subject import Subject

PASS = "pass"  # noqa: S105 - a verdict, not a password


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One example, judged."""

    rule: Rule
    example: Example
    verdict: str
    """The heaviest severity that the rule said, or ``pass``."""

    @property
    def right(self) -> bool:
        """Whether the rule said what the example says."""
        return self.verdict == self.example.verdict


def try_examples(rule: Rule) -> Iterator[Trial]:
    """Judge each example of ``rule`` by the rule."""
    for example in rule.examples:
        findings = rule.judge(_subject(example))
        heaviest = min(findings, key=lambda finding: finding.severity.weight, default=None)
        verdict = PASS if heaviest is None else heaviest.severity.value
        yield Trial(rule=rule, example=example, verdict=verdict)


def _subject(example: Example) -> Subject:
    records = tuple(_distribution(pin) for pin in example.installed)
    snapshot = Snapshot(
        interpreter=Interpreter(implementation="cpython", version="3.11", markers=()),
        distributions=records,
    )
    return Subject(snapshot=snapshot, installed=snapshot.by_name(), needs=(), rules=1)


def _distribution(pin: str) -> Distribution:
    name, _, version = pin.partition("==")
    return Distribution(
        name=canonicalize_name(name),
        spelling=name,
        version=version,
        folder=f"(example)/{name}",
    )
