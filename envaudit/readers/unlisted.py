"""Whose modules those may be that no RECORD lists: of records that have no list of their files.

An ``.egg-info``, or a ``.dist-info`` without RECORD, owns modules all the same. ``top_level.txt``
names them; without it, the distribution's own name is the best guess. Where only some rows of a
RECORD cannot be read, no guess is made: the others tell what is owned, and a broken row hides
nothing.
"""

from collections.abc import Iterable

from envaudit.doors.disk import DiskError, Folder
from envaudit.model.files import ManifestState
from envaudit.model.record_name import parse_record_name
from envaudit.model.snapshot import Snapshot
from envaudit.readers.manifests import Listing

_LIMIT = 64 * 1024


def guess_unlisted(
    site: Folder, where: str, listings: Iterable[Listing], snapshot: Snapshot
) -> frozenset[str]:
    """Return the top-level names in ``site`` that may belong to what has no list of its files."""
    listed = {
        one.manifest.folder
        for one in listings
        if one.manifest.state is ManifestState.READ and (one.inside or not one.manifest.fault_count)
    }
    folders = {
        record.folder
        for record in (*snapshot.distributions, *snapshot.shadowed)
        if record.site == where
    }
    folders |= {part.folder for part in snapshot.unreadable}
    guessed: set[str] = set()
    for folder in folders - listed:
        name = folder.rpartition("/")[2]
        guessed |= _read_top_level(site, name) or _by_name(name)
    return frozenset(guessed)


def _read_top_level(site: Folder, name: str) -> set[str]:
    try:
        text = site.read_below(f"{name}/top_level.txt", limit=_LIMIT).decode("utf-8", "replace")
    except DiskError:
        return set()
    return {line.strip().partition("/")[0] for line in text.splitlines() if line.strip()}


def _by_name(name: str) -> set[str]:
    stated = parse_record_name(name)
    if stated is None or stated.name is None:
        return set()
    plain = stated.name.replace("-", "_").replace(".", "_")
    return {plain, plain.lower(), stated.name.partition(".")[0]}
