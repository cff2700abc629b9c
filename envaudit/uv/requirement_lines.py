"""The lines of a requirements file, and of those that it names."""

import re
from collections.abc import Iterator
from pathlib import Path

from envaudit.doors import disk
from envaudit.model.errors import Problem, UnreadableError

_LIMIT = disk.MEBIBYTE
_DEEPEST = 8
# pip takes beginnings of options for them here, too.
_ANOTHER = re.compile(r"(?P<option>-r|--requirem[a-z]*|-c|--c[a-z]*)[= ]*(?P<file>\S+)")


def read_lines(path: Path, *, constraints: bool = True) -> Iterator[str]:
    """Yield the lines of ``path`` without comments; of files that it names, theirs.

    ``constraints``: whether constraint files are read, too.

    Raises:
        UnreadableError: a file cannot be read, or they name one another without end.
    """
    yield from _read(path, constraints=constraints, depth=0)


def _read(path: Path, *, constraints: bool, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        raise _unreadable(path, "is named by too many files in a row")
    try:
        text = disk.read_file(path, limit=_LIMIT).decode("utf-8", "replace")
    except disk.DiskError as error:
        raise _unreadable(path, error.reason) from error
    for line in text.replace("\\\n", " ").splitlines():
        words = re.split(r"(?:^|\s)#", line, maxsplit=1)[0].strip()
        match = _ANOTHER.match(words)
        if match is None:
            if words:
                yield words
        elif constraints or match["option"].startswith(("-r", "--r")):
            yield from _read(path.parent / match["file"], constraints=constraints, depth=depth + 1)


def _unreadable(path: Path, reason: str) -> UnreadableError:
    return UnreadableError(
        Problem(message=f"`{path}` {reason}", at=str(path), hint="name a readable file")
    )
