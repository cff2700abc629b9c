"""What is recorded of one change: its journal, and how much was kept for the way back."""

from pathlib import Path

from envaudit.core import journal_codec
from envaudit.doors import disk
from envaudit.doors.tree import list_states
from envaudit.model.errors import Problem, UnreadableError
from envaudit.model.journal import Entry
from envaudit.readers.dockets import Docket

_LIMIT = 256 * disk.MEBIBYTE


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


def measure_kept(docket: Docket) -> int:
    """Return how many bytes are kept for a change; what cannot be looked at counts nothing."""
    try:
        with disk.open_folder(docket.folder) as folder:
            return sum(int(state.split()[1]) for state in list_states(folder).values() if state)
    except disk.DiskError:
        return 0


def count_aside(docket: Docket) -> int:
    """Return how many files were set aside on the way back."""
    try:
        with disk.open_folder(docket.aside) as folder:
            return sum(bool(state) for state in list_states(folder).values())
    except disk.DiskError:
        return 0
