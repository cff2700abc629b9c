"""The door to the alarm clock: what takes too long is given up."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from envaudit.model.errors import Problem, UnreadableError


class _LateError(BaseException):
    """Not an ``Exception``: nobody on the way may take it for an unreadable file and go on."""


@contextmanager
def within(seconds: float | None) -> Iterator[None]:
    """Give up what is done inside after ``seconds``; ``None``: never. In the main thread alone.

    Interrupted is what waits, too, except in the kernel (a network file system that is mounted
    hard).

    Raises:
        UnreadableError: the time was over.
    """
    if seconds is None:
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    except _LateError:
        raise UnreadableError(
            Problem(
                message=f"there was no answer within {seconds:g} seconds",
                hint="give more time: `--deadline`",
            )
        ) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise _LateError
