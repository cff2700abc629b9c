"""The rule kind ``compare``: facts of installed distributions agree, or stand in an order.

    compare = "full(flashinfer-python) == full(flashinfer-cubin)"

Members that are not installed are never a violation, and a fact that is not known neither equals
nor differs: it is said as info. In a chain of ``==`` all that are installed must agree, and one
finding says which do not; in an order, each is held against the next one that is installed.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from operator import eq, ge, le
from types import MappingProxyType
from typing import Any

from packaging.version import Version

from envaudit.model.distribution import Distribution
from envaudit.model.fact import VERSION_FACTS, Absent, Known, Unknown
from envaudit.model.finding import Align, Explanation, Finding, Remedy, Severity
from envaudit.rules.expression import Expression, Term, parse_expression
from envaudit.rules.lens import Lens
from envaudit.rules.member import Member, can_admit
from envaudit.rules.table import Table
from envaudit.rules.wish import Verb, Wish, grant, read_wishes

KEY = "compare"
CODE = "compare"

EXPLANATION = Explanation(
    code=CODE,
    meaning=(
        "A policy says that facts of some distributions must agree (or stand in an order), and "
        "those that are installed do not."
    ),
    why=(
        "The distributions check each other when they are imported, or share a binary interface, "
        "and their metadata does not say so: the resolver is free to move one without the other. "
        "The rule's reason and sources stand in the policy file that the finding names."
    ),
    repair="Run `envaudit fix`: forward, back, or without an optional companion, whichever works.",
)

_Value = Version | str | int
# Texts stand in no order, and `parse_expression` has refused them.
_ORDERS: Mapping[str, tuple[Callable[[Any, Any], bool], str]] = MappingProxyType(
    {
        "<=": (le, "is later than"),
        ">=": (ge, "is earlier than"),
        "==": (eq, "does not match"),
    }
)
_MOST_NAMED = 4
"""How many of those that agree with each other a message names."""
_DISTANCES = ("major", "minor", "patch", "rest")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One record's fact, as a term sees it."""

    term: Term
    record: Distribution
    value: _Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """One record whose fact is not known."""

    term: Term
    record: Distribution
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Compare:
    """One table of this kind."""

    expression: Expression
    severity: Severity
    by_distance: Mapping[str, Severity]
    """Of ``_DISTANCES``, the coarsest part that differs -> severity; else ``severity``."""
    wishes: tuple[Wish, ...] = ()

    @classmethod
    def from_table(cls, table: Table) -> "Compare | None":
        """Build it from a rule's table; ``None`` where mistakes were noted in its expression."""
        expression = table.parsed(KEY, parse_expression)
        severity, by_distance = _read_severity(table)
        if expression is None:
            table.texts("remedies")
            return None
        if by_distance and (expression.numeric or isinstance(_sample(expression), str)):
            table.note("severity", "only versions lie at a distance: `severity` is one word here")
        wishes = read_wishes(table, (term.member for term in expression.terms), align=True)
        return cls(expression=expression, severity=severity, by_distance=by_distance, wishes=wishes)

    @property
    def ranges(self) -> tuple[Member, ...]:
        """Whom it speaks of, in the order of the expression."""
        return tuple(term.member for term in self.expression.terms)

    @property
    def by_version(self) -> bool:
        """Whether versions alone decide it, as they stand."""
        return not self.expression.numeric and set(self._facts()) <= VERSION_FACTS.keys()

    @property
    def summary(self) -> str:
        """The rule on one line."""
        return self.expression.text

    @property
    def details(self) -> tuple[str, ...]:
        """What it says beyond that, a line each."""
        distances = (
            f", {severity.value} where {name} differs"
            for name, severity in self.by_distance.items()
            if severity is not self.severity
        )
        return (f"severity: {self.severity.value}{''.join(distances)}",)

    def meets(self, names: frozenset[str]) -> bool:
        """Return whether there are two to compare."""
        return len(names) > 1

    def impossible(self) -> str | None:
        """Return why nothing can ever match."""
        for term in self.expression.terms:
            if not can_admit(term.member.specifier):
                return f"no version is in the range of `{term.member}`"
        return "it compares one distribution with itself" if self._alone() else None

    def _alone(self) -> bool:
        names = {term.member.single for term in self.expression.terms}
        return len(names) == 1 and None not in names and len(set(self._facts())) < 2  # noqa: PLR2004 - two facts of one distribution may be compared

    def _facts(self) -> tuple[str, ...]:
        return tuple(term.fact for term in self.expression.terms)

    def judge(self, lens: Lens) -> tuple[Finding, ...]:
        """Return what disagrees among the installed, and what cannot be known."""
        read = tuple(self._read(term, lens) for term in self.expression.terms)
        readings = [
            tuple(item for item in entries if isinstance(item, Reading)) for entries in read
        ]
        doubts = [item for entries in read for item in entries if isinstance(item, Doubt)]
        findings = list(
            self._agreement(readings, lens)
            if self.expression.agreement
            else self._order(readings, lens)
        )
        present = list(dict.fromkeys(item.record.label for entries in read for item in entries))
        if doubts and len(present) > 1:
            findings.append(_unknown(self.expression, doubts, read))
        return tuple(findings)

    def _read(self, term: Term, lens: Lens) -> tuple[Reading | Doubt, ...]:
        entries: list[Reading | Doubt] = []
        for record, truth in lens.meant(term.member):
            if isinstance(truth, Unknown):
                entries.append(Doubt(term=term, record=record, reason=truth.reason))
                continue
            match lens.fact(term.fact, record):
                case Unknown(reason=reason):
                    entries.append(Doubt(term=term, record=record, reason=reason))
                case Known() as known:
                    value = (
                        known.number + (term.plus or 0) if self.expression.numeric else known.value
                    )
                    entries.append(Reading(term=term, record=record, value=value))
                case Absent():
                    pass
        return tuple(entries)

    def _agreement(self, readings: Sequence[tuple[Reading, ...]], lens: Lens) -> Iterable[Finding]:
        """Yield one finding where not all readings are of one value."""
        groups: dict[_Value, list[Reading]] = {}
        for entries in readings:
            for reading in entries:
                groups.setdefault(reading.value, []).append(reading)
        if len(groups) > 1:
            yield self._mismatch(list(groups.values()), lens)

    def _mismatch(self, groups: list[list[Reading]], lens: Lens) -> Finding:
        # The many are the measure, the few are the odd ones; of equals, the first is named first.
        largest = max(len(group) for group in groups)
        measure = next(group for group in reversed(groups) if len(group) == largest)
        odd = [group for group in groups if group is not measure]
        named = measure if len(measure) < _MOST_NAMED else measure[:1]
        records = [reading.record for group in odd for reading in group]
        count = len({record.label for record in records})
        complaint = "does not match" if count == 1 else "do not match"
        return Finding(
            code=CODE,
            severity=max(
                (self._severity(group[0], measure[0]) for group in odd),
                key=lambda severity: -severity.weight,
            ),
            distributions=_names((*records, *(reading.record for reading in named))),
            message=f"{_labels(records)} {complaint} {_labels(item.record for item in named)}",
            evidence=self._evidence((*groups,)),
            remedies=self._remedies([*measure, *(item for group in odd for item in group)], lens),
        )

    def _severity(self, one: Reading, other: Reading) -> Severity:
        if not isinstance(one.value, Version) or not isinstance(other.value, Version):
            return self.severity
        distance = next(
            (
                name
                for name, at in (("major", 1), ("minor", 2), ("patch", 3))
                if _numbers(one.value, at) != _numbers(other.value, at)
            ),
            "rest",
        )
        return self.by_distance.get(distance, self.severity)

    def _order(self, readings: Sequence[tuple[Reading, ...]], lens: Lens) -> Iterable[Finding]:
        """Yield a finding for each pair of neighbours, among the installed, out of order."""
        present = [at for at, entries in enumerate(readings) if entries]
        for left, right in pairwise(present):
            relation = _joined(self.expression.relations[left:right])
            if relation is None:
                continue
            holds, complaint = _ORDERS[relation]
            for one, other in product(readings[left], readings[right]):
                if not holds(one.value, other.value):
                    yield Finding(
                        code=CODE,
                        severity=self._severity(one, other),
                        distributions=_names((one.record, other.record)),
                        message=f"`{one.record.label}` {complaint} `{other.record.label}`",
                        evidence=self._evidence(([one], [other])),
                        remedies=self._remedies([one, other], lens),
                    )

    def _evidence(self, groups: Sequence[Sequence[Reading]]) -> tuple[str, ...]:
        rule = f"the rule: {self.expression}"
        if self.expression.numeric or set(self._facts()) <= VERSION_FACTS.keys():
            return (rule,)
        values = "; ".join(
            f"{group[0].value} in {_labels(reading.record for reading in group[:_MOST_NAMED])}"
            for group in groups
        )
        return rule, f"{'/'.join(dict.fromkeys(self._facts()))}: {values}"

    def _remedies(self, readings: Sequence[Reading], lens: Lens) -> tuple[Remedy, ...]:
        """Return what the rule wishes; without a wish, bringing all to one value.

        ``readings``: those that disagree, the measure of the others first.
        """
        names = tuple(dict.fromkeys(term.member.single for term in self.expression.terms))
        fact = self.expression.terms[0].fact
        align: tuple[Remedy, ...] = ()
        alike = len(set(self._facts())) == 1 and fact in VERSION_FACTS
        if alike and not self.expression.numeric:
            members = tuple(name for name in names if name is not None)
            if len(members) == len(names):
                align = (Align(members=members, fact=fact),)
        if not self.wishes:
            return align
        granted: list[Remedy] = []
        for wish in self.wishes:
            if wish.verb is Verb.ALIGN:
                granted.extend(align)
            else:
                granted.extend(
                    grant((wish,), lens, lambda name, _: self._target(name, readings, lens))
                )
        return tuple(dict.fromkeys(granted))

    def _target(self, name: str, readings: Sequence[Reading], lens: Lens) -> str | None:
        """Return the range in which ``name`` has the value of the others, if a version tells."""
        term = next((item for item in self.expression.terms if item.member.covers(name)), None)
        reading = next((item for item in readings if item.record.name != name), None)
        if term is None or reading is None or not self.expression.agreement:
            return None
        if term.fact not in VERSION_FACTS:
            return None
        if isinstance(reading.value, Version):
            return specifier(term.fact, reading.value)
        if not isinstance(reading.value, int) or term.fact not in {"minor", "first2"}:
            return None
        records = lens.subject.installed.get(name, ())
        present = lens.fact("major", records[-1]) if records else None
        major = present.value if isinstance(present, Known) else None
        return None if major is None else f"=={major}.{reading.value - (term.plus or 0)}.*"


def specifier(fact: str, value: Version) -> str:
    """Return what admits the versions whose ``fact`` is ``value``, as near as PEP 440 can."""
    return f"=={value}" if fact in {"full", "public"} else f"=={value}.*"


def _joined(relations: Iterable[str]) -> str | None:
    """Return the relation of two terms with others between them; ``None``: there is none."""
    strict = set(relations) - {"=="}
    if not strict:
        return "=="
    return strict.pop() if len(strict) == 1 else None


def _read_severity(table: Table) -> tuple[Severity, Mapping[str, Severity]]:
    """Read ``severity``: one word, or one for each distance."""
    if not table.is_table("severity"):
        return Severity(table.choice("severity", [*Severity], Severity.ERROR)), {}
    inner = table.table("severity")
    found = {
        distance: Severity(inner.choice(distance, [*Severity], Severity.ERROR))
        for distance in _DISTANCES
    }
    inner.finish()
    return Severity.ERROR, found


def _sample(expression: Expression) -> object:
    """Return a value of the type that the expression's facts have."""
    return (
        Version("0") if expression.terms[0].fact not in {"label", "vendor", "built.vendor"} else ""
    )


def _numbers(version: Version, count: int) -> tuple[int, ...]:
    return (version.epoch, *(*version.release, 0, 0, 0)[:count])


def _names(records: Iterable[Distribution]) -> tuple[str, ...]:
    return tuple(sorted({record.name for record in records}))


def _labels(records: Iterable[Distribution]) -> str:
    labels = list(dict.fromkeys(f"`{record.label}`" for record in records))
    if len(labels) > _MOST_NAMED:
        labels = [*labels[: _MOST_NAMED - 1], f"{len(labels) - _MOST_NAMED + 1} more"]
    *head, last = labels
    return f"{', '.join(head)} and {last}" if head else last


def _unknown(
    expression: Expression, doubts: Sequence[Doubt], read: Sequence[Sequence[Reading | Doubt]]
) -> Finding:
    """Say, once for a rule, that something cannot be compared, and why."""
    reasons = "; ".join(dict.fromkeys(doubt.reason for doubt in doubts))
    records = [item.record for entries in read for item in entries]
    return Finding(
        code=CODE,
        severity=Severity.INFO,
        distributions=_names(records),
        message=f"{_labels(records)} cannot be compared by `{expression}`: {reasons}",
    )
