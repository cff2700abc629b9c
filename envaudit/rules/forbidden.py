"""The rule kind ``forbidden``: this must not be installed.

forbid = ["enum34", "dataclasses"]
when = 'python_version >= "3.7"'
"""

from dataclasses import dataclass

from envaudit.model.distribution import Distribution
from envaudit.model.fact import Unknown
from envaudit.model.finding import Explanation, Finding, Place, Remedy, Remove, Severity
from envaudit.rules.lens import Lens, Truth
from envaudit.rules.member import Member, beyond, can_admit, parse_member
from envaudit.rules.modified import read_severity
from envaudit.rules.table import Table
from envaudit.rules.wish import Wish, grant, read_wishes

KEY = "forbid"
CODE = "forbidden"

EXPLANATION = Explanation(
    code=CODE,
    meaning="A policy says that this distribution, or this release of it, must not be installed.",
    why=(
        "It breaks others by being there: it shadows a module of the standard library, is known to "
        "be bad, or is ruled out by whoever wrote the policy."
    ),
    repair="Run `envaudit fix`: it uninstalls it, or moves it out of the range that is ruled out.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forbidden:
    """One table of this kind."""

    forbidden: tuple[Member, ...]
    severity: Severity
    wishes: tuple[Wish, ...] = ()

    @classmethod
    def from_table(cls, table: Table) -> "Forbidden | None":
        """Build it from a rule's table."""
        forbidden = table.one_or_each_parsed(KEY, parse_member)
        return cls(
            forbidden=forbidden,
            severity=read_severity(table),
            wishes=read_wishes(table, forbidden),
        )

    @property
    def ranges(self) -> tuple[Member, ...]:
        """Whom it speaks of."""
        return self.forbidden

    @property
    def summary(self) -> str:
        """The rule on one line."""
        return f"none of {', '.join(str(member) for member in self.forbidden)}"

    @property
    def details(self) -> tuple[str, ...]:
        """What it says beyond that, a line each."""
        return (f"severity: {self.severity.value}",)

    def meets(self, names: frozenset[str]) -> bool:
        """Return whether any of them is installed."""
        return bool(names)

    def impossible(self) -> str | None:
        """Return why nothing can ever match."""
        never = next((item for item in self.forbidden if not can_admit(item.specifier)), None)
        return None if never is None else f"no version is in the range of `{never}`"

    def judge(self, lens: Lens) -> tuple[Finding, ...]:
        """Return a finding for each that is installed."""
        return tuple(
            self._finding(record, member, truth, lens)
            for member in self.forbidden
            for record, truth in lens.meant(member)
        )

    def _finding(self, record: Distribution, member: Member, truth: Truth, lens: Lens) -> Finding:
        evidence = (f"the rule: {self.summary}",)
        if isinstance(truth, Unknown):
            return Finding(
                code=CODE,
                severity=Severity.INFO,
                distributions=(record.name,),
                message=f"whether `{record.label}` is forbidden is not known: {truth.reason}",
                evidence=evidence,
            )
        return Finding(
            code=CODE,
            severity=self.severity,
            distributions=(record.name,),
            message=f"`{record.label}` must not be installed",
            evidence=evidence,
            remedies=self._remedies(record, member, lens),
        )

    def _remedies(self, record: Distribution, member: Member, lens: Lens) -> tuple[Remedy, ...]:
        if self.wishes:
            return grant(self.wishes, lens, lambda _, up: beyond(member.specifier, up=up))
        if not member.specifier:
            return (Remove(name=record.name),)
        return tuple(
            Place(name=record.name, specifier=outside, up=up)
            for up in (True, False)
            if (outside := beyond(member.specifier, up=up)) is not None
        )
