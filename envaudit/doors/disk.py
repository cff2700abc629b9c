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
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Self

MEBIBYTE = 1024 * 1024
_FILE_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_MAXIMUM_ENTRIES = 1_000_000
_MAXIMUM_DEPTH = 64


class DiskError(Exception):
    """A file or folder that cannot be read as asked. ``reason`` is a predicate: "is a link"."""

    def __init__(self, reason: str) -> None:
        """Keep ``reason`` for the finding or the problem that a reader makes of it."""
        super().__init__(reason)
        self.reason = reason


class AbsentError(DiskError):
    """Nothing of that name is there."""


def _translate(error: OSError) -> DiskError:
    if isinstance(error, FileNotFoundError):
        return AbsentError("is not there")
    if error.errno == errno.ELOOP:  # what O_NOFOLLOW answers to a link
        return DiskError("is a symbolic link, and links are not followed")
    if error.errno == errno.ENOTDIR:
        return DiskError("is not a folder")
    return DiskError(f"cannot be read ({error.strerror})")


def _open(path: str, flags: int, *, inside: int | None = None) -> int:
    try:
        return os.open(path, flags, dir_fd=inside)
    except (OSError, ValueError) as error:
        if isinstance(error, OSError):
            raise _translate(error) from error
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
            raise _translate(error) from error
        return b"".join(chunks)


def _bounded(content: bytes, limit: int) -> bytes:
    if len(content) > limit:
        raise DiskError(f"is larger than {limit} bytes")
    return content


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """Everything below one folder, by path from it (``pkg/__init__.py``). No link was followed."""

    files: AbstractSet[str]
    """Whatever is no folder and no link: regular files, and the odd FIFO."""
    folders: AbstractSet[str]
    links: AbstractSet[str]
    """Symbolic links that lead to something, whatever it is."""
    dangling: AbstractSet[str]
    """Symbolic links that lead nowhere."""
    unread: tuple[tuple[str, str], ...]
    """Folders that could not be listed, and why."""


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
            raise _translate(error) from error
        if len(names) > _MAXIMUM_ENTRIES:
            raise DiskError(f"holds {len(names)} entries, more than are read")
        return tuple(sorted(names))

    def folder(self, name: str) -> "Folder":
        """Open the folder ``name`` in this one.

        Raises:
            DiskError: it is absent, a link, or no folder.
        """
        return Folder(_open(name, _FOLDER_FLAGS | os.O_NOFOLLOW, inside=self._descriptor))

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
        descriptor = _open(name, _FILE_FLAGS | os.O_NOFOLLOW, inside=self._descriptor)
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

    def list_tree(self, skip: frozenset[str] = frozenset()) -> Tree:
        """List everything below this folder; folders whose name is in ``skip`` are not entered.

        One ``scandir`` a folder and no ``stat`` a file. Folders more than 64 deep, and what comes
        after a million entries, are not listed and said to be so.
        """
        walk = _Walk(skip)
        walk.enter(self._descriptor, "", _MAXIMUM_DEPTH)
        return Tree(
            files=walk.files,
            folders=walk.folders,
            links=walk.links,
            dangling=walk.dangling,
            unread=tuple(walk.unread),
        )

    def has(self, name: str) -> bool:
        """Return whether an entry ``name`` is there, whatever it is."""
        try:
            os.stat(name, dir_fd=self._descriptor, follow_symlinks=False)
        except OSError:
            return False
        return True


class _Walk:
    """Collects what lies below one folder, each folder opened from its parent's descriptor."""

    def __init__(self, skip: frozenset[str]) -> None:
        self._skip = skip
        self.files: set[str] = set()
        self.folders: set[str] = set()
        self.links: set[str] = set()
        self.dangling: set[str] = set()
        self.unread: list[tuple[str, str]] = []

    def enter(self, descriptor: int, prefix: str, depth: int) -> None:
        if not depth or len(self.files) > _MAXIMUM_ENTRIES:
            self.unread.append((prefix, "lies deeper, or after more entries, than is looked at"))
            return
        try:
            with os.scandir(descriptor) as listing:
                entries = list(listing)
        except OSError as error:
            self.unread.append((prefix, _translate(error).reason))
            return
        # A comprehension, since this is the one place that sees every file there is.
        names = [prefix + entry.name for entry in entries if entry.is_file(follow_symlinks=False)]
        self.files.update(names)
        if len(names) < len(entries):
            for entry in entries:
                if not entry.is_file(follow_symlinks=False):
                    self._take(entry, descriptor, prefix, depth)

    def _take(self, entry: "os.DirEntry[str]", descriptor: int, prefix: str, depth: int) -> None:
        path = prefix + entry.name
        if entry.is_symlink():
            leads = _leads_somewhere(entry.name, descriptor)
            (self.links if leads else self.dangling).add(path)
        elif entry.is_dir(follow_symlinks=False):
            self.folders.add(path)
            if entry.name not in self._skip:
                self._descend(descriptor, entry.name, prefix, depth)
        else:
            self.files.add(path)

    def _descend(self, descriptor: int, name: str, prefix: str, depth: int) -> None:
        try:
            inner = _open(name, _FOLDER_FLAGS | os.O_NOFOLLOW, inside=descriptor)
        except DiskError as error:
            self.unread.append((prefix + name, error.reason))
            return
        try:
            self.enter(inner, f"{prefix}{name}/", depth - 1)
        finally:
            os.close(inner)


def _leads_somewhere(name: str, descriptor: int) -> bool:
    """Return whether a link leads to something. What it leads to is looked at, never opened."""
    try:
        os.stat(name, dir_fd=descriptor)
    except OSError:
        return False
    return True


def open_folder(path: Path) -> Folder:
    """Open a folder that the user, or a path derived from the user's, names. Links are followed.

    Raises:
        DiskError: it is absent or no folder.
    """
    return Folder(_open(str(path), _FOLDER_FLAGS))


def read_file(path: Path, *, limit: int) -> bytes:
    """Return the whole of a regular file that the user names. Links are followed.

    Raises:
        DiskError: it is absent, no regular file, or larger than ``limit`` bytes.
    """
    return _bounded(_read_and_close(_open(str(path), _FILE_FLAGS), limit + 1), limit)


def is_folder(path: Path) -> bool:
    """Return whether ``path`` leads to a folder."""
    return os.path.isdir(path)


def is_file(path: Path) -> bool:
    """Return whether ``path`` leads to a regular file."""
    return os.path.isfile(path)


def real_path(path: Path) -> Path:
    """Return the absolute path with every link resolved."""
    return Path(os.path.realpath(path))


def same_file(one: Path, other: Path) -> bool:
    """Return whether two paths lead to one file; false where either leads nowhere."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def find_program(name: str, search_path: str | None) -> Path | None:
    """Return the absolute path of the program ``name`` on ``search_path`` (as in ``PATH``)."""
    found = shutil.which(name, path=search_path)
    return Path(found).absolute() if found else None


def absolute_path(path: Path) -> Path:
    """Return the absolute path without `.` and `..`, its links left as they are."""
    return Path(os.path.abspath(path))
