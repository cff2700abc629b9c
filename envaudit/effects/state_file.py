"""Keeping what a report holds: the file that ``-o`` names."""

from pathlib import Path

from envaudit.doors import disk_write


def keep_report(path: Path, text: str) -> None:
    """Write the rendered report to ``path``, whose folder must be there.

    Raises:
        UnreadableError: it cannot be written; what stood there still stands.
    """
    disk_write.sweep(path.parent, path.name)
    disk_write.write_named(path, text.encode("utf-8", "backslashreplace"))
