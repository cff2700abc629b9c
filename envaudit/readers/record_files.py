"""The files of one record, read tolerantly: what cannot be read is noted, and the rest is read.

No link is followed but one: into a cache or store that has the same file under the same names
(uv's ``--link-mode symlink``, Nix, Bazel). Such a record is good for as long as the cache is.
"""

from pathlib import Path

from packaging.utils import canonicalize_name, is_normalized_name

from envaudit.doors import disk
from envaudit.doors.disk import AbsentError, DiskError, Folder, LinkError
from envaudit.model.distribution import Unreadable
from envaudit.readers import metadata

SMALL = 64 * 1024
_RECORD_LIMIT = 256 * 1024 * 1024
_DEPTH = 2
"""Folder and file: the names that a linked file and its target must have in common."""


class RecordFiles:
    """Reads the files of one record."""

    def __init__(self, folder: Folder, path: Path, where: str) -> None:
        """``folder`` is open at ``path``, and called ``where`` in what is noted."""
        self._folder = folder
        self._path = path
        self.where = where
        self.linked = False
        self._record: bytes | None = None
        self.unreadable: list[Unreadable] = []

    def note(self, part: str, reason: str) -> None:
        """Note that ``part`` cannot be read, and why: a predicate."""
        self.unreadable.append(Unreadable(folder=self.where, part=part, reason=reason))

    def head(self, name: str, *, limit: int) -> bytes:
        """Return the first ``limit`` bytes of the file ``name``.

        Raises:
            DiskError: it is absent, no regular file, or a link to something of another name.
        """
        try:
            return self._folder.head(name, limit=limit)
        except LinkError:
            target = disk.resolve_namesake(self._path / name, depth=_DEPTH)
            self.linked = True
            return disk.head_of_file(target, limit=limit)

    def read(self, name: str, *, limit: int) -> bytes:
        """Return the whole of the file ``name``.

        Raises:
            DiskError: the like of ``head``, or it is larger than ``limit`` bytes.
        """
        content = self.head(name, limit=limit + 1)
        if len(content) > limit:
            raise DiskError(f"is larger than {limit} bytes")
        return content

    def record(self) -> bytes:
        """Return RECORD, which is read once.

        Raises:
            DiskError: as ``read``.
        """
        if self._record is None:
            self._record = self.read("RECORD", limit=_RECORD_LIMIT)
        return self._record

    def has(self, name: str) -> bool:
        """Return whether there is an entry ``name``, whatever it is."""
        return self._folder.has(name)

    def optional(self, name: str, *, limit: int = SMALL) -> bytes | None:
        """Return the file ``name``; ``None`` where it is absent, or cannot be read: noted."""
        try:
            return self.read(name, limit=limit)
        except AbsentError as error:
            if self._folder.has(name):
                self.note(name, error.reason)  # a link to nowhere
            return None
        except DiskError as error:
            self.note(name, error.reason)
            return None

    def headers(self, name: str) -> metadata.Headers | None:
        """Return the headers of the file ``name``; ``None`` where they cannot be read: noted."""
        try:
            head = self.head(name, limit=metadata.HEAD_LIMIT)
        except DiskError as error:
            self.note(name, error.reason)
            return None
        return self.parse(name, head)

    def parse(self, name: str, head: bytes) -> metadata.Headers | None:
        """Return the headers in ``head``, the beginning of the file ``name``; noted if endless.

        What envaudit reads all the same, and pip or Python do not, is noted too.
        """
        if len(head) == metadata.HEAD_LIMIT and not metadata.is_whole(head):
            self.note(name, f"has headers of over {metadata.HEAD_LIMIT} bytes")
            return None
        fault = metadata.find_fault(head)
        if fault is not None:
            self.note(name, fault)
        return metadata.parse_headers(head)

    def identity(self, name: str, headers: metadata.Headers) -> tuple[str, str] | None:
        """Return the name and the version that the file ``name`` states; noted if it lacks one.

        A name that no distribution may have (PEP 508) is noted too: `x @ https://…` or `--flag`
        must not come where names are shown as names or put on a command line.
        """
        spelling, version = metadata.single(headers, "name"), metadata.single(headers, "version")
        if spelling is None or version is None:
            self.note(name, "has no name or no version")
            return None
        if not is_normalized_name(canonicalize_name(spelling)):
            self.note(name, f"has a name that no distribution may have, `{spelling}`")
            return None
        return spelling, version
