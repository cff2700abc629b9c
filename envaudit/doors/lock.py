"""The door to a lock that dies with its holders: ``flock``, waited for within bounds."""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from envaudit.model.errors import BusyError, Problem, UnreadableError

_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
_PAUSE = 0.05


@contextmanager
def hold(path: Path, seconds: float) -> Iterator[int]:
    """Hold the lock of the file ``path`` for the block; yield its descriptor.

    A program that inherits the descriptor holds the lock as well: so it stays taken while an
    installer runs whose envaudit was killed.

    Raises:
        BusyError: somebody else held it for ``seconds``.
        UnreadableError: the file cannot be opened, or its file system has no locks.
    """
    try:
        descriptor = os.open(path, _FLAGS, 0o600)
    except OSError as error:
        raise _failed(path, error) from error
    try:
        _take(descriptor, path, time.monotonic() + seconds)
        yield descriptor
    finally:
        with contextlib.suppress(OSError):  # nothing was written to it: it is free in any case
            os.close(descriptor)


def _take(descriptor: int, path: Path, deadline: float) -> None:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise BusyError(
                    Problem(
                        message="another change of this environment is under way",
                        at=str(path),
                        hint="try again when it is done, or wait longer with `--wait SECONDS`",
                    )
                ) from None
            time.sleep(_PAUSE)
        except OSError as error:
            raise _failed(path, error) from error
        else:
            return


def _failed(path: Path, error: OSError) -> UnreadableError:
    return UnreadableError(
        Problem(
            message=f"the lock `{path}` cannot be taken ({error.strerror}), so nothing is changed",
            at=str(path),
            hint="set `ENVAUDIT_STATE` to a folder on a file system with locks",
        )
    )


def is_held(path: Path) -> bool:
    """Return whether somebody holds the lock of the file ``path`` right now."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        with contextlib.suppress(OSError):
            os.close(descriptor)
    return False
