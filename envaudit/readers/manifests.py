"""One RECORD to the places that it lists: inside its site directory, elsewhere in the environment.

Places are made of text alone: a row is normalised, never resolved, and one that leaves the
environment (``../../../../etc/passwd``, ``/etc/passwd``) is a fault, and no place.
"""

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from envaudit.doors.disk import AbsentError, DiskError, Folder, open_folder
from envaudit.model.distribution import Distribution
from envaudit.model.files import Manifest, ManifestState, RowFault
from envaudit.readers.rows import LIMIT_BYTES, LIMIT_FAULTS, Rows, read_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What one RECORD lists."""

    name: str
    """Of the metadata folder: ``x-1.dist-info``."""
    manifest: Manifest
    inside: Sequence[str] = ()
    """Paths from the site directory."""
    outside: Sequence[str] = ()
    """Paths from the environment, of what lies in it and not in the site directory: scripts."""


def list_manifest(site: Folder, where: str, name: str) -> Listing:
    """List the RECORD of the metadata folder ``name`` in ``site``, which is called ``where``."""
    folder = f"{where}/{name}"
    try:
        content = site.read_below(f"{name}/RECORD", limit=LIMIT_BYTES)
    except AbsentError:
        return Listing(name=name, manifest=Manifest(folder=folder, state=ManifestState.ABSENT))
    except DiskError as error:
        manifest = Manifest(folder=folder, state=ManifestState.UNREADABLE, reason=error.reason)
        return Listing(name=name, manifest=manifest)
    if not content:  # what a full disk leaves; no installer can use it, like none
        manifest = Manifest(folder=folder, state=ManifestState.ABSENT, reason="is empty")
        return Listing(name=name, manifest=manifest)
    rows = read_rows(content, digests=False)
    manifest = Manifest(
        folder=folder,
        rows=len(rows.paths),
        unhashed=rows.unhashed,
        faults=rows.faults,
        fault_count=rows.fault_count,
    )
    return _place(Listing(name=name, manifest=manifest, inside=rows.paths), rows, where)


def list_paths(root: Path, record: Distribution) -> frozenset[str]:
    """Return what the RECORD of ``record`` lists, relative to the environment at ``root``.

    Nothing where there is no RECORD, or it cannot be read.
    """
    where, _, name = record.folder.rpartition("/")
    try:
        with open_folder(root) as environment, environment.folder_below(where) as site:
            listing = list_manifest(site, where, name)
    except DiskError:
        return frozenset()
    return frozenset((*(f"{where}/{path}" for path in listing.inside), *listing.outside))


def _place(listing: Listing, rows: Rows, where: str) -> Listing:
    """Tell paths inside the site directory from those elsewhere, and from those outside of all."""
    odd = frozenset(path for path in rows.paths if is_odd(path)) if rows.odd else frozenset()
    if not odd:
        return listing
    inside = [path for path in rows.paths if path not in odd]
    outside: list[str] = []
    escapes: list[RowFault] = []
    for line, path in enumerate(rows.paths, 1):
        if path not in odd:
            continue
        place = normalise(where, path)
        if place is None:
            reason = f"names `{path}`, which is no file inside the environment"
            escapes.append(RowFault(line=line, reason=reason))
        elif place.startswith(f"{where}/"):
            inside.append(place.removeprefix(f"{where}/"))
        else:
            outside.append(place)
    manifest = replace(
        listing.manifest,
        faults=(*listing.manifest.faults, *escapes)[:LIMIT_FAULTS],
        fault_count=listing.manifest.fault_count + len(escapes),
    )
    return replace(listing, manifest=manifest, inside=inside, outside=outside)


def is_odd(path: str) -> bool:
    """Return whether ``path`` may be another spelling of a path, or lead out of its folder."""
    return path[0] in "./" or "/." in path or "//" in path


def normalise(where: str, path: str) -> str | None:
    """Return the place, from the environment, of a row of a RECORD in the site directory ``where``.

    ``None``: it lies outside of the environment, or is a folder that the site directory lies in.
    """
    if path.startswith("/"):
        return None
    place = posixpath.normpath(f"{where}/{path}")
    if place in {".", ".."} or place.startswith("../") or f"{where}/".startswith(f"{place}/"):
        return None
    # lib64 is a link to lib in virtual environments: a wheel for it is installed into lib.
    head, slash, rest = place.partition("/")
    if head == "lib64" and not where.startswith("lib64/"):
        return f"lib{slash}{rest}"
    return place


def read_digests(site: Folder, where: str, name: str) -> Mapping[str, str]:
    """Return the digests that the RECORD of ``name`` lists, by place from the environment.

    A path without a digest is left out.
    """
    try:
        content = site.read_below(f"{name}/RECORD", limit=LIMIT_BYTES)
    except DiskError:
        return {}
    rows = read_rows(content, digests=True)
    found: dict[str, str] = {}
    for path, digest in zip(rows.paths, rows.digests, strict=True):
        place = normalise(where, path) if is_odd(path) else f"{where}/{path}"
        if digest and place is not None:
            found[place] = digest
    return found
