"""Rules in memory: a table of any kind, judged on an environment of a few words."""

from datetime import date

from envaudit.core.graph import resolve
from envaudit.model.distribution import Distribution
from envaudit.model.finding import Finding
from envaudit.model.policy import RuleKind
from envaudit.model.snapshot import Interpreter, Snapshot
from envaudit.model.subject import Subject
from envaudit.rules import build_kind
from envaudit.rules.table import Mistake, Path, Table
from tests.kit.builders import snapshot


def _written(keys: dict[str, object]) -> dict[str, object]:
    """Keys that Python cannot say: ``bypass_env`` is ``bypass-env``, ``exempt`` is ``except``."""
    spelled = {"exempt": "except"}
    return {spelled.get(key, key.replace("_", "-")): value for key, value in keys.items()}


def rule(**keys: object) -> RuleKind:
    """Build what judges a rule's table; fails where anything in it is a mistake."""
    found: list[Mistake] = []
    table = Table(_written(keys), (), found)
    kind = build_kind(table)
    table.finish()
    assert found == []
    assert kind is not None
    return kind


def mistakes(**keys: object) -> list[tuple[Path, str]]:
    """Return where the mistakes of a rule's table are, and what they say."""
    found: list[Mistake] = []
    table = Table(_written(keys), (), found)
    build_kind(table)
    table.finish()
    return [(mistake.path, mistake.message) for mistake in found]


def subject(
    *distributions: str | Distribution,
    interpreter: Interpreter | None = None,
    variables: frozenset[str] = frozenset(),
    today: date | None = None,
) -> Subject:
    """Build what a rule sees of an environment; pins stand for distributions."""
    taken = snapshot(*distributions)
    if interpreter is not None:
        taken = Snapshot(interpreter=interpreter, distributions=taken.distributions)
    return Subject(
        snapshot=taken,
        installed=taken.by_name(),
        needs=resolve(taken).needs(),
        rules=1,
        variables=variables,
        today=today,
    )


def judge(
    kind: RuleKind,
    *distributions: str | Distribution,
    interpreter: Interpreter | None = None,
    variables: frozenset[str] = frozenset(),
    today: date | None = None,
) -> list[Finding]:
    """Judge an environment by a rule."""
    return list(
        kind.judge(
            subject(*distributions, interpreter=interpreter, variables=variables, today=today)
        )
    )


def verdict(kind: RuleKind, *distributions: str | Distribution) -> str:
    """Return the heaviest severity that a rule says, or ``pass``."""
    findings = judge(kind, *distributions)
    heaviest = min(findings, key=lambda finding: finding.severity.weight, default=None)
    return "pass" if heaviest is None else heaviest.severity.value
