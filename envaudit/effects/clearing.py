"""Clearing what an install left, and what an installer does not put back: places, permissions.

No link inside the environment is followed, so that nothing outside of it is reached.
"""

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from envaudit.doors import disk, disk_write, moving


def clear_records(root: Path, folders: Iterable[str]) -> None:
    """Remove record folders of the environment at ``root``; nothing else is taken.

    Raises:
        UnreadableError: one cannot be removed.
    """
    for folder in folders:
        if folder.endswith(".dist-info") and not _leads_out(folder):
            moving.remove_entry(root, folder)


def set_aside(root: Path, paths: Iterable[str], aside: Path) -> None:
    """Move files of the environment at ``root`` to the private folder ``aside``: nothing is lost.

    What is gone already is passed over. Folders that are empty then are removed.

    Raises:
        UnreadableError: one cannot be moved.
    """
    emptied: set[str] = set()
    for path in paths:
        if _leads_out(path):
            continue
        disk_write.make_shelf(aside.parent, aside)
        moving.move_entry(root, aside, path, mode=0o750)
        emptied.update(str(parent) for parent in PurePosixPath(path).parents)
    for folder in sorted(emptied - {"."}, reverse=True):
        moving.remove_empty_below(root, folder)


def bring_back(root: Path, paths: Iterable[str], aside: Path) -> None:
    """Move what was set aside back to the environment at ``root``.

    Raises:
        UnreadableError: something cannot be moved.
    """
    for path in paths:
        if not _leads_out(path) and disk.is_folder(aside):
            moving.move_entry(aside, root, path, mode=0o777)


def set_modes(root: Path, modes: Iterable[tuple[str, int]]) -> None:
    """Give files of the environment at ``root`` the permission bits that they had.

    Raises:
        UnreadableError: that is not allowed.
    """
    for path, mode in modes:
        moving.set_mode(root, path, mode)


def _leads_out(path: str) -> bool:
    return path.startswith("/") or ".." in path.split("/")
