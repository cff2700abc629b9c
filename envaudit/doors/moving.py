"""The door for moving and removing inside an environment: no folder on the way may be a link.

Who may write to an environment may put a link in a folder's place at any moment. So every folder is
opened from its parent's descriptor, and what is moved or removed is named relative to that.
"""

import contextlib
import errno
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from envaudit.doors.disk import FOLDER_FLAGS
from envaudit.model.errors import Problem, UnreadableError

_INNER_FLAGS = FOLDER_FLAGS | os.O_NOFOLLOW
_READ_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
_WRITE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_CHUNK = 1024 * 1024


def move_entry(source: Path, target: Path, path: str, *, mode: int) -> None:
    """Move the file or link at ``path`` below the folder ``source`` to that below ``target``.

    Folders are made below ``target``, with ``mode`` less the umask. Another file system is copied
    to. What is not there is not moved; what stands at the target stays, and this goes beside it.

    Raises:
        UnreadableError: it cannot be moved, a folder on the way is a link, or ``path`` leads out;
            then it is where it was.
    """
    try:
        with (
            _open_parent(source, path) as (taken, name),
            _open_parent(target, path, mode=mode) as (given, _),
        ):
            os.stat(name, dir_fd=taken, follow_symlinks=False)
            free = _find_free(name, given)
            try:
                os.rename(name, free, src_dir_fd=taken, dst_dir_fd=given)
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
                _copy(name, taken, given, free)
                os.unlink(name, dir_fd=taken)
            os.fsync(given)
    except FileNotFoundError:
        return
    except OSError as error:
        raise _failed(source / path, "cannot be moved", error) from error


def remove_entry(root: Path, path: str) -> None:
    """Remove what is at ``path`` below the folder ``root``: a folder with all that is in it.

    A link is removed itself, and nothing happens if nothing is there.

    Raises:
        UnreadableError: it cannot be removed, a folder on the way is a link, or ``path`` leads out.
    """
    try:
        with _open_parent(root, path) as (parent, name):
            found = os.stat(name, dir_fd=parent, follow_symlinks=False)
            if stat.S_ISDIR(found.st_mode):
                shutil.rmtree(name, dir_fd=parent)
            else:
                os.unlink(name, dir_fd=parent)
    except FileNotFoundError:
        return
    except OSError as error:
        raise _failed(root / path, "cannot be removed", error) from error


def remove_empty_below(root: Path, path: str) -> None:
    """Remove the folder at ``path`` below ``root`` if nothing is in it; nothing happens else."""
    with contextlib.suppress(OSError), _open_parent(root, path) as (parent, name):
        os.rmdir(name, dir_fd=parent)


def set_mode(root: Path, path: str, mode: int) -> None:
    """Give the regular file at ``path`` below ``root`` its permission bits, if it is there.

    Raises:
        UnreadableError: that is not allowed, or a folder on the way is a link.
    """
    try:
        with _open_parent(root, path) as (parent, name):
            descriptor = os.open(name, _READ_FLAGS, dir_fd=parent)
            try:
                found = os.fstat(descriptor).st_mode
                if stat.S_ISREG(found) and stat.S_IMODE(found) != mode:
                    os.fchmod(descriptor, mode & 0o777)
            finally:
                os.close(descriptor)
    except FileNotFoundError:
        return
    except OSError as error:
        raise _failed(root / path, "cannot be given its permissions", error) from error


@contextmanager
def _open_parent(root: Path, path: str, *, mode: int | None = None) -> Iterator[tuple[int, str]]:
    """Open the folder that holds ``path`` below ``root``; yield its descriptor, and the name in it.

    ``mode``: that of folders which are not there; ``None``: they are not made.
    """
    *parts, name = path.split("/")
    if not name or {"", ".", ".."} & {*parts, name}:
        raise OSError(errno.EINVAL, "it leads out of its folder")
    descriptor = os.open(root, FOLDER_FLAGS)
    try:
        for part in parts:
            if mode is not None:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(part, mode, dir_fd=descriptor)
            inner = os.open(part, _INNER_FLAGS, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        yield descriptor, name
    finally:
        os.close(descriptor)


def _find_free(name: str, folder: int) -> str:
    """Return ``name``, or the first of ``name~1``, ``name~2`` … that is not there."""
    names = (f"{name}~{number}" if number else name for number in count())
    return next(free for free in names if not _is_there(free, folder))


def _is_there(name: str, folder: int) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _copy(name: str, taken: int, given: int, free: str) -> None:
    """Copy a file or a link between folders of two file systems: all of it, or none."""
    found = os.stat(name, dir_fd=taken, follow_symlinks=False)
    if not stat.S_ISREG(found.st_mode) and not stat.S_ISLNK(found.st_mode):
        raise OSError(errno.EINVAL, "it is neither a file nor a link")
    temporary = f".envaudit-{secrets.token_hex(6)}"
    try:
        if stat.S_ISLNK(found.st_mode):
            os.symlink(os.readlink(name, dir_fd=taken), temporary, dir_fd=given)
        else:
            _copy_file(os.open(name, _READ_FLAGS, dir_fd=taken), temporary, given)
        os.rename(temporary, free, src_dir_fd=given, dst_dir_fd=given)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=given)
        raise


def _copy_file(source: int, name: str, given: int) -> None:
    """Copy what the descriptor ``source`` reads, mode and time included, and close it."""
    try:
        target = os.open(name, _WRITE_FLAGS, 0o600, dir_fd=given)
        try:
            while chunk := os.read(source, _CHUNK):
                left = memoryview(chunk)
                while left:
                    left = left[os.write(target, left) :]
            found = os.fstat(source)
            os.fchmod(target, stat.S_IMODE(found.st_mode) & 0o777)
            os.utime(target, ns=(found.st_atime_ns, found.st_mtime_ns))
            os.fsync(target)
        finally:
            os.close(target)
    finally:
        os.close(source)


def _failed(path: Path, what: str, error: OSError) -> UnreadableError:
    return UnreadableError(
        Problem(
            message=f"`{path}` {what} ({error.strerror})",
            at=str(path),
            hint="look at what stands there: no link is followed on the way to it",
        )
    )
