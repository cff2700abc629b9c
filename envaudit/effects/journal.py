"""The journal: what a change is about to do, on disk before anything moves, and how it ended."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from envaudit.core import journal_codec
from envaudit.doors import disk_write, lock
from envaudit.model.journal import Entry

LOCK = "change.lock"


def write_entry(path: Path, entry: Entry) -> None:
    """Write the journal of one change, and sync it.

    Raises:
        UnreadableError: it cannot be written, or others may write there too; what stood there still
            stands.
    """
    disk_write.make_shelf(path.parent.parent, path.parent)
    disk_write.sweep(path.parent, path.name)
    text = journal_codec.encode(entry)
    disk_write.replace_file(path, text.encode("ascii"), private=True)


def drop_entries(paths: Iterable[Path]) -> None:
    """Remove journals of changes, each with its stash.

    Raises:
        UnreadableError: one cannot be removed.
    """
    for path in paths:
        disk_write.remove_folder(path.with_suffix(""))
        disk_write.remove_file(path)


@contextmanager
def take_turn(shelf: Path, seconds: float) -> Iterator[int]:
    """Let nobody else change the environment of ``shelf`` for the block; see ``lock.hold``.

    Raises:
        BusyError: somebody else does, and did for ``seconds``.
        UnreadableError: the shelf or the lock cannot be made, or others may write there.
    """
    disk_write.make_shelf(shelf.parent, shelf)
    with lock.hold(shelf / LOCK, seconds) as descriptor:
        yield descriptor
