"""What is recorded of one change: its journal, and how much was kept for the way back."""

from pathlib import Path

from envaudit.core import journal_codec
from envaudit.doors import disk
from envaudit.doors.tree import list_states
from envaudit.model.bundle import Stashed
from envaudit.model.errors import Problem, UnreadableError
from envaudit.model.journal import Entry
from envaudit.model.snapshot import Snapshot
from envaudit.readers.dockets import Docket, list_changes

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


def collect_stashes(shelf: Path, target: Snapshot) -> tuple[Stashed, ...]:
    """Return what the changes on a shelf kept, the best for the snapshot ``target`` first.

    What the first change after the snapshot packed is what stood at the snapshot; what was packed
    before may have been edited since.

    Raises:
        UnreadableError: a journal cannot be read, or the shelf not be believed.
    """
    taken = target.provenance.taken or ""
    entries = [read_entry(docket.ended) for docket in list_changes(shelf).ended]
    after = [entry for entry in entries if entry.begun >= taken]
    before = [entry for entry in entries if entry.begun < taken]
    return tuple(one for entry in (*after, *reversed(before)) for one in entry.stash)


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
