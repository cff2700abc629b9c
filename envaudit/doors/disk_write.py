"""The door for writing: a file is the old one or the new one, whatever happens on the way."""

import contextlib
import os
import secrets
from pathlib import Path

from envaudit.model.errors import Problem, UnreadableError

_TEMPORARY_MARK = ".envaudit-"


def make_folder(path: Path, *, private: bool) -> None:
    """Create ``path`` and its parents; ``private`` ones are never group- or world-writable.

    Raises:
        UnreadableError: it cannot be created.
    """
    try:
        path.mkdir(mode=0o750 if private else 0o777, parents=True, exist_ok=True)
    except OSError as error:
        raise _failed(path, "cannot be created", error) from error


def replace_file(path: Path, content: bytes) -> None:
    """Write ``content`` to a temporary file beside ``path``, sync it, and rename it over.

    A reader sees the old file or the new one; so does the disk after a power cut.

    Raises:
        UnreadableError: it cannot be written; what stood at ``path`` still stands.
    """
    temporary = path.with_name(f"{_TEMPORARY_MARK}{path.name}.{secrets.token_hex(6)}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(temporary, flags, 0o640)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
        _sync_folder(path.parent)
    except OSError as error:
        raise _failed(path, "cannot be written", error) from error


def sweep(folder: Path) -> None:
    """Remove temporary files that a killed run left in ``folder``."""
    for stale in folder.glob(f"{_TEMPORARY_MARK}*"):
        with contextlib.suppress(OSError):
            stale.unlink()


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _failed(path: Path, what: str, error: OSError) -> UnreadableError:
    return UnreadableError(
        Problem(
            message=f"`{path}` {what} ({error.strerror})",
            at=str(path),
            hint="name a place that can be written to",
        )
    )
