"""The journal: what a change is about to do, on disk before anything moves, and how it ended."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from envaudit.core import journal_codec
from envaudit.doors import disk_write, lock
from envaudit.model.errors import UnreadableError
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
    with suppress(UnreadableError):  # it says nothing any more, and goes when the change is dropped
        disk_write.remove_file(begun)


def forget_entry(begun: Path) -> None:
    """Remove the journal of a change that did not come to begin.

    Raises:
        UnreadableError: it cannot be removed; then it counts as interrupted.
    """
    disk_write.remove_file(begun)


def drop_changes(changes: Iterable[tuple[Path, Path, Path]]) -> None:
    """Remove changes: of each the folder with what was kept, and its journals, begun and ended.

    The one that says how it ended goes last: without it, what began counts as interrupted.

    Raises:
        UnreadableError: one cannot be removed.
    """
    for folder, begun, ended in changes:
        disk_write.remove_folder(folder)
        disk_write.remove_file(begun)
        disk_write.remove_file(ended)


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
