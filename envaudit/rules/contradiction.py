"""Whether two rules can both be obeyed: tried out on the versions that they name, and beside them.

The two are judged as they always are, on environments of two distributions, ``a`` and ``b``. For
each version of ``a``, there are versions of ``b`` with which a rule finds nothing to say. Where the
one finds some and the other finds some, but never the same, the two contradict each other. To be
called so they must do it for every ``a`` of one row (of a table): that ``a == b`` and ``a>=5`` goes
with ``b>=5.1`` leaves out ``a==5.0``, and is no contradiction.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import permutations

from packaging.version import Version

from envaudit.model.distribution import Distribution
from envaudit.model.fact import informs
from envaudit.model.finding import Severity
from envaudit.model.snapshot import Snapshot
from envaudit.model.subject import Subject
from envaudit.rules.companion import Companion
from envaudit.rules.compare import Compare
from envaudit.rules.condition import Condition, named_by
from envaudit.rules.implies import Implies
from envaudit.rules.member import Member, admits, around
from envaudit.rules.modified import Modified

MOST_TRIALS = 4000
"""How many judgements there may be in one run: a hostile policy has millions of pairs."""
_MOST_NAMES = 16
"""Rules about more distributions would take too long to try."""


class Bench:
    """Tries pairs of rules, as long as there are trials left."""

    def __init__(self, snapshot: Snapshot) -> None:
        """Try them for the environment of ``snapshot``.

        Its interpreter's markers are what conditions ask for. Of a table, which tells a history,
        the row counts that is about what is installed, if there is one.
        """
        self._interpreter = snapshot.interpreter
        self._installed = snapshot.by_name()
        self._trials = MOST_TRIALS

    @property
    def is_exhausted(self) -> bool:
        """Whether trials ran out: pairs after that were not tried."""
        return self._trials < 0

    def contradiction(self, one: Modified, other: Modified) -> str | None:
        """Return how two rules contradict each other, if they do, and if it can be said."""
        if not (_decidable(one) and _decidable(other)):
            return None
        one, other = self._of_today(one), self._of_today(other)
        self._trials -= (len(one.kind.ranges) + len(other.kind.ranges)) // 10
        names = _names(one) | _names(other)
        shared = _names(one) & _names(other)
        if not shared or len(names) > _MOST_NAMES or self.is_exhausted:
            return None
        for first, second in permutations(sorted(names), 2):
            if second in shared:
                reason = self._of_pair(first, second, one, other)
                if reason is not None:
                    return reason
        return None

    def _of_today(self, rule: Modified) -> Modified:
        """Return ``rule`` with the one row that is about what is installed; else as it is."""
        kind = rule.kind
        if not isinstance(kind, Implies) or kind.above is None:
            return rule
        for row in kind.rows:
            for member in (item for one in row.conditions if (item := named_by(one)) is not None):
                records = self._installed.get(member.single or "", ())
                if any(admits(member.specifier, record.version) for record in records):
                    return replace(rule, kind=replace(kind, rows=(row,)))
        return rule

    def _of_pair(self, first: str, second: str, one: Modified, other: Modified) -> str | None:
        groups: dict[tuple[int, int], list[tuple[Version, bool]]] = {}
        for version in _versions_of(first, second, one, other):
            mine, yours = _part(one, first, version), _part(other, first, version)
            if mine is None or yours is None:
                continue
            seconds = _informing(
                *(
                    member.specifier
                    for member in (*mine.asks, *yours.asks)
                    if member.covers(second)
                ),
                *([f"=={version}"] if _is_compare(one) or _is_compare(other) else []),
            )
            self._trials -= 2 * len(seconds)
            if self._trials < 0:
                return None
            obeyed = [self._obeyed(rule, first, version, second, seconds) for rule in (one, other)]
            if all(
                self._constrains(rule, {first: version}, found, rival, len(seconds))
                for rule, found, rival in zip((one, other), obeyed, (other, one), strict=True)
            ):
                apart = obeyed[0].isdisjoint(obeyed[1])
                groups.setdefault((mine.number, yours.number), []).append((version, apart))
        for group in groups.values():
            if all(apart for _, apart in group):
                return f"beside `{first} {group[0][0]}`, no version of `{second}` obeys both"
        return None

    def _constrains(
        self,
        rule: Modified,
        first: Mapping[str, Version],
        obeyed: frozenset[Version],
        rival: Modified,
        tried: int,
    ) -> bool:
        """Return whether a rule leaves some versions and rules some out.

        One that leaves none says that the two do not go together: what asks for the second one to
        be there contradicts that, and nothing else.
        """
        if isinstance(rule.kind, Companion):
            return self._complains(rule, first)
        return len(obeyed) < tried and (bool(obeyed) or isinstance(rival.kind, Companion))

    def _obeyed(
        self, rule: Modified, first: str, version: Version, second: str, seconds: Iterable[Version]
    ) -> frozenset[Version]:
        """Return those of ``seconds`` that ``rule`` has nothing against."""
        return frozenset(
            other for other in seconds if not self._complains(rule, {first: version, second: other})
        )

    def _complains(self, rule: Modified, pins: Mapping[str, Version]) -> bool:
        records = tuple(
            Distribution(name=name, spelling=name, version=str(version), folder=name)
            for name, version in sorted(pins.items())
        )
        snapshot = Snapshot(interpreter=self._interpreter, distributions=records)
        subject = Subject(snapshot=snapshot, installed=snapshot.by_name(), needs=())
        return any(finding.severity is not Severity.INFO for finding in rule.judge(subject))


def _decidable(rule: Modified) -> bool:
    return not isinstance(rule.kind, Compare) or rule.kind.by_version


def _names(rule: Modified) -> frozenset[str]:
    """Return the names that a rule speaks of one by one."""
    names: Iterator[str | None] = (member.single for member in rule.kind.ranges)
    return frozenset(name for name in names if name is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """What of a rule is about one version of the first distribution: of a table, one row."""

    number: int
    asks: tuple[Member, ...]


def _part(rule: Modified, first: str, version: Version) -> _Part | None:
    """Return what ``rule`` asks for the sake of ``first`` in that version; ``None``: nothing."""
    match rule.kind:
        case Implies(rows=rows):
            for number, row in enumerate(rows):
                if _is_meant(first, version, row.conditions):
                    goals = (member for goal in row.goals if (member := named_by(goal)) is not None)
                    return _Part(number=number, asks=tuple(goals))
            return None
        case Companion(conditions=conditions, needs=needs):
            return _Part(number=0, asks=needs) if _is_meant(first, version, conditions) else None
        case kind:
            return _Part(number=0, asks=kind.ranges)


def _is_meant(name: str, version: Version, conditions: Iterable[Condition]) -> bool:
    members = (member for item in conditions if (member := named_by(item)) is not None)
    return any(
        member.covers(name) and admits(member.specifier, str(version)) is True for member in members
    )


def _versions_of(first: str, second: str, one: Modified, other: Modified) -> tuple[Version, ...]:
    """Return the versions of ``first`` to try: those that the rules name, and those beside them."""
    both = _is_compare(one) or _is_compare(other)
    return _informing(
        *(
            member.specifier
            for rule in (one, other)
            for member in rule.kind.ranges
            if member.covers(first) or (both and member.covers(second))
        )
    )


def _informing(*specifiers: str) -> tuple[Version, ...]:
    return tuple(version for version in around(*specifiers) if informs(str(version)) is None)


def _is_compare(rule: Modified) -> bool:
    return isinstance(rule.kind, Compare)
