"""One walk over an environment's files.

What is listed is to be read, and ``.pyc`` files are looked into.

Every folder is opened from its parent's descriptor, and no link is followed: a link in the place of
a listed file or of a folder on the way to one is what it is, and what it leads to is not opened.
The one exception is uv's own cache, see ``uv_links``.
"""

import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from envaudit.core.digests import algorithm_of
from envaudit.doors.digests import (
    Batch,
    Digested,
    Entries,
    Status,
    Wanted,
    list_entries,
    look,
    look_each,
)
from envaudit.doors.disk import DiskError, Folder, LinkError
from envaudit.readers.listed import Listed, Row
from envaudit.readers.uv_links import UvLinks

BYTECODE_FOLDER = "__pycache__"
_BATCH_FILES = 256
_BATCH_BYTES = 16 * 1024 * 1024
_DEEPEST = 64
_RECORDS = (".dist-info", ".egg-info", ".egg")
_PLAIN_ALGORITHM = "sha256"
LENDING = stat.S_ISUID | stat.S_ISGID
EXPOSING = LENDING | stat.S_IWOTH
"""Permissions that no installer gives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What of an environment is looked at."""

    records: frozenset[int]
    """Whose files are verified, counted as in ``Listed.records``."""
    tag: str | None
    """How the interpreter names its bytecode: ``cpython-311``. ``None``: not known."""
    everything: bool
    """Whether files are read too of which RECORD has no digest."""


class Compiled(NamedTuple):
    """A ``.pyc``, and where its source would be."""

    path: str
    source: str
    near: int | None


@dataclass(slots=True)
class Found:
    """What the walk and the threads that read have found. Appending to a list is atomic."""

    passed: dict[str, dict[str, Status]] = field(default_factory=dict)
    """What is as its one RECORD lists it, and nothing is to be said of, by folder and name."""
    digested: list[tuple[str, Digested]] = field(default_factory=list)
    """All else that is listed and was read, or known, by path."""
    heads: dict[str, Digested] = field(default_factory=dict)
    """First bytes of bytecode, by path."""
    failed: list[tuple[str, DiskError]] = field(default_factory=list)
    """Folders that cannot be listed, and why."""
    exposed: list[tuple[str, Status]] = field(default_factory=list)
    """Folders that hold listed files, and in which anybody may put others in their place."""
    irregular: list[tuple[str, str]] = field(default_factory=list)
    """What is in the place of a listed file, and what it is."""
    linked: set[str] = field(default_factory=set)
    """Listed files that are links into uv's cache."""
    compiled: list[Compiled] = field(default_factory=list)
    read: int = 0
    """How many were read."""
    known: int = 0
    """How many need not be read."""
    known_size: int = 0
    """Their bytes."""


class _Here(NamedTuple):
    """Where the walk stands."""

    prefix: str
    site: str | None
    """The site directory it is in; ``None``: in none."""
    near: int | None
    depth: int


class Walk:
    """Walks once, and yields what is to be read."""

    def __init__(
        self, listed: Listed, scope: Scope, known: Mapping[str, str], links: UvLinks
    ) -> None:
        """``known``: digests by what their files are known by; see ``digest_cache``."""
        self._listed = listed
        self._scope = scope
        self._known = known
        self.links = links
        self._above = listed.above()
        self.found = Found()

    def batches(self, environment: Folder) -> Iterator[Batch]:
        """Yield what is to be read, folder by folder."""
        site = "" if "" in self._listed.sites else None
        yield from self._visit(environment, _Here("", site, None, _DEEPEST))

    def _visit(self, folder: Folder, here: _Here) -> Iterator[Batch]:
        path = here.prefix.rstrip("/")
        rows = self._listed.folders.get(path, {})
        if not here.depth:
            self.found.failed.append((path, DiskError("lies deeper than is looked at")))
            return
        try:
            entries = list_entries(folder)
        except DiskError as error:
            self.found.failed.append((path, error))
            return
        if here.site is not None and not path.endswith(_RECORDS):
            here = here._replace(near=self._owner(rows, here.near))
        if rows:
            self._note_exposed(folder, path)
        self._note_irregular(folder, here, entries, rows)
        yield from self._listed_files(folder, here, entries, rows)
        for name in sorted(entries.folders):
            if self._enters(here, name):
                yield from self._descend(folder, here, name)

    def _owner(self, rows: Mapping[str, Row], near: int | None) -> int | None:
        """Return inside of whose package a folder lies: whoever listed a module in it."""
        if near is not None:
            return near
        inits = (row.record for name, row in rows.items() if name.startswith("__init__."))
        return next(inits, None)

    def _enters(self, here: _Here, name: str) -> bool:
        path = here.prefix + name
        if here.site is None:
            return path in self._above
        return not name.endswith(_RECORDS) or path in self._above

    def _descend(self, folder: Folder, here: _Here, name: str) -> Iterator[Batch]:
        path = here.prefix + name
        site = here.site if path not in self._listed.sites else path
        try:
            with folder.folder(name) as inner:
                if name == BYTECODE_FOLDER and site is not None:
                    yield from self._bytecode(inner, here, path)
                    return
                near = None if path in self._listed.sites else here.near
                yield from self._visit(inner, _Here(f"{path}/", site, near, here.depth - 1))
        except DiskError as error:
            self.found.failed.append((path, error))

    # -- what is listed

    def _note_exposed(self, folder: Folder, path: str) -> None:
        """Note a folder that anybody may write to, unless only owners may remove what is there."""
        status = look(folder, ".")
        if status is not None and status.mode & stat.S_IWOTH and not status.mode & stat.S_ISVTX:
            self.found.exposed.append((path, status))

    def _note_irregular(
        self, folder: Folder, here: _Here, entries: Entries, rows: Mapping[str, Row]
    ) -> None:
        for kind, names in (
            ("is a folder", entries.folders),
            ("is neither a file nor a folder (a FIFO, a socket or a device)", entries.others),
        ):
            for name in names:
                if name in rows:
                    self.found.irregular.append((here.prefix + name, kind))
        for name in entries.links:
            if name in rows:
                if self.links.leads(folder, here.prefix + name, name):
                    self.found.linked.add(here.prefix + name)
                else:
                    self.found.irregular.append((here.prefix + name, "is a symbolic link"))
            elif here.prefix + name in self._above:
                self.found.failed.append((here.prefix + name, LinkError("is a symbolic link")))

    def _listed_files(
        self, folder: Folder, here: _Here, entries: Entries, rows: Mapping[str, Row]
    ) -> Iterator[Batch]:
        """Yield the listed files of one folder, by inode."""
        names = [name for _, name in sorted(entries.files) if name in rows]
        if names and self._known:
            names = self._unknown(folder, here.prefix, names)
        wanted: list[Wanted] = []
        weight = 0
        for name in names:
            want = self._want(here.prefix + name, name, rows[name])
            if want is None or self._knows(folder, here.prefix, want):
                continue
            wanted.append(want)
            weight += want.size or 0
            if len(wanted) >= _BATCH_FILES or weight >= _BATCH_BYTES:
                yield Batch(folder, here.prefix, wanted)
                wanted, weight = [], 0
        if wanted:
            yield Batch(folder, here.prefix, wanted)
        yield from self._linked_files(here, entries, rows)

    def _linked_files(
        self, here: _Here, entries: Entries, rows: Mapping[str, Row]
    ) -> Iterator[Batch]:
        for name in entries.links:
            path = here.prefix + name
            want = self._want(path, name, rows[name]) if path in self.found.linked else None
            if want is None:
                continue
            try:
                with self.links.open_parent(path) as folder:
                    if not self._knows(folder, here.prefix, want):
                        yield Batch(folder, here.prefix, [want])
            except DiskError as error:
                self.found.digested.append((path, Digested(failure=error)))

    def _want(self, path: str, name: str, row: Row) -> Wanted | None:
        """Return how a listed file is to be read; ``None``: it need not."""
        rows = self._listed.claims(path, row) if self._listed.contested else [row]
        for one in rows:
            if one.record not in self._scope.records:
                continue
            algorithm = algorithm_of(one.digest) if one.digest else None
            if algorithm is not None:
                sole = len(rows) == 1 and not self._scope.everything
                return Wanted(name, algorithm, one.size if sole else None)
            if self._scope.everything and not is_own(path, self._listed.records[one.record]):
                return Wanted(name, _PLAIN_ALGORITHM)
        return None

    def _unknown(self, folder: Folder, prefix: str, names: Sequence[str]) -> list[str]:
        """Return ``names`` without those that are known to be as listed."""
        known = self._known
        passed = self._pass(
            prefix,
            (
                (name, status, known.get(status.identity))
                for name, status in look_each(folder, names)
            ),
        )
        self.found.known += len(passed)
        self.found.known_size += sum(status.size for status in passed.values())
        return [name for name in names if name not in passed]

    def _knows(self, folder: Folder, prefix: str, want: Wanted) -> bool:
        """Return whether what is in a file is known by what the file system tells of it."""
        if not self._known:
            return False
        status = look(folder, want.name)
        digest = None if status is None else self._known.get(status.identity)
        if status is None or digest is None or not digest.startswith(f"{want.algorithm}="):
            return False
        self._note(prefix + want.name, want, Digested(status, digest, settled=True))
        self.found.known += 1
        self.found.known_size += status.size
        return True

    # -- what comes of it

    def take(self, batch: Batch, digested: Sequence[Digested]) -> None:
        """Note what came of a batch, or of the first files of it."""
        passed = self._pass(
            batch.prefix,
            (
                (wanted.name, one.status, one.digest)
                for wanted, one in zip(batch.wanted, digested, strict=False)
                if one.settled and one.status is not None and wanted.algorithm
            ),
        )
        for wanted, one in zip(batch.wanted, digested, strict=False):
            if wanted.name not in passed:
                self._note(batch.prefix + wanted.name, wanted, one)
        self.found.read += len(digested)

    def _pass(
        self, prefix: str, found: Iterable[tuple[str, Status, str | None]]
    ) -> dict[str, Status]:
        """Note and return what of a folder is as its one RECORD lists it: nearly all there is.

        ``found``: names, with digests that are to be trusted as long as the status stays as it is.
        """
        rows = self._listed.folders.get(prefix[:-1], {})
        records, contested = self._scope.records, self._listed.contested
        passed: dict[str, Status] = {}
        for name, status, digest in found:
            row = rows[name]
            if (
                digest
                and digest == row.digest
                and digest[0] != "="  # first bytes, which a RECORD may list to look verified
                and row.record in records
                and not status.mode & EXPOSING
                and not (contested and prefix + name in contested)
            ):
                passed[name] = status
        if passed:
            self.found.passed.setdefault(prefix[:-1], {}).update(passed)
        return passed

    def _note(self, path: str, wanted: Wanted, one: Digested) -> None:
        """Note what came of a file of which something may be to be said."""
        if wanted.algorithm:
            self.found.digested.append((path, one))
        else:
            self.found.heads[path] = one

    def remembered(self) -> dict[str, str]:
        """Return digests by what their files are known by, of those that are trusted unread."""
        found = {
            status.identity: self._listed.folders[folder][name].digest
            for folder, passed in self.found.passed.items()
            for name, status in passed.items()
        }
        for one in (*(one for _, one in self.found.digested), *self.found.heads.values()):
            if one.settled and one.status is not None and one.digest is not None:
                found[one.status.identity] = one.digest
        return found

    # -- bytecode

    def _bytecode(self, folder: Folder, here: _Here, path: str) -> Iterator[Batch]:
        tag = self._scope.tag
        if tag is None:
            return
        try:
            entries = list_entries(folder)
        except DiskError as error:
            self.found.failed.append((path, error))
            return
        wanted: list[Wanted] = []
        rows = self._listed.folders.get(here.prefix.rstrip("/"), {})
        for _, name in sorted(entries.files):
            module, dot, rest = name.partition(f".{tag}.")
            if not dot or not rest.endswith("pyc"):
                continue
            row = rows.get(f"{module}.py")
            near = here.near if row is None else row.record
            if near is not None and near not in self._scope.records:
                continue
            self.found.compiled.append(
                Compiled(f"{path}/{name}", f"{here.prefix}{module}.py", near)
            )
            want = Wanted(name, "")
            if not self._knows(folder, f"{path}/", want):
                wanted.append(want)
        for start in range(0, len(wanted), _BATCH_FILES):
            yield Batch(folder, f"{path}/", wanted[start : start + _BATCH_FILES])
        yield from self._listed_files(
            folder, here._replace(prefix=f"{path}/"), entries, self._listed.folders.get(path, {})
        )


def is_own(path: str, record: str) -> bool:
    """Return whether a row cannot have a digest: RECORD's own, its signatures', and bytecode's."""
    return path.endswith(".pyc") or (
        path.startswith(f"{record}/RECORD") and "/" not in path[len(record) + 1 :]
    )
