"""Keeping a snapshot: the old file or the new one, never a torn one."""

from collections.abc import Iterable
from pathlib import Path

from envaudit.doors import disk_write


def keep_snapshot(path: Path, text: str) -> None:
    """Write ``text`` to ``path``, a file that the user names, and make its folder if need be.

    Raises:
        UnreadableError: it cannot be written; what stood there still stands.
    """
    disk_write.make_folder(path.parent)
    disk_write.sweep(path.parent, path.name)
    disk_write.write_named(path, text.encode("ascii"))


def shelve_snapshot(path: Path, text: str) -> None:
    """Write ``text`` to ``path``, on an environment's shelf in the state directory.

    Raises:
        UnreadableError: it cannot be written, or others may write there too; what stood there still
            stands.
    """
    disk_write.make_shelf(path.parent.parent, path.parent)
    disk_write.sweep(path.parent)
    disk_write.replace_file(path, text.encode("ascii"), private=True)


def prune(paths: Iterable[Path]) -> None:
    """Remove snapshots from a shelf.

    Raises:
        UnreadableError: one cannot be removed.
    """
    for path in paths:
        disk_write.remove_file(path)
