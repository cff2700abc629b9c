"""Rules that nobody has written yet: siblings that metadata does not tie to each other."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from packaging.utils import canonicalize_name

from envaudit.core import infer
from envaudit.model.declared import parse_requirement
from envaudit.model.policy import Policy
from envaudit.model.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """Siblings that stood at one version in every snapshot, one for each tied group of them."""

    repository: str
    members: tuple[str, ...]
    """Normalised names, sorted."""
    versions: tuple[str, ...]
    """Their common version in each snapshot, in the order given."""

    @property
    def moved(self) -> bool:
        """Whether they were seen to move: what never moved has not been seen to move together."""
        return len(set(self.versions)) > 1


def suggest(snapshots: Sequence[Snapshot], policies: Iterable[Policy]) -> tuple[Suggestion, ...]:
    """Return what could be rules: siblings through all ``snapshots`` that no rule covers."""
    families = [
        {
            (family.repository, frozenset(family.members)): family.version
            for family in infer.families(snapshot)
        }
        for snapshot in snapshots
    ]
    rules = [rule for policy in policies for rule in policy.rules]
    found: list[Suggestion] = []
    for repository, members in _common(families):
        loose = _representatives(members, snapshots)
        if len(loose) < 2 or any(  # noqa: PLR2004 - a rule needs two
            rule.kind.spoken_of(loose) == frozenset(loose) for rule in rules
        ):
            continue
        versions = tuple(_version(loose[0], snapshot) for snapshot in snapshots)
        found.append(Suggestion(repository=repository, members=loose, versions=versions))
    return tuple(sorted(found, key=lambda item: (item.repository, item.members)))


_Families = dict[tuple[str, frozenset[str]], str]


def _common(families: Sequence[_Families]) -> Iterable[tuple[str, frozenset[str]]]:
    """Yield the largest sets of siblings that stand together in every snapshot."""
    first, *others = families
    sets = set(first)
    for other in others:
        sets = {
            (repository, both)
            for repository, members in sets
            for its_repository, its_members in other
            if repository == its_repository and len(both := members & its_members) > 1
        }
    yield from sorted(sets, key=lambda item: (item[0], sorted(item[1])))


def _version(name: str, snapshot: Snapshot) -> str:
    return snapshot.by_name()[name][0].version


def _representatives(members: frozenset[str], snapshots: Sequence[Snapshot]) -> tuple[str, ...]:
    """Return one name of each group that exact requirements tie together in every snapshot."""
    groups = {name: {name} for name in members}
    ties = [_ties(members, snapshot) for snapshot in snapshots]
    for one, other in sorted(frozenset.intersection(*ties)):
        if groups[one] is not groups[other]:
            groups[one] |= groups[other]
            for name in groups[other]:
                groups[name] = groups[one]
    return tuple(sorted({min(group) for group in groups.values()}))


def _ties(members: frozenset[str], snapshot: Snapshot) -> frozenset[tuple[str, str]]:
    """Return the pairs of which one requires the other in an exact version."""
    return frozenset(
        (record.name, name)
        for record in snapshot.distributions
        if record.name in members
        for text in record.requires or ()
        if (requirement := parse_requirement(text)) is not None
        if (name := canonicalize_name(requirement.name)) in members
        if requirement.marker is None or "extra" not in str(requirement.marker)
        if any(clause.operator in {"==", "==="} for clause in requirement.specifier)
    )
