"""Removing records that an interrupted install left, and that no installer can uninstall."""

from collections.abc import Iterable
from pathlib import Path

from envaudit.doors import disk_write


def clear_records(root: Path, folders: Iterable[str]) -> None:
    """Remove record folders of the environment at ``root``; nothing else is taken.

    Raises:
        UnreadableError: one cannot be removed.
    """
    for folder in folders:
        if folder.endswith(".dist-info") and not folder.startswith(("/", "../")):
            disk_write.remove_folder(root / folder)
