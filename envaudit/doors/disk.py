"""The door for reading: bounded reads of regular files, no link followed inside an environment.

What lies in an audited environment may be hostile: a FIFO that blocks for ever, a link to a file
outside, a sparse terabyte. Every folder is therefore opened relative to its parent's descriptor
(``openat``), every file with ``O_NOFOLLOW | O_NONBLOCK`` and looked at with ``fstat`` before a byte
is read, and every read has a limit. Paths that the *user* names may be links: they are theirs.
"""

import errno
import os
import shutil
import stat
from collections.abc import Mapping
from enum import Enum
from pathlib import Path, PurePath
from typing import Self

MEBIBYTE = 1024 * 1024
_FILE_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
MAXIMUM_ENTRIES = 1_000_000


class DiskError(Exception):
    """A file or folder that cannot be read as asked. ``reason`` is a predicate: "is a link"."""

    def __init__(self, reason: str) -> None:
        """Keep ``reason`` for the finding or the problem that a reader makes of it."""
        super().__init__(reason)
        self.reason = reason


class AbsentError(DiskError):
    """Nothing of that name is there."""


class IrregularError(DiskError):
    """It is there, and of another kind than the one that was asked for."""


class LinkError(DiskError):
    """It is a symbolic link, and links are not followed."""


class Kind(Enum):
    """What a directory entry is, the entry itself: a link is a link."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    OTHER = "other"


Stamp = tuple[int, int, int]
"""Device, inode and time of change: differs once an entry of a folder was added or taken away."""


def translate(error: OSError) -> DiskError:
    """Return what ``error`` means for whoever asked."""
    if isinstance(error, FileNotFoundError):
        return AbsentError("is not there")
    if error.errno == errno.ELOOP:  # what O_NOFOLLOW answers to a link
        return LinkError("is a symbolic link, and links are not followed")
    if error.errno == errno.ENOTDIR:
        return IrregularError("is not a folder")
    return DiskError(f"cannot be read ({error.strerror})")


def open_inside(path: str, flags: int, *, inside: int | None = None) -> int:
    """Open ``path`` (from the folder of the descriptor ``inside``) and return the descriptor.

    Raises:
        DiskError: it cannot be opened.
    """
    try:
        return os.open(path, flags, dir_fd=inside)
    except (OSError, ValueError) as error:
        if isinstance(error, OSError):
            raise translate(error) from error
        raise DiskError("has a name with a NUL character") from error


def _read_and_close(descriptor: int, limit: int) -> bytes:
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise DiskError("is not a regular file")
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        chunks: list[bytes] = []
        try:
            while limit > 0 and (chunk := file.read(min(limit, MEBIBYTE))):
                chunks.append(chunk)
                limit -= len(chunk)
        except OSError as error:
            raise translate(error) from error
        return b"".join(chunks)


def _bounded(content: bytes, limit: int) -> bytes:
    if len(content) > limit:
        raise DiskError(f"is larger than {limit} bytes")
    return content


class Folder:
    """An open directory, from which files and folders are opened without following a link."""

    def __init__(self, descriptor: int) -> None:
        """Take ownership of ``descriptor``."""
        self._descriptor = descriptor

    def __enter__(self) -> Self:
        """Return itself; the descriptor is closed at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the descriptor."""
        os.close(self._descriptor)

    def names(self) -> tuple[str, ...]:
        """Return the names of all entries, sorted.

        Raises:
            DiskError: the folder cannot be listed, or holds over a million entries.
        """
        try:
            names = os.listdir(self._descriptor)
        except OSError as error:
            raise translate(error) from error
        if len(names) > MAXIMUM_ENTRIES:
            raise DiskError(f"holds {len(names)} entries, more than are read")
        return tuple(sorted(names))

    def kinds(self) -> Mapping[str, Kind]:
        """Return what every entry is, by name, sorted; see ``names``.

        Raises:
            DiskError: the folder cannot be listed, or holds over a million entries.
        """
        try:
            with os.scandir(self._descriptor) as entries:
                found = {
                    entry.name: _kind(entry)
                    for entry, _ in zip(entries, range(MAXIMUM_ENTRIES + 1), strict=False)
                }
        except OSError as error:
            raise translate(error) from error
        if len(found) > MAXIMUM_ENTRIES:
            raise DiskError(f"holds over {MAXIMUM_ENTRIES} entries, more than are read")
        return dict(sorted(found.items()))

    def stamp(self) -> Stamp:
        """Return what changes when an entry comes or goes."""
        return _stamp(os.fstat(self._descriptor))

    def stamp_of(self, name: str) -> Stamp | None:
        """Return the stamp of the entry ``name`` itself; ``None`` where it is not there."""
        try:
            return _stamp(os.stat(name, dir_fd=self._descriptor, follow_symlinks=False))
        except OSError:
            return None

    def folder(self, name: str) -> "Folder":
        """Open the folder ``name`` in this one.

        Raises:
            DiskError: it is absent, a link, or no folder.
        """
        return Folder(open_inside(name, FOLDER_FLAGS | os.O_NOFOLLOW, inside=self._descriptor))

    def read(self, name: str, *, limit: int) -> bytes:
        """Return the whole of the regular file ``name``, at most ``limit`` bytes.

        Raises:
            DiskError: it is absent, a link, no regular file, or larger than ``limit``.
        """
        return _bounded(self.head(name, limit=limit + 1), limit)

    def head(self, name: str, *, limit: int) -> bytes:
        """Return the first ``limit`` bytes of the regular file ``name``.

        Raises:
            DiskError: it is absent, a link, or no regular file.
        """
        descriptor = open_inside(name, _FILE_FLAGS | os.O_NOFOLLOW, inside=self._descriptor)
        return _read_and_close(descriptor, limit)

    def folder_below(self, path: str) -> "Folder":
        """Open the folder at ``path`` below this one; no part of it may be a link.

        Raises:
            DiskError: as ``folder``, for any part of the path.
        """
        first, slash, rest = path.partition("/")
        if not slash:
            return self.folder(first)
        with self.folder(first) as inner:
            return inner.folder_below(rest)

    def read_below(self, path: str, *, limit: int) -> bytes:
        """Return the regular file at ``path`` below this folder; no part of it may be a link.

        Raises:
            DiskError: as ``read``, for any part of the path.
        """
        return _bounded(self.head_below(path, limit=limit + 1), limit)

    def head_below(self, path: str, *, limit: int) -> bytes:
        """Return the first ``limit`` bytes of the file at ``path``, as ``read_below`` does.

        Raises:
            DiskError: as ``head``, for any part of the path.
        """
        folder, slash, name = path.rpartition("/")
        if not slash:
            return self.head(name, limit=limit)
        with self.folder_below(folder) as inner:
            return inner.head(name, limit=limit)

    def descriptor(self) -> int:
        """Return the descriptor, for another door; it stays this folder's to close."""
        return self._descriptor

    def link(self, name: str) -> str | None:
        """Return what the link ``name`` says; ``None`` where it is none."""
        try:
            return os.readlink(name, dir_fd=self._descriptor)
        except (OSError, ValueError):
            return None

    def is_regular(self, name: str) -> bool:
        """Return whether ``name`` is a regular file, and no link to one."""
        try:
            found = os.stat(name, dir_fd=self._descriptor, follow_symlinks=False)
        except OSError:
            return False
        return stat.S_ISREG(found.st_mode)

    def has(self, name: str) -> bool:
        """Return whether an entry ``name`` is there, whatever it is."""
        try:
            os.stat(name, dir_fd=self._descriptor, follow_symlinks=False)
        except OSError:
            return False
        return True


def _kind(entry: "os.DirEntry[str]") -> Kind:
    if entry.is_symlink():
        return Kind.LINK
    if entry.is_dir(follow_symlinks=False):
        return Kind.FOLDER
    return Kind.FILE if entry.is_file(follow_symlinks=False) else Kind.OTHER


def _stamp(status: os.stat_result) -> Stamp:
    return status.st_dev, status.st_ino, status.st_mtime_ns


def open_folder(path: Path) -> Folder:
    """Open a folder that the user, or a path derived from the user's, names. Links are followed.

    Raises:
        DiskError: it is absent or no folder.
    """
    return Folder(open_inside(str(path), FOLDER_FLAGS))


def read_file(path: Path, *, limit: int) -> bytes:
    """Return the whole of a regular file that the user names. Links are followed.

    Raises:
        DiskError: it is absent, no regular file, or larger than ``limit`` bytes.
    """
    return _bounded(_read_and_close(open_inside(str(path), _FILE_FLAGS), limit + 1), limit)


def head_of_file(path: Path, *, limit: int) -> bytes:
    """Return the first ``limit`` bytes of a regular file that the user names. Links are followed.

    Raises:
        DiskError: it is absent, or no regular file.
    """
    return _read_and_close(open_inside(str(path), _FILE_FLAGS), limit)


def resolve_namesake(path: Path, *, depth: int) -> Path:
    """Return where the link ``path`` leads, if to something whose last ``depth`` names are equal.

    A cache or store that an environment is linked into holds what is linked under the same names
    (``six-1.16.0.dist-info/METADATA``). A link to ``/etc/shadow`` leads to no namesake.

    Raises:
        DiskError: it leads nowhere, or to something of another name.
    """
    try:
        real = os.path.realpath(path, strict=True)
    except FileNotFoundError as error:
        raise AbsentError("is a symbolic link that leads nowhere") from error
    except OSError as error:
        raise translate(error) from error
    except ValueError as error:
        raise DiskError("has a name with a NUL character") from error
    if PurePath(real).parts[-depth:] != path.parts[-depth:]:
        raise LinkError("is a symbolic link to something of another name, which is not followed")
    return Path(real)


def read_link(path: Path) -> str | None:
    """Return what the link ``path`` says; ``None`` where it is none."""
    try:
        return os.readlink(path)
    except (OSError, ValueError):
        return None


def is_there(path: Path) -> bool:
    """Return whether ``path`` leads to anything; a link to nowhere does not."""
    try:
        return os.path.exists(path)
    except ValueError:  # a NUL character in a path that a file of the environment names
        return False


def has_entry(path: Path) -> bool:
    """Return whether an entry is there at ``path``, be it a link to nowhere."""
    return os.path.lexists(path)


def is_folder(path: Path) -> bool:
    """Return whether ``path`` leads to a folder."""
    return os.path.isdir(path)


def is_file(path: Path) -> bool:
    """Return whether ``path`` leads to a regular file."""
    return os.path.isfile(path)


def real_path(path: Path) -> Path:
    """Return the absolute path with every link resolved; as it is where it can be no path."""
    try:
        return Path(os.path.realpath(path))
    except ValueError:  # a NUL character
        return absolute_path(path)


def same_file(one: Path, other: Path) -> bool:
    """Return whether two paths lead to one file; false where either leads nowhere."""
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return False


def find_program(name: str, search_path: str | None) -> Path | None:
    """Return the absolute path of the program ``name`` on ``search_path`` (as in ``PATH``)."""
    found = shutil.which(name, path=search_path)
    return Path(found).absolute() if found else None


def absolute_path(path: Path) -> Path:
    """Return the absolute path without `.` and `..`, its links left as they are."""
    return Path(os.path.abspath(path))
