"""Which files and folders are opened meanwhile, however they are opened: Python itself tells."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_EVENTS = frozenset({"open", "os.listdir", "os.scandir"})
# A hook of Python's cannot be taken away again: there is one, and it listens while somebody does.
_listening: list[list[str]] = []


def _hear(event: str, arguments: tuple[object, ...]) -> None:
    if _listening and event in _EVENTS:
        for paths in _listening:
            paths.append(str(arguments[0]))


sys.addaudithook(_hear)


@contextmanager
def watch_opened() -> Iterator[list[str]]:
    """Return the paths that this process opens from now on, in a list that grows."""
    paths: list[str] = []
    _listening.append(paths)
    try:
        yield paths
    finally:
        _listening[:] = [each for each in _listening if each is not paths]
