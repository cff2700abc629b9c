"""Keeping what a report holds: the file that ``-o`` names, and what the next run may use."""

from pathlib import Path

from envaudit.doors import disk_write


def keep_report(path: Path, text: str) -> None:
    """Write the rendered report to ``path``, whose folder must be there.

    Raises:
        UnreadableError: it cannot be written; what stood there still stands.
    """
    disk_write.sweep(path.parent, path.name)
    disk_write.write_named(path, text.encode("utf-8", "backslashreplace"))


def keep_state(path: Path, text: str) -> None:
    """Write ``text`` to ``path``, on an environment's shelf in the state directory.

    Raises:
        UnreadableError: it cannot be written, or others may write there too; what stood there still
            stands.
    """
    disk_write.make_shelf(path.parent.parent, path.parent)
    disk_write.sweep(path.parent, path.name)
    disk_write.replace_file(path, text.encode("ascii"), private=True)
