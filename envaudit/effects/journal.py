"""The journal: what a change is about to do, on disk before anything moves, and how it ended."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from envaudit.core import journal_codec
from envaudit.doors import disk_write, lock
from envaudit.model.journal import Entry, FileStates


def keep_states(path: Path, states: FileStates) -> None:
    """Keep what is in an environment before it is changed, in a private folder.

    Raises:
        UnreadableError: it cannot be written, or others may write there too.
    """
    disk_write.make_shelf(path.parent.parent, path.parent)
    disk_write.replace_file(path, journal_codec.encode_states(states), private=True)


def begin_entry(path: Path, entry: Entry) -> None:
    """Write the journal of one change, and sync it.

    Raises:
        UnreadableError: it cannot be written, or others may write there too; what stood there still
            stands.
    """
    disk_write.make_shelf(path.parent.parent, path.parent)
    disk_write.sweep(path.parent, path.name)
    text = journal_codec.encode(entry)
    disk_write.replace_file(path, text.encode("ascii"), private=True)


def end_entry(begun: Path, ended: Path, entry: Entry) -> None:
    """Write how a change ended to ``ended``; then ``begun`` goes.

    Raises:
        UnreadableError: it cannot be written; then it still counts as interrupted.
    """
    begin_entry(ended, entry)
    disk_write.remove_file(begun)


def drop_changes(changes: Iterable[tuple[Path, Path]]) -> None:
    """Remove changes: of each its journal, and the folder with what was kept for it.

    Raises:
        UnreadableError: one cannot be removed.
    """
    for journal, folder in changes:
        disk_write.remove_folder(folder)
        disk_write.remove_file(journal)


@contextmanager
def take_turn(path: Path, seconds: float) -> Iterator[int]:
    """Let nobody else change an environment for the block: hold the lock ``path``; ``lock.hold``.

    Raises:
        BusyError: somebody else does, and did for ``seconds``.
        UnreadableError: the shelf or the lock cannot be made, or others may write there.
    """
    disk_write.make_shelf(path.parent.parent, path.parent)
    with lock.hold(path, seconds) as descriptor:
        yield descriptor
