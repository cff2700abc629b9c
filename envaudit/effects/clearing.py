"""Clearing what an interrupted install left: records that no installer can remove, and strays."""

from collections.abc import Iterable
from pathlib import Path

from envaudit.doors import disk_write


def clear_records(root: Path, folders: Iterable[str]) -> None:
    """Remove record folders of the environment at ``root``; nothing else is taken.

    Raises:
        UnreadableError: one cannot be removed.
    """
    for folder in folders:
        if folder.endswith(".dist-info") and not _leads_out(folder):
            disk_write.remove_folder(root / folder)


def set_aside(root: Path, paths: Iterable[str], aside: Path) -> None:
    """Move files of the environment at ``root`` to the folder ``aside``: nothing is lost.

    What is gone already is passed over. Folders that are empty then are removed.

    Raises:
        UnreadableError: one cannot be moved.
    """
    emptied: set[Path] = set()
    for path in paths:
        if not _leads_out(path):
            disk_write.move_file(root / path, aside / path)
            emptied.update((root / path).parents)
    for folder in sorted(emptied - {root, *root.parents}, reverse=True):
        disk_write.remove_empty_folder(folder)


def bring_back(root: Path, paths: Iterable[str], aside: Path) -> None:
    """Move what was set aside back to the environment at ``root``.

    Raises:
        UnreadableError: something cannot be moved.
    """
    for path in paths:
        if not _leads_out(path):
            disk_write.move_file(aside / path, root / path)


def _leads_out(path: str) -> bool:
    return path.startswith("/") or ".." in path.split("/")
