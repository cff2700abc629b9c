"""What is in an environment, file by file, before it is changed: so that strays are known later."""

from pathlib import Path

from envaudit.core import journal_codec
from envaudit.doors import disk
from envaudit.doors.disk import DiskError
from envaudit.doors.tree import list_states
from envaudit.model.errors import Problem, UnreadableError
from envaudit.model.journal import FileStates

_LIMIT = 256 * disk.MEBIBYTE
_BYTECODE = frozenset({"__pycache__"})
"""Whoever imports a module writes there: it is nobody's change."""


def measure_states(root: Path) -> FileStates:
    """List what is in the environment at ``root``; no link is followed.

    What lies in ``root`` itself is not listed: uv's lock, ``pyvenv.cfg`` and the like.

    Raises:
        UnreadableError: not everything can be listed.
    """
    try:
        with disk.open_folder(root) as environment:
            states = list_states(environment, _BYTECODE)
    except DiskError as error:
        raise UnreadableError(
            Problem(
                message=f"the environment {error.reason}, so its files cannot be listed",
                at=str(root),
                hint="make it readable, or change it as its owner",
            )
        ) from error
    return {path: state for path, state in states.items() if "/" in path}


def list_below(root: Path, path: str) -> tuple[str, ...]:
    """Return the files and links below the folder ``path`` of the environment at ``root``, sorted.

    ``path`` itself where it is no folder, or cannot be listed.
    """
    try:
        with disk.open_folder(root) as environment, environment.folder_below(path) as folder:
            states = list_states(folder)
    except DiskError:
        return (path,)
    return tuple(sorted(f"{path}/{name}" for name, state in states.items() if state))


def read_states(path: Path) -> FileStates | None:
    """Read the listing that was kept at ``path``; ``None``: there is none.

    Raises:
        UnreadableError: it cannot be read.
    """
    try:
        content = disk.read_file(path, limit=_LIMIT)
    except disk.AbsentError:
        return None
    except DiskError as error:
        raise UnreadableError(
            Problem(message=f"the list `{path}` {error.reason}", at=str(path))
        ) from error
    return journal_codec.decode_states(content, str(path))
