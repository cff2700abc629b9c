"""An environment as a plan would leave it: its distributions, and how its files would stand.

Pure. What a wheel brings is not known here; it is taken for sound, which is what a wheel is.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from packaging.utils import canonicalize_name
from packaging.version import Version

from envaudit.model.declared import parse_version
from envaudit.model.distribution import PLANNED, Distribution
from envaudit.model.files import Contested, Files, Manifest
from envaudit.model.inspection import Inspection
from envaudit.model.layout import Scope
from envaudit.model.plan import Move
from envaudit.model.record_name import parse_record_name
from envaudit.model.snapshot import Snapshot


def project(
    snapshot: Snapshot,
    moves: Iterable[Move],
    baseline: Snapshot | None,
    *,
    cleared: tuple[str, ...] = (),
    described: Iterable[Distribution] = (),
) -> Snapshot:
    """Return ``snapshot`` as ``moves`` would leave it; ``cleared``: paths that go before.

    ``described``: incoming distributions of which an installer tells more than the version.

    What an incoming distribution requires is known only where the snapshot or the baseline holds
    that very version; else the resolver has guaranteed it, and it is not judged.
    """
    moving = {move.name: move for move in moves}
    kept = [
        record
        for record in snapshot.distributions
        if record.name not in moving and record.folder not in cleared
    ]
    known = {record.name: record for record in described}
    kept += [
        known.get(move.name) or _settled(_incoming(move, snapshot, baseline), cleared)
        for move in moving.values()
        if move.after is not None or not move.known
    ]
    return replace(
        snapshot,
        distributions=tuple(sorted(kept, key=lambda record: (record.name, record.folder))),
        # An installer that replaces a distribution removes it from all of its site directories.
        shadowed=tuple(
            record
            for record in snapshot.shadowed
            if record.scope is not Scope.OWN
            or (record.name not in moving and record.folder not in cleared)
        ),
        unreadable=tuple(
            part
            for part in snapshot.unreadable
            if part.folder not in cleared and stated_name(part.folder) not in moving
        ),
        remnants=tuple(remnant for remnant in snapshot.remnants if remnant.folder not in cleared),
        hooks=tuple(
            hook
            for hook in snapshot.hooks
            if hook.path not in cleared and not _goes(hook.owner, moving)
        ),
    )


def seen_versions(snapshot: Snapshot) -> Mapping[str, frozenset[Version | None] | None]:
    """Return by name the versions at which ``snapshot`` has a distribution.

    A record's own name counts like its metadata, since installers go by either. ``None``: a record
    of that name could not be read, or says no version.
    """
    seen: dict[str, set[Version | None]] = {}
    unsure = {stated_name(part.folder) for part in snapshot.unreadable}
    for record in snapshot.distributions:
        stated = parse_record_name(record.folder.rpartition("/")[2])
        pairs = [(record.name, record.version)]
        if stated is not None and stated.name is not None:
            pairs.append((canonicalize_name(stated.name), stated.version or record.version))
        for name, version in pairs:
            seen.setdefault(name, set()).add(parsed := parse_version(version))
            if parsed is None:
                unsure.add(name)
    known = {name: frozenset(versions) for name, versions in seen.items()}
    return {**known, **{name: None for name in unsure if name is not None}}


def leaving(moves: Iterable[Move]) -> frozenset[str]:
    """Return the names that ``moves`` remove."""
    return frozenset(move.name for move in moves if move.after is None and move.known)


def _goes(name: str | None, moving: Mapping[str, Move]) -> bool:
    move = None if name is None else moving.get(name)
    return move is not None and move.after is None and move.known


def _incoming(move: Move, snapshot: Snapshot, baseline: Snapshot | None) -> Distribution:
    sources = (*snapshot.distributions, *(baseline.distributions if baseline else ()))
    for record in sources:
        if record.name == move.name and record.version == move.after:
            # An installer takes no wheel but one that this interpreter accepts.
            return replace(record, tags=snapshot.interpreter.tags, editable=None)
    return Distribution(
        name=move.name,
        spelling=move.name,
        version=move.after or "",
        folder=f"{PLANNED}{move.name}",
        requires=None,
    )


def _settled(record: Distribution, cleared: tuple[str, ...]) -> Distribution:
    """Return an incoming record under the name that an installer gives it, if its own goes."""
    if record.folder not in cleared:
        return record
    name = record.name.replace("-", "_")
    return replace(record, folder=f"{record.site}/{name}-{record.version}.dist-info")


def stated_name(folder: str) -> str | None:
    """Return the normalised name that the record ``folder`` states in its own name."""
    stated = parse_record_name(folder.rpartition("/")[2])
    return None if stated is None or stated.name is None else canonicalize_name(stated.name)


def project_files(
    files: Files, snapshot: Snapshot, moves: Iterable[Move], *, cleared: tuple[str, ...] = ()
) -> Files:
    """Return ``files`` of ``snapshot`` as ``moves`` would leave them; ``cleared``: see ``project``.

    Order matters: what is uninstalled takes contested files with it, and of them only those come
    back that belong to something installed afterwards.
    """
    moving = {move.name: move for move in moves}
    names = {record.folder: record.name for record in snapshot.distributions}
    owners = {
        one.folder: names.get(one.folder) or stated_name(one.folder) for one in files.manifests
    }
    gone = frozenset(folder for folder, name in owners.items() if name in moving)
    returning = frozenset(
        folder for folder in gone if (name := owners[folder]) and moving[name].after is not None
    )
    taken = _taken(files.contested, gone, returning)
    manifests = [
        replace(one, missing=tuple(sorted({*one.missing, *taken.get(one.folder, ())})))
        for one in files.manifests
        if one.folder not in gone and one.folder not in cleared
    ]
    manifests += [
        _sound(one)
        for one in files.manifests
        if one.folder in returning and _stays(one, owners, moving)
    ]
    remaining = frozenset(one.folder for one in manifests)
    left = gone - remaining  # uninstalled, or there in another version, of which nothing is known
    return replace(
        files,
        manifests=tuple(sorted(manifests, key=lambda one: one.folder)),
        contested=tuple(
            contest
            for one in files.contested
            if len((contest := _among(_written(one, returning), remaining)).claims) > 1
        ),
        modules=tuple(one for one in files.modules if not _left(one.owners, left)),
        orphans=tuple(one for one in files.orphans if not _is_cleared(one.path, cleared)),
        foreign=tuple(
            one
            for one in files.foreign
            if not _left(one.owners, gone) and not _is_cleared(one.path, cleared)
        ),
        generated=tuple(one for one in files.generated if one.folder not in left),
        inspection=None if files.inspection is None else _without(files.inspection, gone),
    )


def _without(inspection: Inspection, gone: frozenset[str]) -> Inspection:
    """Return what was found in the files of what stays: an install writes all others anew."""
    return replace(
        inspection,
        tallies=tuple(one for one in inspection.tallies if one.record not in gone),
        bytecode=tuple(one for one in inspection.bytecode if one.record not in gone),
    )


def _written(one: Contested, returning: frozenset[str]) -> Contested:
    """Return a contested path as installing leaves it: with the file of the one that comes back.

    Of several that come back, nobody knows which is written last.
    """
    back = [claim for claim in one.claims if claim.folder in returning]
    if not back:
        return one
    last = back[0].digest if len(back) == 1 else None
    claims = tuple(
        replace(
            claim,
            stands=None if last is None or claim.digest is None else claim.digest == last,
        )
        for claim in one.claims
    )
    return replace(one, claims=claims)


def _left(owners: tuple[str, ...], gone: frozenset[str]) -> bool:
    """Return whether something belonged to what goes, and to nothing else."""
    return bool(owners) and gone.issuperset(owners)


def _is_cleared(path: str, cleared: tuple[str, ...]) -> bool:
    return any(path == one or path.startswith(f"{one}/") for one in cleared)


def _taken(
    contested: Iterable[Contested], gone: frozenset[str], returning: frozenset[str]
) -> Mapping[str, set[str]]:
    """Return, by record, the paths that what goes takes with it and that nothing brings back."""
    taken: dict[str, set[str]] = {}
    for one in contested:
        claimants = {claim.folder for claim in one.claims}
        if claimants & gone and not claimants & returning:
            for folder in claimants:
                taken.setdefault(folder, set()).add(one.path)
    return taken


def _stays(one: Manifest, owners: Mapping[str, str | None], moving: Mapping[str, Move]) -> bool:
    """Return whether a record that is installed again is the one at the version that comes."""
    stated = parse_record_name(one.folder.rpartition("/")[2])
    name = owners[one.folder]
    if name is None or stated is None or stated.version is None:
        return False
    after = moving[name].after
    return after is not None and parse_version(stated.version) == parse_version(after)


def _sound(one: Manifest) -> Manifest:
    return Manifest(folder=one.folder, rows=one.rows, top_level=one.top_level)


def _among(one: Contested, remaining: frozenset[str]) -> Contested:
    return replace(one, claims=tuple(claim for claim in one.claims if claim.folder in remaining))
