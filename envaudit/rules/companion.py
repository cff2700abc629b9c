"""The rule kind ``companion``: where these are installed, this one must be too.

    when = ["transformers<5", "tensorflow>=2.16"]
    needs = "tf-keras"

The only kind that asks for presence.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from envaudit.model.fact import Unknown
from envaudit.model.finding import Explanation, Finding, Place, Remedy, Severity
from envaudit.rules.condition import Condition, holds, in_question, named_by
from envaudit.rules.lens import Lens, Truth, both, either
from envaudit.rules.member import Member, can_admit, parse_member
from envaudit.rules.modified import read_conditions, read_severity
from envaudit.rules.table import Table
from envaudit.rules.wish import Wish, grant, read_wishes

KEY = "needs"
CODE = "companion"

EXPLANATION = Explanation(
    code=CODE,
    meaning=(
        "A policy says that what is installed here needs a companion, and that is not installed, "
        "or not in the range that is needed."
    ),
    why=(
        "It is needed only in this combination, so no metadata asks for it, and its absence shows "
        "at run time."
    ),
    repair="Run `envaudit fix`: it installs the companion, if uv finds one that fits.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Companion:
    """One table of this kind."""

    conditions: tuple[Condition, ...]
    needs: tuple[Member, ...]
    severity: Severity
    wishes: tuple[Wish, ...] = ()

    @classmethod
    def from_table(cls, table: Table) -> "Companion | None":
        """Build it from a rule's table."""
        conditions = read_conditions(table)
        needs = table.one_or_each_parsed(KEY, parse_member)
        if not conditions and not table.faulty("when"):
            table.note(KEY, "`when` is missing: what needs it?")
        members = [member for item in conditions if (member := named_by(item)) is not None]
        return cls(
            conditions=conditions,
            needs=needs,
            severity=read_severity(table),
            wishes=read_wishes(table, (*members, *needs)),
        )

    @property
    def _members(self) -> tuple[Member, ...]:
        members = (named_by(condition) for condition in self.conditions)
        return tuple(member for member in members if member is not None)

    @property
    def ranges(self) -> tuple[Member, ...]:
        """Whom it speaks of, the companions last."""
        return (*self._members, *self.needs)

    @property
    def summary(self) -> str:
        """The rule on one line."""
        when = " and ".join(str(condition) for condition in self.conditions)
        return f"{when} needs {' and '.join(str(member) for member in self.needs)}"

    @property
    def details(self) -> tuple[str, ...]:
        """What it says beyond that, a line each."""
        return (f"severity: {self.severity.value}",)

    def meets(self, names: frozenset[str]) -> bool:
        """Return whether everything that needs a companion is installed."""
        return all(any(member.covers(name) for name in names) for member in self._members)

    def impossible(self) -> str | None:
        """Return why nothing can ever match."""
        members = (*self._members, *self.needs)
        never = next((member for member in members if not can_admit(member.specifier)), None)
        return None if never is None else f"no version is in the range of `{never}`"

    def judge(self, lens: Lens) -> tuple[Finding, ...]:
        """Return a finding for each companion that is missing."""
        truth = both(holds(condition, lens) for condition in self.conditions)
        if truth is False:
            return ()
        return tuple(self._missing(truth, lens))

    def _missing(self, truth: Truth, lens: Lens) -> Iterable[Finding]:
        for need in self.needs:
            records = lens.named(need)
            there = either(lens.within(need.specifier, record) for record in records)
            if there is True:
                continue
            doubt = next((item for item in (truth, there) if isinstance(item, Unknown)), None)
            subjects = dict.fromkeys(
                record for item in self.conditions for record in in_question(item, lens)
            )
            who = " with ".join(f"`{record.label}`" for record in subjects) or "this environment"
            instead = " and ".join(f"`{record.label}`" for record in records)
            what = f"and {instead} is installed" if records else "which is not installed"
            message = f"{who} needs `{need}`, {what}"
            yield Finding(
                code=CODE,
                severity=Severity.INFO if doubt else self.severity,
                distributions=tuple(
                    sorted({record.name for record in (*subjects, *records)} | _single(need))
                ),
                message=f"{message}; that is not known: {doubt.reason}" if doubt else message,
                evidence=(f"the rule: {self.summary}",),
                remedies=() if doubt else self._remedies(need, lens),
            )

    def _remedies(self, need: Member, lens: Lens) -> tuple[Remedy, ...]:
        if self.wishes:
            return grant(
                self.wishes,
                lens,
                lambda name, up: need.specifier if need.covers(name) else None,  # noqa: ARG005 - either way into the range
            )
        if need.single is None:
            return ()
        return (Place(name=need.single, specifier=need.specifier, up=True),)


def _single(member: Member) -> set[str]:
    return set() if member.single is None else {member.single}
