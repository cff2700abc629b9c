"""The door that packs files of an environment into a wheel: streamed and digested, no links."""

import contextlib
import csv
import hashlib
import io
import os
import stat
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, Protocol

from envaudit.core.digests import spell
from envaudit.doors.disk import DiskError, Folder, open_inside, translate

_OTHER_RIGHTS = stat.S_ISUID | stat.S_ISGID
_CHUNK = 1024 * 1024
_FILE_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY | os.O_NOFOLLOW
# A zip file cannot say a time before 1980; a fixed one makes equal contents equal bytes.
_TIME = (1980, 1, 1, 0, 0, 0)


class Packed(Protocol):
    """A file of the environment, and its name in the archive."""

    @property
    def path(self) -> str:
        """Relative to the environment."""

    @property
    def name(self) -> str:
        """In the archive."""

    @property
    def digest(self) -> str:
        """What RECORD says of it."""

    @property
    def size(self) -> str:
        """Likewise."""


class _Digesting(io.RawIOBase):
    """Writes to a descriptor, all of it or an error, and digests what is written."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.digest = hashlib.sha256()

    def writable(self) -> bool:
        return True

    def write(self, content: object) -> int:
        view = memoryview(content).cast("B")  # type: ignore[arg-type]
        self.digest.update(view)
        left = view
        while left:
            left = left[os.write(self._descriptor, left) :]
        return len(view)


class Wheel(NamedTuple):
    """A wheel that was written."""

    digest: str
    """``sha256:…``."""
    digests: tuple[str, ...]
    """Of the members as they were packed, as RECORD spells digests, in their order."""
    modes: tuple[int, ...]
    """Permission bits of the members, in their order: a wheel keeps no more than who may run it."""


def pack(descriptor: int, environment: Folder, members: Iterable[Packed], record: str) -> Wheel:
    """Write a wheel of ``members`` to ``descriptor``, uncompressed.

    ``record``: where RECORD stands; it says of each member what it said before. Nothing is sought
    in the file, so that what was digested is what was written.

    Raises:
        DiskError: a member is absent, a link, no regular file, or cannot be read.
        OSError: the wheel cannot be written.
    """
    target = _Digesting(descriptor)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        rows: list[tuple[str, str, str]] = []
        digests: list[str] = []
        modes: list[int] = []
        for member in members:
            digest, mode = _add(archive, environment, member)
            digests.append(digest)
            modes.append(mode)
            rows.append((member.name, member.digest, member.size))
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([*rows, (record, "", "")])
        entry = zipfile.ZipInfo(record, _TIME)
        entry.external_attr = (stat.S_IFREG | 0o644) << 16
        archive.writestr(entry, text.getvalue().encode())
    return Wheel(f"sha256:{target.digest.hexdigest()}", tuple(digests), tuple(modes))


def _add(archive: zipfile.ZipFile, environment: Folder, member: Packed) -> tuple[str, int]:
    descriptor, mode = open_member(environment, member.path)
    digest = hashlib.sha256()
    try:
        if mode & _OTHER_RIGHTS:
            raise DiskError("runs with the rights of its owner (setuid, setgid)")
        entry = zipfile.ZipInfo(member.name, _TIME)
        entry.external_attr = (stat.S_IFREG | (0o755 if mode & 0o111 else 0o644)) << 16
        with archive.open(entry, "w", force_zip64=True) as written:
            while chunk := _read(descriptor):
                digest.update(chunk)
                written.write(chunk)
    finally:
        _close(descriptor)
    return spell("sha256", digest.digest()), stat.S_IMODE(mode)


def _close(descriptor: int) -> None:
    """Close what was only read: what there is to say of it was said by the reads."""
    with contextlib.suppress(OSError):
        os.close(descriptor)


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _CHUNK)
    except OSError as error:
        raise translate(error) from error


def open_member(environment: Folder, path: str) -> tuple[int, int]:
    """Open the regular file at ``path`` and return its descriptor and its mode.

    Raises:
        DiskError: it, or a folder on the way, is absent, a link, or of another kind.
    """
    folder, _, name = path.rpartition("/")
    if folder:
        with environment.folder_below(folder) as inner:
            descriptor = open_inside(name, _FILE_FLAGS, inside=inner.descriptor())
    else:
        descriptor = open_inside(name, _FILE_FLAGS, inside=environment.descriptor())
    try:
        return descriptor, _demand_regular(descriptor)
    except DiskError:
        _close(descriptor)
        raise


def _demand_regular(descriptor: int) -> int:
    mode = _stat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        raise DiskError("is not a regular file")
    return mode


def _stat(descriptor: int) -> os.stat_result:
    try:
        return os.fstat(descriptor)
    except OSError as error:
        raise translate(error) from error


def digest_member(environment: Folder, path: str) -> str:
    """Return the digest of the regular file at ``path``, as RECORD spells it.

    Raises:
        DiskError: as ``open_member``.
    """
    return measure_member(environment, path)[0]


def measure_member(environment: Folder, path: str) -> tuple[str, int]:
    """Return the digest of the regular file at ``path``, as RECORD spells it, and its mode.

    Raises:
        DiskError: as ``open_member``.
    """
    descriptor, mode = open_member(environment, path)
    digest = hashlib.sha256()
    try:
        while chunk := _read(descriptor):
            digest.update(chunk)
    finally:
        _close(descriptor)
    return spell("sha256", digest.digest()), stat.S_IMODE(mode)


def size_of(environment: Folder, path: str) -> int:
    """Return how many bytes the regular file at ``path`` holds.

    Raises:
        DiskError: as ``open_member``.
    """
    descriptor, _ = open_member(environment, path)
    try:
        return _stat(descriptor).st_size
    finally:
        _close(descriptor)


def free_space(folder: Path) -> int:
    """Return how many bytes may still be written below ``folder``, which may not be there yet.

    Raises:
        OSError: nobody can tell.
    """
    while not os.path.lexists(folder):
        folder = folder.parent
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize


def digest_file_at(path: Path) -> str:
    """Return ``sha256:…`` of the regular file ``path``, which may be no link.

    Raises:
        DiskError: it is absent, a link, or cannot be read.
    """
    descriptor = open_inside(str(path), _FILE_FLAGS)
    digest = hashlib.sha256()
    try:
        while chunk := _read(descriptor):
            digest.update(chunk)
    finally:
        _close(descriptor)
    return f"sha256:{digest.hexdigest()}"
