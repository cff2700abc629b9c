"""The rule kind ``exclusive``: at most one of these is installed.

    exclusive = ["onnxruntime", "onnxruntime-gpu", "onnxruntime-directml"]
    keep = "onnxruntime-gpu"

A member that itself requires another one is no rival of it (``tensorflow`` and
``tensorflow-intel``). Which one to keep may hang on a condition, ``cuda(torch) == 12``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from envaudit.model.distribution import Distribution
from envaudit.model.fact import Unknown
from envaudit.model.finding import Explanation, Finding, Keep, Remedy, Severity
from envaudit.rules.condition import Condition, holds
from envaudit.rules.lens import Lens, Truth, both
from envaudit.rules.member import Member, can_admit, parse_member, parse_name
from envaudit.rules.modified import read_conditions, read_severity
from envaudit.rules.table import Table
from envaudit.rules.wish import Wish, grant, read_wishes

KEY = "exclusive"
CODE = "exclusive"
_MOST_KEEPS = 50

EXPLANATION = Explanation(
    code=CODE,
    meaning=(
        "A policy says that at most one of these distributions may be installed, and there are "
        "several."
    ),
    why=(
        "They bring the same modules or files: the one that was installed last has overwritten the "
        "other, and uninstalling either of them takes files away from both."
    ),
    repair=(
        "Run `envaudit fix`: it uninstalls the one and then reinstalls the other. In the other "
        "order, files would be missing."
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which one to keep, if the conditions hold."""

    conditions: tuple[Condition, ...]
    name: str

    def __str__(self) -> str:
        """Say it on one line."""
        conditions = " and ".join(str(condition) for condition in self.conditions)
        return f"{self.name}, when {conditions}" if conditions else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusive:
    """One table of this kind."""

    rivals: tuple[Member, ...]
    severity: Severity
    choices: tuple[Choice, ...] = ()
    wishes: tuple[Wish, ...] = ()

    @classmethod
    def from_table(cls, table: Table) -> "Exclusive | None":
        """Build it from a rule's table."""
        rivals = table.each_parsed(KEY, parse_member)
        choices = _read_choices(table)
        for choice in choices:
            if rivals and not any(rival.covers(choice.name) for rival in rivals):
                table.note("keep", f"`{choice.name}` is not one of `{KEY}`")
        few = len(rivals) < 2 and not any(_is_several(rival) for rival in rivals)  # noqa: PLR2004 - a rival needs another
        if few and not table.faulty(KEY):
            table.note(KEY, "at least two are needed, or a pattern")
        return cls(
            rivals=rivals,
            severity=read_severity(table),
            choices=choices,
            wishes=read_wishes(table, rivals),
        )

    @property
    def ranges(self) -> tuple[Member, ...]:
        """Whom it speaks of."""
        return self.rivals

    @property
    def summary(self) -> str:
        """The rule on one line."""
        return f"at most one of {', '.join(str(rival) for rival in self.rivals)}"

    @property
    def details(self) -> tuple[str, ...]:
        """What it says beyond that, a line each."""
        return (
            *(f"keep: {choice}" for choice in self.choices),
            f"severity: {self.severity.value}",
        )

    def meets(self, names: frozenset[str]) -> bool:
        """Return whether any of them is installed."""
        return bool(names)

    def impossible(self) -> str | None:
        """Return why nothing can ever match."""
        possible = [rival for rival in self.rivals if can_admit(rival.specifier)]
        impossible = next((rival for rival in self.rivals if rival not in possible), None)
        return None if impossible is None else f"no version is in the range of `{impossible}`"

    def judge(self, lens: Lens) -> tuple[Finding, ...]:
        """Return one finding where several are installed that are rivals."""
        meant: dict[str, tuple[Distribution, Truth]] = {}
        for rival in self.rivals:
            for record, truth in lens.meant(rival):
                meant.setdefault(record.name, (record, truth))
        allied = {(need.dependent.name, need.name) for need in lens.subject.needs}
        names = [
            name
            for name in meant
            if any(
                (name, other) not in allied and (other, name) not in allied
                for other in meant
                if other != name
            )
        ]
        if not names:
            return ()
        truth = both(meant[name][1] for name in names)
        records = [meant[name][0] for name in names]
        *head, last = (f"`{record.label}`" for record in records)
        message = f"{', '.join(head)} and {last} exclude each other"
        if isinstance(truth, Unknown):
            message = f"whether {', '.join(head)} and {last} exclude each other is not known: "
            message += truth.reason
        known = not isinstance(truth, Unknown)
        return (
            Finding(
                code=CODE,
                severity=self.severity if known else Severity.INFO,
                distributions=tuple(sorted(names)),
                message=message,
                evidence=(f"the rule: {self.summary}",),
                remedies=self._remedies(records, lens) if known else (),
            ),
        )

    def _remedies(self, records: Sequence[Distribution], lens: Lens) -> tuple[Remedy, ...]:
        if self.wishes:
            return grant(self.wishes, lens, lambda name, up: None)  # noqa: ARG005 - no range ends it
        kept = records if not self.choices else self._kept(records, lens)
        names = {record.name for record in records}
        return tuple(
            Keep(
                name=record.name,
                version=record.version,
                losers=tuple(sorted(names - {record.name})),
            )
            for record in kept
        )

    def _kept(self, records: Sequence[Distribution], lens: Lens) -> Sequence[Distribution]:
        """Return the one to keep: of the first choice that holds; none, where that is not known."""
        for choice in self.choices:
            match both(holds(condition, lens) for condition in choice.conditions):
                case True:
                    return [record for record in records if record.name == choice.name]
                case Unknown():
                    return ()
                case False:
                    continue
        return ()


def _is_several(member: Member) -> bool:
    return member.single is None


def _read_choices(table: Table) -> tuple[Choice, ...]:
    """Read ``keep``: a name, or rows of a condition and a name."""
    if not table.is_array("keep"):
        return tuple(
            Choice(conditions=(), name=name)
            for name in table.one_or_each_parsed("keep", parse_name)
        )
    choices: list[Choice] = []
    for row in table.tables("keep", most=_MOST_KEEPS):
        conditions = read_conditions(row)
        name = row.parsed("name", parse_name)
        row.finish()
        if name is not None:
            choices.append(Choice(conditions=conditions, name=name))
    return tuple(choices)
