"""The journals on an environment's shelf: which changes there were, and which were interrupted.

``change-TIME.json``, and beside it the folder ``change-TIME`` with what was stashed.
"""

from datetime import datetime
from pathlib import Path

from envaudit.core import journal_codec
from envaudit.doors import disk, ownership
from envaudit.model.errors import Problem, UnreadableError
from envaudit.model.journal import Entry

_LIMIT = 256 * disk.MEBIBYTE
_START = "change-"


def entry_path(shelf: Path, begun: datetime) -> Path:
    """Return where the journal of a change that begins now is kept: names sort by time."""
    return shelf / f"{_START}{begun:%Y%m%dT%H%M%S}.{begun.microsecond:06d}Z.json"


def stash_folder(path: Path) -> Path:
    """Return where the stash lies that belongs to the journal at ``path``."""
    return path.with_suffix("")


def entry_paths(shelf: Path) -> tuple[Path, ...]:
    """Return the journals on a shelf, oldest first; none where there is no shelf.

    Raises:
        UnreadableError: others may write to the shelf, so that nothing on it can be believed.
    """
    fault = ownership.find_fault_of_state(shelf.parent, shelf)
    if fault is not None:
        raise UnreadableError(fault)
    try:
        with disk.open_folder(shelf) as folder:
            return tuple(
                shelf / name
                for name in folder.names()
                if name.startswith(_START) and name.endswith(".json") and folder.is_regular(name)
            )
    except disk.AbsentError:
        return ()
    except disk.DiskError as error:
        raise UnreadableError(
            Problem(message=f"`{shelf}` {error.reason}", at=str(shelf))
        ) from error


def read_entry(path: Path) -> Entry:
    """Read the journal of one change.

    Raises:
        UnreadableError: it cannot be read, or is none.
    """
    try:
        content = disk.read_file(path, limit=_LIMIT)
    except disk.DiskError as error:
        raise UnreadableError(
            Problem(message=f"the journal `{path}` {error.reason}", at=str(path))
        ) from error
    return journal_codec.decode(content.decode("utf-8", "replace"), str(path))


def find_interrupted(shelf: Path) -> tuple[Path, Entry] | None:
    """Return the newest change without an outcome, with its journal's place.

    Raises:
        UnreadableError: the shelf cannot be believed, or a journal cannot be read.
    """
    for path in reversed(entry_paths(shelf)):
        entry = read_entry(path)
        if entry.outcome is None:
            return path, entry
    return None
