"""The rule kind ``implies``: if A is in this range, then B, when it is installed, is in that one.

    when = "transformers>=5"
    then = "peft>=0.18"

Without ``then`` the release itself is known to be bad. A table is several such rows about one
subject; the first that admits its version decides.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from envaudit.model.distribution import Distribution
from envaudit.model.fact import Absent, Known, Unknown, parse
from envaudit.model.finding import Explanation, Finding, Place, Remedy, Severity
from envaudit.rules.condition import (
    Condition,
    FactIs,
    Goal,
    Installed,
    has_fact,
    holds,
    in_question,
    named_by,
    parse_goal,
)
from envaudit.rules.lens import Lens, Truth, both
from envaudit.rules.member import Member, beyond, can_admit, mentioned
from envaudit.rules.modified import read_conditions, read_severity
from envaudit.rules.table import ExpressionError, Table
from envaudit.rules.wish import Wish, grant, read_wishes

KEY = "then"
ROWS = "rows"
WHEN = "when"
CODE = "implies"
_MOST_ROWS = 500

EXPLANATION = Explanation(
    code=CODE,
    meaning=(
        "A policy says that this release of one distribution goes only with some releases of "
        "another (or is known to be bad), and what is installed is not one of them."
    ),
    why=(
        "The one uses what the other dropped, or was compiled against it, and its metadata says "
        "less than that. The rule's reason and sources stand in the policy that the finding names."
    ),
    repair="Run `envaudit fix`: it raises or lowers one of the two, whichever works.",
)


class Above(StrEnum):
    """What a table says of a subject that is later than every row."""

    OK = "ok"
    WARN = "warn"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Conditions and what they imply; with no goal, what they describe is known to be bad."""

    conditions: tuple[Condition, ...]
    goals: tuple[Goal, ...]
    severity: Severity

    @property
    def summary(self) -> str:
        """The row on one line."""
        when = " and ".join(str(condition) for condition in self.conditions)
        then = " and ".join(str(goal) for goal in self.goals)
        return f"{when} implies {then}" if then else f"{when} is known to be bad"

    def judge(self, lens: Lens, wishes: tuple[Wish, ...]) -> Iterable[Finding]:
        """Yield a finding for each goal that is not reached, and for what cannot be known."""
        truth = both(holds(condition, lens) for condition in self.conditions)
        if truth is False:
            return
        if not self.goals:
            yield self._finding((), truth, lens, wishes, None)
        for goal in self.goals:
            for record, reached in reach(goal, lens):
                if reached is not True:
                    yield self._finding((record,), _worse(truth, reached), lens, wishes, goal)

    def _finding(
        self,
        found: tuple[Distribution, ...],
        truth: Truth,
        lens: Lens,
        wishes: tuple[Wish, ...],
        goal: Goal | None,
    ) -> Finding:
        subjects = _subjects(self.conditions, lens)
        labels = " with ".join(f"`{record.label}`" for record in subjects) or "this environment"
        if goal is None:
            message = f"{labels} is known to be bad"
        else:
            message = f"{labels} goes with `{goal}`, and {describe(goal, found[0], lens)}"
        names = tuple(sorted({record.name for record in (*subjects, *found)}))
        evidence = (f"the rule: {self.summary}",)
        if isinstance(truth, Unknown):
            doubt = "whether that is so here is not known" if goal is None else "that is not known"
            return Finding(
                code=CODE,
                severity=Severity.INFO,
                distributions=names,
                message=f"{message}; {doubt}: {truth.reason}",
                evidence=evidence,
            )
        return Finding(
            code=CODE,
            severity=self.severity,
            distributions=names,
            message=message,
            evidence=evidence,
            remedies=self._remedies(goal, lens, wishes),
        )

    def _remedies(
        self, goal: Goal | None, lens: Lens, wishes: tuple[Wish, ...]
    ) -> tuple[Remedy, ...]:
        if wishes:
            return grant(wishes, lens, lambda name, up: self._target(name, goal, up=up))
        remedies: list[Remedy] = []
        if isinstance(goal, Installed) and goal.member.single is not None:
            remedies.append(
                Place(name=goal.member.single, specifier=goal.member.specifier, up=True)
            )
        for member in _members(self.conditions, ()):
            name = member.single
            if name is not None:
                for up in (True, False):
                    outside = self._target(name, goal, up=up)
                    if outside is not None:
                        remedies.append(Place(name=name, specifier=outside, up=up))
        return tuple(dict.fromkeys(remedies))

    def _target(self, name: str, goal: Goal | None, *, up: bool) -> str | None:
        """Return the range in which ``name`` breaks nothing: in the goal, or outside a ``when``."""
        if isinstance(goal, Installed) and goal.member.covers(name):
            return goal.member.specifier
        for member in _members(self.conditions, ()):
            if member.covers(name) and member.specifier:
                return beyond(member.specifier, up=up)
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Implies:
    """One table of this kind: one row, or several about one subject."""

    rows: tuple[Row, ...]
    above: Above | None = None
    """``None``: no table of rows."""
    wishes: tuple[Wish, ...] = ()

    @classmethod
    def from_table(cls, table: Table) -> "Implies | None":
        """Build it from a rule's table, which has ``rows``, or is one row itself."""
        if table.has(ROWS):
            return cls._of_rows(table)
        goals = table.one_or_each_parsed(KEY, parse_goal)
        conditions = read_conditions(table)
        row = Row(conditions=conditions, goals=goals, severity=read_severity(table))
        if not conditions and not table.faulty("when"):
            table.note(KEY, "`when` is missing: what implies it?")
        _check_goals(table, goals)
        return cls(rows=(row,), wishes=read_wishes(table, _members(conditions, goals)))

    @classmethod
    def _of_rows(cls, table: Table) -> "Implies | None":
        severity = read_severity(table)
        above = Above(table.choice("above-last-row", [*Above], Above.UNKNOWN))
        rows = tuple(
            row
            for inner in table.tables(ROWS, most=_MOST_ROWS)
            if (row := _read_row(inner, severity)) is not None
        )
        subjects = {_subject_of(row).names for row in rows}
        if len(subjects) > 1:
            table.note(ROWS, "the rows are about several subjects: split the table")
        if not rows:
            table.texts("remedies")
            return None
        members = [member for row in rows for member in _members(row.conditions, row.goals)]
        return cls(rows=rows, above=above, wishes=read_wishes(table, members))

    @property
    def ranges(self) -> tuple[Member, ...]:
        """Whom it speaks of, the subject first."""
        return tuple(member for row in self.rows for member in _members(row.conditions, row.goals))

    @property
    def summary(self) -> str:
        """The rule on one line."""
        if self.above is None:
            return self.rows[0].summary
        first, last = self.rows[0], self.rows[-1]
        return f"{first.summary}, … {last.summary} ({len(self.rows)} rows)"

    @property
    def details(self) -> tuple[str, ...]:
        """What it says beyond that, a line each."""
        if self.above is None:
            return (f"severity: {self.rows[0].severity.value}",)
        return (
            *(f"row: {row.summary} ({row.severity.value})" for row in self.rows),
            f"above the last row: {self.above.value}",
        )

    def meets(self, names: frozenset[str]) -> bool:
        """Return whether a subject is installed, and something to hold it against."""
        return any(_row_meets(row, names) for row in self.rows)

    def impossible(self) -> str | None:
        """Return why nothing can ever match."""
        for row in self.rows:
            for member in _members(row.conditions, row.goals):
                if not can_admit(member.specifier):
                    return f"no version is in the range of `{member}`"
        return None

    def judge(self, lens: Lens) -> tuple[Finding, ...]:
        """Return what the row in question says, and what no row says."""
        if self.above is None:
            return tuple(self.rows[0].judge(lens, self.wishes))
        findings: list[Finding] = []
        for record in lens.named(_subject_of(self.rows[0])):
            row, truth = _row_of(record, self.rows, lens)
            if row is not None:
                findings.extend(row.judge(lens, self.wishes))
            elif isinstance(truth, Unknown) or self._is_above(record):
                findings.extend(self._beyond(record, truth, lens))
        return tuple(dict.fromkeys(findings))

    def _is_above(self, record: Distribution) -> bool:
        version = parse(record.version)
        named = [mentioned(_subject_of(row).specifier) for row in self.rows]
        latest = max((versions[-1] for versions in named if versions), default=None)
        return version is not None and latest is not None and version >= latest

    def _beyond(self, record: Distribution, truth: Truth, lens: Lens) -> Iterable[Finding]:
        """Say, of a subject that no row admits, what the rule says of such ones."""
        others = tuple(
            dict.fromkeys(
                other
                for row in self.rows
                for goal in row.goals
                for other, _ in reach(goal, lens)
                if other.name != record.name
            )
        )
        if not others or (self.above is Above.OK and truth is False):
            return
        reason = (
            truth.reason
            if isinstance(truth, Unknown)
            else "it is later than every row of the table"
        )
        warns = self.above is Above.WARN and truth is False
        labels = " and ".join(f"`{other.label}`" for other in others)
        yield Finding(
            code=CODE,
            severity=Severity.WARNING if warns else Severity.INFO,
            distributions=tuple(sorted({record.name, *(other.name for other in others)})),
            message=f"whether `{record.label}` goes with {labels} is not known: {reason}",
        )


def _row_of(record: Distribution, rows: Sequence[Row], lens: Lens) -> tuple[Row | None, Truth]:
    """Return the first row that admits a record; else whether that is sure."""
    doubt: Truth = False
    for row in rows:
        truth = lens.within(_subject_of(row).specifier, record)
        if truth is True:
            return row, True
        if isinstance(truth, Unknown):
            doubt = truth
    return None, doubt


def _read_row(table: Table, severity: Severity) -> Row | None:
    conditions = table.one_or_each_parsed("when", _subject)
    goals = table.one_or_each_parsed(KEY, parse_goal)
    own = Severity(table.choice("severity", [*Severity], severity))
    _check_goals(table, goals)
    table.finish()
    if len(conditions) != 1 and table.faulty("when"):
        return None
    if len(conditions) != 1:
        table.note("when", "a row has one `when`: the subject and its range")
        return None
    return Row(conditions=conditions, goals=goals, severity=own)


def _subject(text: str) -> Condition:
    condition = parse_goal(text)
    if not isinstance(condition, Installed) or condition.member.single is None:
        raise ExpressionError("a row's `when` is one distribution and its range", 0)
    return condition


def _check_goals(table: Table, goals: Iterable[Goal]) -> None:
    for goal in goals:
        if isinstance(goal, Installed) and not goal.member.specifier:
            table.note(KEY, f"`{goal}` has no range: `needs` asks that something is installed")


def reach(goal: Goal, lens: Lens) -> Iterable[tuple[Distribution, Truth]]:
    """Yield each installed record that a goal is about, and whether it is reached."""
    match goal:
        case Installed(member=member):
            for record in lens.named(member):
                yield record, lens.within(member.specifier, record)
        case FactIs(member=member):
            for record, truth in lens.meant(member):
                yield record, both((truth, has_fact(goal, record, lens)))


def describe(goal: Goal, record: Distribution, lens: Lens) -> str:
    """Say what stands in place of a goal."""
    match goal:
        case Installed():
            return f"`{record.label}` is installed"
        case FactIs(fact=fact):
            match lens.fact(fact, record):
                case Known(value=value):
                    return f"that of `{record.label}` is {value}"
                case Unknown() | Absent():
                    return f"`{record.label}` is installed"


def _worse(one: Truth, other: Truth) -> Truth:
    """Return the doubt of either; a goal that is surely missed under sure conditions is false."""
    return next((truth for truth in (one, other) if isinstance(truth, Unknown)), False)


def _subjects(conditions: Iterable[Condition], lens: Lens) -> tuple[Distribution, ...]:
    records = (record for condition in conditions for record in in_question(condition, lens))
    return tuple(dict.fromkeys(records))


def _members(conditions: Iterable[Condition], goals: Iterable[Goal]) -> tuple[Member, ...]:
    members = (named_by(condition) for condition in (*conditions, *goals))
    return tuple(member for member in members if member is not None)


def _subject_of(row: Row) -> Member:
    """Return whom a row of a table is about; ``_subject`` has seen to it that there is one."""
    (member,) = _members(row.conditions, ())
    return member


def _row_meets(row: Row, names: frozenset[str]) -> bool:
    def met(member: Member) -> bool:
        return any(member.covers(name) for name in names)

    needed = _members(row.conditions, ())
    goals = _members((), row.goals)
    return all(met(member) for member in needed) and (
        not goals or any(met(member) for member in goals)
    )
