"""The door to contents: digests of regular files, bounded, no link followed.

Files come in batches, one folder each, sorted by inode, so that a disk is read forward. Who reads
them at the same time: see ``crew``.
"""

import hashlib
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, Self, TypeAlias

from envaudit.core.digests import spell
from envaudit.doors.disk import MEBIBYTE, DiskError, Folder, IrregularError, open_inside, translate

_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY | os.O_NOFOLLOW
_LARGEST = 16 * 1024 * MEBIBYTE
_SPARSE = 1024 * MEBIBYTE
_SPARSE_SHARE = 64
_BLOCK = 512

# Tuples and no dataclasses here: there is one of each for every file of an environment.


class Status(NamedTuple):
    """What the file system tells of a regular file without its content being read."""

    identity: str
    """Device, inode, size, and the times of the content and of the inode, which no program sets
    back: another one after every change."""
    size: int
    modified: int
    """Nanoseconds since 1970."""
    links: int
    mode: int

    @classmethod
    def of(cls, found: os.stat_result) -> Self:
        """Take it from what ``stat`` answers."""
        size, modified = found.st_size, found.st_mtime_ns
        identity = f"{found.st_dev} {found.st_ino} {size} {modified} {found.st_ctime_ns}"
        return tuple.__new__(cls, (identity, size, modified, found.st_nlink, found.st_mode))


class Wanted(NamedTuple):
    """A file of which the content is wanted."""

    name: str
    algorithm: str
    """Of ``hashlib``; empty: no digest is wanted, but the first bytes, in hexadecimal."""
    size: int | None = None
    """If it has another size, it need not be read."""


HEAD_BYTES = 16


class Digested(NamedTuple):
    """What came of a wanted file."""

    status: Status | None = None
    """``None``: it could not be opened."""
    digest: str | None = None
    """As RECORD spells it, first bytes as ``=6f0d…``; ``None``: it was not read."""
    failure: DiskError | None = None
    settled: bool = False
    """Whether it had not been touched for a while: any later change then has a later time."""


UnderWay: TypeAlias = "list[int] | memoryview[int]"
"""Bytes read of what each reader has at hand, one cell for each."""


class Entries(NamedTuple):
    """What is in one folder, by kind; a link is a link."""

    files: list[tuple[int, str]]
    """Inode and name of the regular files."""
    folders: list[str]
    links: list[str]
    others: list[str]
    """FIFOs, sockets, devices."""


class Batch:
    """Wanted files of one folder; whoever takes it closes the folder."""

    def __init__(self, folder: Folder, prefix: str, wanted: Sequence[Wanted]) -> None:
        """``prefix``: what comes before the names in the paths of the files."""
        self.folder = Folder(os.dup(folder.descriptor()))
        self.prefix = prefix
        self.wanted = wanted


def list_entries(folder: Folder) -> Entries:
    """List ``folder``, by one ``scandir`` and no ``stat``.

    Raises:
        DiskError: it cannot be listed.
    """
    entries = Entries([], [], [], [])
    try:
        with os.scandir(folder.descriptor()) as listing:
            for entry in listing:
                if entry.is_file(follow_symlinks=False):
                    entries.files.append((entry.inode(), entry.name))
                elif entry.is_symlink():
                    entries.links.append(entry.name)
                elif entry.is_dir(follow_symlinks=False):
                    entries.folders.append(entry.name)
                else:
                    entries.others.append(entry.name)
    except OSError as error:
        raise translate(error) from error
    return entries


def look_each(folder: Folder, names: Iterable[str]) -> Iterator[tuple[str, Status]]:
    """Yield each of ``names`` that is there with its status; see ``look``."""
    descriptor = folder.descriptor()
    for name in names:
        try:
            found = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
        except (OSError, ValueError):
            continue
        yield name, Status.of(found)


def look(folder: Folder, name: str) -> Status | None:
    """Return the status of ``name`` itself, be it a link; ``None`` where it is not there."""
    return next((status for _, status in look_each(folder, (name,))), None)


def digest_each(
    folder: Folder, wanted: Iterable[Wanted], buffer: memoryview, go_on: Callable[[int], None]
) -> Iterator[Digested]:
    """Read wanted files of ``folder``, in their order; see ``digest_file``."""
    for one in wanted:
        try:
            yield digest_file(folder, one, buffer, go_on)
        except DiskError as error:
            yield Digested(failure=error)


def digest_file(
    folder: Folder, wanted: Wanted, buffer: memoryview, go_on: Callable[[int], None]
) -> Digested:
    """Read one wanted file, through ``buffer`` where it is large.

    ``go_on`` is called after each piece of a large one, with the bytes of that piece; what it
    raises ends the reading.

    Raises:
        DiskError: it cannot be opened or read.
    """
    # The clock before the status: a change from now on has this time or a later one.
    now = time.time_ns()
    descriptor = open_inside(wanted.name, _FLAGS, inside=folder.descriptor())
    try:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise IrregularError("is not a regular file")
        status = Status.of(before)
        if not wanted.algorithm:
            head = os.read(descriptor, HEAD_BYTES).hex()
            return Digested(status, f"={head}", settled=_is_settled(before, now))
        if wanted.size is not None and wanted.size != status.size:
            return Digested(status)
        if status.size >= MEBIBYTE:
            _refuse_endless(before)
        digest = _digest(descriptor, wanted.algorithm, status.size, buffer, go_on)
        after = os.fstat(descriptor)
    except OSError as error:
        raise translate(error) from error
    finally:
        os.close(descriptor)
    if _moment(after) != _moment(before):
        return Digested(status, failure=DiskError("changed while it was read"))
    return Digested(status, spell(wanted.algorithm, digest), settled=_is_settled(before, now))


SETTLED_NANOSECONDS = 2_000_000_000
"""The coarsest clock of a file system (FAT) ticks every two seconds."""


def _is_settled(found: os.stat_result, now: int) -> bool:
    """Return whether every change after ``now`` gives a file another status than this one.

    What git calls racily clean: a file that is written twice within one tick of the file system's
    clock bears the same time both times.
    """
    _, modified, changed = _moment(found)
    begin = now - SETTLED_NANOSECONDS
    return modified < begin and changed < begin


def _moment(found: os.stat_result) -> tuple[int, int, int]:
    """Return what a change of an open file changes."""
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _refuse_endless(found: os.stat_result) -> None:
    if found.st_size > _LARGEST:
        raise DiskError(f"has {found.st_size} bytes, more than are read")
    if found.st_size > _SPARSE and found.st_blocks * _BLOCK * _SPARSE_SHARE < found.st_size:
        raise DiskError(f"has {found.st_size} bytes, nearly all of them a hole, and is not read")


def _digest(
    descriptor: int, algorithm: str, size: int, buffer: memoryview, go_on: Callable[[int], None]
) -> bytes:
    if size < MEBIBYTE:
        content = os.read(descriptor, size + 1)
        if len(content) == size:
            return _begin(algorithm, content).digest()
        os.lseek(descriptor, 0, os.SEEK_SET)  # a file system that gives less than it has
    state = _begin(algorithm)
    left = size
    while left > 0 and (count := os.readv(descriptor, [buffer])):
        state.update(buffer[:count])
        left -= count
        go_on(count)
    return state.digest()


def _begin(algorithm: str, content: bytes = b"") -> "hashlib._Hash":
    if algorithm == "sha256":  # what all installers write, and faster by its own name
        return hashlib.sha256(content, usedforsecurity=False)
    return hashlib.new(algorithm, content, usedforsecurity=False)
