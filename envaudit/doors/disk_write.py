"""The door for writing: a file is the old one or the new one, whatever happens on the way.

A file is written beside its place under a temporary name, synced, and renamed over. A run that is
killed leaves a temporary file; the next one sweeps it. So that nobody sweeps what another run is
just writing, a temporary file is locked as long as its writer lives (``flock``: the kernel lets go
of it with the last descriptor, whatever ends the writer).
"""

import contextlib
import errno
import fcntl
import os
import secrets
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from envaudit.doors.ownership import find_fault_of_state
from envaudit.model.errors import Problem, UnreadableError

_Told = TypeVar("_Told")
_TEMPORARY_MARK = ".envaudit-"
_PRIVATE_FOLDER = 0o750
_PRIVATE_FILE = 0o640
_ANY_WRITE = 0o222
_FILE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_LOOK_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def make_folder(path: Path) -> None:
    """Create ``path`` and its parents, as the umask says; nothing happens if it is there.

    Raises:
        UnreadableError: it cannot be created.
    """
    _create_folders(path, 0o777)


def make_shelf(state: Path, shelf: Path) -> None:
    """Create ``state`` and in it ``shelf``, for the user and the group alone.

    Raises:
        UnreadableError: one cannot be created, or is there and not private: a link, owned by
            somebody else, or open to be written to by group or world.
    """
    for folder in (state, shelf):
        _create_folders(folder, _PRIVATE_FOLDER)
        fault = find_fault_of_state(state, shelf)
        if fault is not None:
            raise UnreadableError(fault)


def _create_folders(path: Path, mode: int) -> None:
    missing: list[Path] = []
    while not os.path.lexists(path):
        missing.append(path)
        path = path.parent
    for folder in reversed(missing):
        try:
            with contextlib.suppress(FileExistsError):  # another run was faster
                os.mkdir(folder, mode)
            _sync_folder(folder.parent)
        except OSError as error:
            raise _failed(folder, "cannot be created", error) from error


def replace_file(path: Path, content: bytes, *, private: bool = False) -> None:
    """Write ``content`` to a temporary file beside ``path``, sync it, and rename it over.

    A reader sees the old file or the new one; so does the disk after a power cut. A link at
    ``path`` is replaced, not followed. ``private``: nobody but user and group may read it.
    See ``write_named`` for a path that a user names.

    Raises:
        UnreadableError: it cannot be written; what stood at ``path`` still stands.
    """
    try:
        _replace(path, content, _PRIVATE_FILE if private else 0o644)
    except OSError as error:
        raise _failed(path, "cannot be written", error) from error


def update_file(path: Path, content: bytes) -> None:
    """Write new content for a file that may stand already, with the mode and owner that it has.

    Folders above it are created. Otherwise as ``replace_file``.

    Raises:
        UnreadableError: it is no regular file, it is read-only (for its owner too, whom the system
            would let write), or it cannot be written; what stood at ``path`` still stands.
    """
    make_folder(path.parent)
    try:
        standing = os.lstat(path)
    except FileNotFoundError:
        standing = None
    except OSError as error:
        raise _failed(path, "cannot be written", error) from error
    if standing is None:
        replace_file(path, content)
        return
    if not stat.S_ISREG(standing.st_mode):
        raise _refused(path, "is not a regular file")
    if not standing.st_mode & _ANY_WRITE:
        raise _refused(path, "is read-only")
    try:
        _replace(path, content, _PRIVATE_FILE, standing)
    except OSError as error:
        raise _failed(path, "cannot be written", error) from error


def write_named(path: Path, content: bytes) -> None:
    """Write ``content`` to a path that the user names: their own links are followed.

    A link of somebody else's may be planted (``/tmp``), and is replaced. A device or a FIFO
    (``/dev/stdout``, a process substitution) is written into, since replacing it by a file would
    break what it is for; everything else is replaced, see ``replace_file``.

    Raises:
        UnreadableError: it cannot be written.
    """
    if _is_foreign_link(path):
        replace_file(path, content)
        return
    try:
        special = not stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        special = False
    if not special:
        replace_file(Path(os.path.realpath(path)), content)
        return
    try:
        with open(path, "wb") as file:
            file.write(content)
    except OSError as error:
        raise _failed(path, "cannot be written", error) from error


def _is_foreign_link(path: Path) -> bool:
    try:
        found = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISLNK(found.st_mode) and found.st_uid not in {os.geteuid(), 0}


def _replace(path: Path, content: bytes, mode: int, standing: os.stat_result | None = None) -> None:
    """Write and rename; ``standing``: whose mode and owner the new file gets."""

    def write(descriptor: int) -> None:
        if standing is not None:
            with contextlib.suppress(PermissionError):  # only root gives files away
                os.fchown(descriptor, standing.st_uid, standing.st_gid)
            os.fchmod(descriptor, stat.S_IMODE(standing.st_mode))
        left = memoryview(content)
        while left:
            left = left[os.write(descriptor, left) :]

    _fill(path, mode, write)


def _fill(path: Path, mode: int, write: Callable[[int], _Told]) -> _Told:
    """Let ``write`` fill a temporary file, sync it, and rename it over ``path``."""
    temporary, descriptor = _open_temporary(path, mode)
    try:
        try:
            told = write(descriptor)
            os.fsync(descriptor)
            os.replace(temporary, path)
        finally:
            os.close(descriptor)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    _sync_folder(path.parent)
    return told


def _open_temporary(path: Path, mode: int) -> tuple[Path, int]:
    """Create and lock a temporary file; once more if a sweeper was faster than the lock."""
    while True:
        name = f"{_TEMPORARY_MARK}{path.name}.{secrets.token_hex(6)}"
        temporary = path.with_name(name)
        descriptor = os.open(temporary, _FILE_FLAGS, mode)
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(descriptor).st_nlink:
            return temporary, descriptor
        os.close(descriptor)


def sweep(folder: Path, name: str = "") -> None:
    """Remove temporary files that killed runs left in ``folder``; those of file ``name``, if given.

    A temporary file that is locked is being written by a run that lives.
    """
    with contextlib.suppress(OSError):
        for entry in os.listdir(folder):
            if entry.startswith(f"{_TEMPORARY_MARK}{name}"):
                with contextlib.suppress(OSError):
                    _sweep_one(folder / entry)


def _sweep_one(path: Path) -> None:
    descriptor = os.open(path, _LOOK_FLAGS)
    try:
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(path)
    finally:
        os.close(descriptor)


def write_streamed(path: Path, write: Callable[[int], _Told]) -> _Told:
    """Let ``write`` fill a private file beside ``path``, sync it, rename it over, and return.

    Raises:
        UnreadableError: it cannot be written; what stood at ``path`` still stands.
    """
    try:
        return _fill(path, _PRIVATE_FILE, write)
    except OSError as error:
        raise _failed(path, "cannot be written", error) from error


def remove_folder(path: Path) -> None:
    """Remove a folder and what is in it; no link is followed, and nothing happens without it.

    Raises:
        UnreadableError: it cannot be removed.
    """
    try:
        shutil.rmtree(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise _failed(path, "cannot be removed", error) from error


def remove_file(path: Path) -> None:
    """Remove a file; a link is removed itself, and nothing happens if nothing is there.

    Raises:
        UnreadableError: it cannot be removed.
    """
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise _failed(path, "cannot be removed", error) from error


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, _FOLDER_FLAGS)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:  # file systems on which a folder cannot be synced
            raise
    finally:
        os.close(descriptor)


def _failed(path: Path, what: str, error: OSError) -> UnreadableError:
    return _refused(path, f"{what} ({error.strerror})")


def _refused(path: Path, what: str) -> UnreadableError:
    return UnreadableError(
        Problem(
            message=f"`{path}` {what}",
            at=str(path),
            hint="name a place that can be written to",
        )
    )
