"""Keeping a snapshot: the old file or the new one, never a torn one."""

from pathlib import Path

from envaudit.doors import disk_write


def keep_snapshot(path: Path, text: str, *, private: bool) -> None:
    """Write ``text`` to ``path``, making its folder; ``private``: readable by owner and group.

    Raises:
        UnreadableError: it cannot be written; what stood there still stands.
    """
    disk_write.make_folder(path.parent, private=private)
    disk_write.sweep(path.parent)
    disk_write.replace_file(path, text.encode("ascii"))
