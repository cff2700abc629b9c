"""What envaudit suspects by itself, from a baseline, where no policy says anything."""

from collections.abc import Mapping
from dataclasses import replace

from packaging.utils import canonicalize_name

from envaudit.model.declared import (
    holds,
    named_extras,
    needed_by_one_extra,
    parse_requirement,
    unknown_marker,
)
from envaudit.model.distribution import Distribution
from envaudit.model.snapshot import Snapshot
from envaudit.model.subject import Family


def families(baseline: Snapshot) -> tuple[Family, ...]:
    """Return the siblings of a baseline: same source repository, same version, two or more.

    The same siblings by two repositories are one family.
    """
    groups: dict[tuple[str, str], set[str]] = {}
    for record in baseline.distributions:
        for repository in record.repositories:
            groups.setdefault((repository, record.version), set()).add(record.name)
    families: dict[tuple[str, ...], Family] = {}
    for (repository, version), members in sorted(groups.items()):
        if len(members) > 1:
            names = tuple(sorted(members))
            families.setdefault(
                names, Family(repository=repository, version=version, members=names)
            )
    return tuple(families.values())


def with_active_extras(snapshot: Snapshot) -> Snapshot:
    """Return ``snapshot`` with, for each distribution, the extras that look active.

    An extra looks active when every distribution that it alone requires is installed. Nothing
    records which extras were asked for, so this is inferred, and kept apart from what is read.
    """
    installed = frozenset(record.name for record in snapshot.distributions)
    markers = snapshot.interpreter.marker_values()
    return replace(
        snapshot,
        distributions=tuple(
            replace(record, active_extras=_active_extras(record, installed, markers))
            for record in snapshot.distributions
        ),
    )


def _active_extras(
    record: Distribution, installed: frozenset[str], markers: Mapping[str, str]
) -> tuple[str, ...]:
    required: dict[str, set[str]] = {}
    conditional: list[str] = []
    for text in record.requires or ():
        if "extra" not in text:
            continue
        plain = needed_by_one_extra(text)
        if plain is None:
            conditional.append(text)
        else:
            required.setdefault(plain[1], set()).add(plain[0])
    for text in conditional:
        named = {extra for extra in named_extras(text) if required.get(extra, set()) <= installed}
        requirement = parse_requirement(text) if named else None
        if requirement is None or unknown_marker(requirement, markers) is not None:
            continue
        if holds(requirement, markers, None):
            continue
        for extra in named:
            if holds(requirement, markers, extra):
                required.setdefault(extra, set()).add(canonicalize_name(requirement.name))
    return tuple(extra for extra in record.extras if required.get(extra, {""}) <= installed)
