"""What all RECORDs of an environment list, by folder: the question that its files answer.

Places are made of text alone, as in ``manifests``: what lies outside of the environment is no place
and is never looked at.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from envaudit.doors.digests import look
from envaudit.doors.disk import DiskError, Folder
from envaudit.readers.files import LEFTOVER
from envaudit.readers.manifests import is_odd, normalise
from envaudit.readers.rows import LIMIT_BYTES, read_rows

_LONG = 20
"""Digits of a size that no file has."""


class Row(NamedTuple):
    """What one RECORD says of one file. A tuple, since there is one for every file."""

    record: int
    """Which record, counted as in ``Listed.records``."""
    digest: str
    """As written; empty where there is none."""
    size: int | None
    """``None``: none that a file could have is written."""


@dataclass(slots=True)
class Listed:
    """Everything that is listed, by folder."""

    records: list[str] = field(default_factory=list)
    """The metadata folders, relative to the environment."""
    installed: list[int | None] = field(default_factory=list)
    """When the RECORD of each was written."""
    folders: dict[str, dict[str, Row]] = field(default_factory=dict)
    """Rows by name, by folder. A path that several RECORDs claim has the row of the first."""
    contested: dict[str, list[Row]] = field(default_factory=dict)
    """All rows of a path that several RECORDs claim."""
    sites: tuple[str, ...] = ()

    def above(self) -> frozenset[str]:
        """Return every folder that something listed lies in, directly or not."""
        found: set[str] = set()
        for path in (*self.folders, *self.sites):
            while path and path not in found:
                found.add(path)
                path = path.rpartition("/")[0]  # noqa: PLW2901 - upwards, until it is known
        return frozenset(found)

    def claims(self, path: str, row: Row) -> list[Row]:
        """Return all rows of ``path``, of which ``row`` is the first."""
        return self.contested.get(path) or [row]


def read_listed(environment: Folder, sites: Iterable[str]) -> Listed:
    """Read the RECORDs of the ``.dist-info`` folders in ``sites``.

    What cannot be read is told by ``measure_files``, and left out here.
    """
    listed = Listed(sites=tuple("" if site == "." else site for site in sites))
    for site in listed.sites:
        try:
            with environment.folder_below(site or ".") as opened:
                for name in opened.names():
                    if name.endswith(".dist-info") and not name.startswith(LEFTOVER):
                        _read_record(listed, opened, site, name)
        except DiskError:
            continue
    return listed


def _read_record(listed: Listed, site: Folder, where: str, name: str) -> None:
    record = f"{where}/{name}" if where else name
    try:
        with site.folder(name) as opened:
            written = look(opened, "RECORD")
            content = opened.read("RECORD", limit=LIMIT_BYTES)
    except DiskError:
        return
    rows = read_rows(content, digests=True)
    number = len(listed.records)
    listed.records.append(record)
    listed.installed.append(None if written is None else written.modified)
    prefix = f"{where}/" if where else ""
    at: str | None = None
    names: dict[str, Row] = {}
    for path, digest, size in zip(rows.paths, rows.digests, rows.sizes, strict=True):
        place = prefix + path
        if rows.odd and is_odd(path):
            normal = normalise(where or ".", path)
            if normal is None:
                continue
            place = normal
        folder, _, name = place.rpartition("/")
        if folder != at:  # the rows of one folder follow each other
            at, names = folder, listed.folders.setdefault(folder, {})
        row = Row(number, digest, int(size) if size.isdecimal() and len(size) < _LONG else None)
        if names.setdefault(name, row).record != number:
            listed.contested.setdefault(place, [names[name]]).append(row)
