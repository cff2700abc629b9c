"""Judging the rules themselves: which can never match, and which contradict each other."""

from collections.abc import Iterable, Iterator
from datetime import date

from envaudit.model.finding import Explanation, Finding, Severity
from envaudit.model.policy import Rule
from envaudit.model.snapshot import Snapshot
from envaudit.rules.companion import Companion
from envaudit.rules.condition import Installed
from envaudit.rules.contradiction import Bench
from envaudit.rules.exclusive import Exclusive
from envaudit.rules.forbidden import Forbidden
from envaudit.rules.implies import Implies, Row
from envaudit.rules.member import Member, can_admit
from envaudit.rules.modified import Modified

EXPLANATIONS = (
    Explanation(
        code="rule-matches-nothing",
        meaning="A rule can never say anything: its range is empty, or its last day has passed.",
        why="Whoever wrote it believes that something is guarded, and nothing is.",
        repair="Correct the rule at the place that the message names, or delete it.",
    ),
    Explanation(
        code="rules-conflict",
        meaning="Two rules ask for opposite things, so that no environment can obey both.",
        why="Whatever is installed, one of them fails, and no command can be found that ends it.",
        repair="Correct one of the two, or disable it by its id in the configuration.",
    ),
)


def never_match(rules: Iterable[Rule], today: date | None) -> tuple[Finding, ...]:
    """Return a finding for each rule that can never say anything, whatever is installed."""
    return tuple(
        _never(rule, reason)
        for rule in rules
        if isinstance(rule.kind, Modified)
        if (reason := _impossible(rule.kind, today)) is not None
    )


def contradict(
    own: Iterable[Rule], others: Iterable[Rule], snapshot: Snapshot, today: date | None
) -> tuple[Finding, ...]:
    """Return a finding for each two rules that no environment can obey both.

    Each of ``own`` is held against the other ones and against ``others``, if they speak of one
    distribution together. Conditions hold as they do in the environment of ``snapshot``: what
    asks for a third distribution is left out, since both may be right, each in its environments.
    """
    findings: list[Finding] = []
    bench = Bench(snapshot)
    by_name: dict[str, list[tuple[Rule, Modified]]] = {}
    for rule, kind in _in_force(others, today):
        for name in kind.members:
            by_name.setdefault(name, []).append((rule, kind))
    for one, first in _in_force(own, today):
        met = {
            id(rule): (rule, kind) for name in first.members for rule, kind in by_name.get(name, ())
        }
        for other, second in met.values():
            reason = _contradiction(second, first) or _contradiction(first, second)
            reason = reason or bench.contradiction(second, first)
            if reason is not None:
                findings.append(_conflict(other, one, reason))
        for name in first.members:
            by_name.setdefault(name, []).append((one, first))
    return (*findings, _UNTRIED) if bench.is_exhausted else tuple(findings)


_UNTRIED = Finding(
    code="rules-conflict",
    severity=Severity.INFO,
    distributions=(),
    message="not all rules were held against each other: too many of them speak of the same",
)


def _in_force(rules: Iterable[Rule], today: date | None) -> Iterator[tuple[Rule, Modified]]:
    for rule in rules:
        if isinstance(rule.kind, Modified) and rule.kind.in_force(today):
            yield rule, rule.kind


def _impossible(kind: Modified, today: date | None) -> str | None:
    if today is not None and kind.until is not None and kind.until < today:
        return f"its last day was {kind.until.isoformat()}"
    if kind.speaks_of_nobody():
        return "`except` leaves out everything that it speaks of"
    return kind.kind.impossible()


def _contradiction(one: Modified, other: Modified) -> str | None:
    """Return how ``other`` rules out what ``one`` asks for, as their words tell."""
    if one.conditions or other.conditions:
        return None
    match one.kind, other.kind:
        case Companion() as companion, Forbidden() as forbidden:
            return _needed_and_forbidden(companion, forbidden)
        case Companion() as companion, Exclusive() as exclusive:
            return _needed_and_exclusive(companion, exclusive)
        case Implies(above=None) as first, Implies(above=None) as second:
            return _opposite(first.rows[0], second.rows[0])
        case _:
            return None


def _needed_and_forbidden(companion: Companion, forbidden: Forbidden) -> str | None:
    for need in companion.needs:
        for member in forbidden.forbidden:
            if need.single is not None and member.covers(need.single) and not member.specifier:
                return f"the one needs `{need}`, the other forbids it"
    return None


def _needed_and_exclusive(companion: Companion, exclusive: Exclusive) -> str | None:
    """Find what is needed beside one that it excludes."""
    subjects = [
        item.member
        for item in companion.conditions
        if isinstance(item, Installed) and not item.negated
    ]
    for need in companion.needs:
        for subject in subjects:
            if _rivals(need, subject, exclusive):
                return f"the one needs `{need}` beside `{subject}`, the other excludes the two"
    return None


def _rivals(one: Member, other: Member, exclusive: Exclusive) -> bool:
    def listed(member: Member) -> bool:
        return member.single is not None and any(
            rival.covers(member.single) and not rival.specifier for rival in exclusive.rivals
        )

    return one.single != other.single and listed(one) and listed(other)


def _opposite(one: Row, other: Row) -> str | None:
    """Find one subject, in ranges that overlap, that asks for ranges that do not."""
    subjects = _alone(one.conditions), _alone(other.conditions)
    light = Severity.INFO in {one.severity, other.severity}
    if light or None in subjects or one.goals == () or other.goals == ():
        return None
    first, second = (subject for subject in subjects if subject is not None)
    if first.single is None or first.single != second.single:
        return None
    if not can_admit(first.specifier, second.specifier):
        return None
    for mine in _ranges(one):
        for yours in _ranges(other):
            if mine.single == yours.single and not can_admit(mine.specifier, yours.specifier):
                return f"of `{first}`, the one asks for `{mine}`, the other for `{yours}`"
    return None


def _alone(conditions: tuple[object, ...]) -> Member | None:
    match conditions:
        case (Installed(member=member, negated=False),):
            return member
        case _:
            return None


def _ranges(row: Row) -> Iterator[Member]:
    for goal in row.goals:
        if isinstance(goal, Installed) and goal.member.single is not None:
            yield goal.member


def _place(rule: Rule) -> str:
    return f"{rule.reference.file}:{rule.reference.line}"


def _never(rule: Rule, reason: str) -> Finding:
    return Finding(
        code="rule-matches-nothing",
        severity=Severity.WARNING,
        distributions=(),
        message=f"the rule `{rule.reference.id}` can never match: {reason}",
        evidence=(f"it stands at: {_place(rule)}",),
        rule=rule.reference,
    )


def _conflict(one: Rule, other: Rule, reason: str) -> Finding:
    return Finding(
        code="rules-conflict",
        severity=Severity.WARNING,
        distributions=(),
        message=(
            f"the rules `{one.reference.id}` and `{other.reference.id}` contradict each other: "
            f"{reason}"
        ),
        evidence=(f"they stand at: {_place(one)} and {_place(other)}",),
        rule=one.reference,
    )
