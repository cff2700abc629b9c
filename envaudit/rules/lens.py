"""What one rule sees of a subject: its members' records, their facts, and what is not known."""

from collections.abc import Iterable
from dataclasses import dataclass

from envaudit.model.distribution import Distribution
from envaudit.model.fact import Fact, Unknown, informs, is_commit, parse, read_fact
from envaudit.model.pattern import matches
from envaudit.model.subject import Subject
from envaudit.rules.member import Member, admits

Truth = bool | Unknown
"""Whether something holds; what cannot be known carries its reason."""


def both(truths: Iterable[Truth]) -> Truth:
    """Return whether all hold: one that does not decides, whatever the others are."""
    found = tuple(truths)
    if any(truth is False for truth in found):
        return False
    return next((truth for truth in found if isinstance(truth, Unknown)), True)


def either(truths: Iterable[Truth]) -> Truth:
    """Return whether one holds at least: one that does decides, whatever the others are."""
    found = tuple(truths)
    if any(truth is True for truth in found):
        return True
    return next((truth for truth in found if isinstance(truth, Unknown)), False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lens:
    """A subject, as one rule looks at it."""

    subject: Subject
    skip: tuple[str, ...] = ()
    """Patterns of versions that carry no information."""
    excluded: tuple[str, ...] = ()
    """Names and patterns that the rule leaves alone."""

    def named(self, member: Member) -> tuple[Distribution, ...]:
        """Return the installed records that ``member`` names, in whatever version, by name."""
        installed = self.subject.installed
        if member.single is not None:
            names: Iterable[str] = member.names
        else:
            names = sorted(name for name in installed if member.covers(name))
        return tuple(
            record
            for name in names
            if not any(matches(pattern, name) for pattern in self.excluded)
            for record in installed.get(name, ())
        )

    def within(self, specifier: str, record: Distribution) -> Truth:
        """Return whether a range admits a record's version."""
        if not specifier:
            return True
        nothing = informs(record.version, self.skip)
        if nothing is not None:
            return Unknown(reason=nothing)
        version = parse(record.version)
        if version is not None and is_commit(version.local):
            return Unknown(
                reason=f"the label of version `{record.version}` is a commit: built by hand"
            )
        admitted = admits(specifier, record.version)
        if admitted is None:
            return Unknown(
                reason=f"nobody knows whether `{record.version}` counts as `{specifier}`"
            )
        return admitted

    def meant(self, member: Member) -> tuple[tuple[Distribution, Truth], ...]:
        """Return the records that ``member`` means or may mean: none outside its range."""
        return tuple(
            (record, truth)
            for record in self.named(member)
            if (truth := self.within(member.specifier, record)) is not False
        )

    def fact(self, fact: str, record: Distribution) -> Fact:
        """Read a fact of a record."""
        return read_fact(
            fact, record, skip=self.skip, interpreter=self.subject.snapshot.interpreter
        )
