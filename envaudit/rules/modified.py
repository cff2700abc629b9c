"""What every rule may say beside its kind: conditions, dates, exceptions, a silenced check."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Protocol

from envaudit.model.finding import Finding, Severity
from envaudit.model.pattern import matches
from envaudit.model.subject import Subject
from envaudit.rules.condition import Condition, holds, parse_condition
from envaudit.rules.lens import Lens, both
from envaudit.rules.member import Member, bounded, parse_name
from envaudit.rules.table import Table
from envaudit.rules.wish import Wish


class Kind(Protocol):
    """What a rule kind's own file gives: the judgement, without the modifiers."""

    @property
    def ranges(self) -> tuple[Member, ...]:
        """Whom it speaks of, in which ranges."""
        ...

    @property
    def summary(self) -> str:
        """The rule on one line, as a person would write it."""
        ...

    @property
    def details(self) -> tuple[str, ...]:
        """What it says beyond that, a line each."""
        ...

    @property
    def wishes(self) -> tuple[Wish, ...]:
        """The remedies that it words, best first."""
        ...

    def meets(self, names: frozenset[str]) -> bool:
        """Return whether there is something to judge where ``names`` are installed."""
        ...

    def judge(self, lens: Lens) -> tuple[Finding, ...]:
        """Say everything there is to say about what ``lens`` sees."""
        ...

    def impossible(self) -> str | None:
        """Return why nothing can ever match; ``None`` where something can."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Modified:
    """A rule of any kind, with its modifiers."""

    kind: Kind
    conditions: tuple[Condition, ...] = ()
    skip: tuple[str, ...] = ()
    """Patterns of versions that carry no information."""
    excluded: tuple[str, ...] = ()
    """Names and patterns that the rule leaves alone."""
    bypass: str | None = None
    """The variable that silences the runtime's own check; reported only beside a mismatch."""
    since: date | None = None
    until: date | None = None

    @property
    def members(self) -> tuple[str, ...]:
        """Normalised names and patterns that the rule speaks of."""
        return tuple(dict.fromkeys(name for member in self.kind.ranges for name in member.names))

    @property
    def summary(self) -> str:
        """The rule on one line."""
        conditions = " and ".join(str(condition) for condition in self.conditions)
        return f"{self.kind.summary}, when {conditions}" if conditions else self.kind.summary

    @property
    def details(self) -> tuple[str, ...]:
        """What it says beyond that, a line each."""
        lines = {
            "except": ", ".join(self.excluded),
            "skip": ", ".join(self.skip),
            "bypass-env": self.bypass,
            "since": self.since,
            "until": self.until,
            "remedies": ", ".join(str(wish) for wish in self.kind.wishes),
        }
        said = (f"{key}: {value}" for key, value in lines.items() if value)
        return (*self.kind.details, *said)

    def spoken_of(self, names: Iterable[str]) -> frozenset[str]:
        """Return which of ``names`` the rule speaks of."""
        pool = frozenset(names)
        exact = pool.intersection(self.members)
        patterns = [member for member in self.members if "*" in member]
        found = exact.union(name for pattern in patterns for name in pool if matches(pattern, name))
        return frozenset(name for name in found if not self._leaves_alone(name))

    def _leaves_alone(self, name: str) -> bool:
        return any(matches(pattern, name) for pattern in self.excluded)

    def speaks_of_nobody(self) -> bool:
        """Return whether ``except`` leaves out every member."""
        return bool(self.excluded and self.members) and all(
            self._leaves_alone(member.replace("*", "x")) for member in self.members
        )

    def meets(self, names: Iterable[str]) -> bool:
        """Return whether there is something to judge where ``names`` are installed."""
        return self.kind.meets(self.spoken_of(names))

    def in_force(self, today: date | None) -> bool:
        """Return whether ``today`` is between the rule's dates."""
        return today is None or (
            (self.since is None or self.since <= today)
            and (self.until is None or today <= self.until)
        )

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return the kind's findings, if the conditions hold; if that is not known, as info."""
        if not self.in_force(subject.today):
            return ()
        lens = Lens(subject=subject, skip=self.skip, excluded=self.excluded)
        truth = both(holds(condition, lens) for condition in self.conditions)
        if truth is False:
            return ()
        findings = tuple(self._with_bypass(finding, lens) for finding in self.kind.judge(lens))
        if truth is True:
            return findings
        return tuple(_doubt(finding, truth.reason) for finding in findings)

    def _with_bypass(self, finding: Finding, lens: Lens) -> Finding:
        if (
            self.bypass is None
            or self.bypass not in lens.subject.variables
            or finding.severity is Severity.INFO
        ):
            return finding
        silenced = f"`{self.bypass}` is set here: it hides the mismatch and does not end it"
        return replace(finding, evidence=(*finding.evidence, silenced))


def _doubt(finding: Finding, reason: str) -> Finding:
    doubt = f"it is not known whether this rule applies here: {reason}"
    return replace(
        finding, severity=Severity.INFO, remedies=(), evidence=(*finding.evidence, doubt)
    )


def read_severity(table: Table) -> Severity:
    """Read ``severity``, one word; an error where nothing is said."""
    return Severity(table.choice("severity", [*Severity], Severity.ERROR))


def read_conditions(table: Table, key: str = "when") -> tuple[Condition, ...]:
    """Read conditions: one text or a list of them."""
    return table.one_or_each_parsed(key, parse_condition)


def modify(table: Table, kind: Kind, conditions: tuple[Condition, ...]) -> Modified:
    """Read the modifiers that every kind has, and return ``kind`` with them."""
    modified = Modified(
        kind=kind,
        conditions=conditions,
        skip=table.each_parsed("skip", bounded),
        excluded=table.each_parsed("except", parse_name),
        bypass=table.optional_text("bypass-env"),
        since=table.optional_date("since"),
        until=table.optional_date("until"),
    )
    if modified.since and modified.until and modified.until < modified.since:
        table.note("until", "`until` is before `since`")
    return modified
