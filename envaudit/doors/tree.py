"""The door for looking at everything below a folder: what is there, and of what kind it is.

One ``scandir`` a folder and no ``stat`` a file. Each folder is opened from its parent's descriptor,
and no link is followed.
"""

import os
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from envaudit.doors.disk import (
    FOLDER_FLAGS,
    MAXIMUM_ENTRIES,
    DiskError,
    Folder,
    open_inside,
    translate,
)

_MAXIMUM_DEPTH = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """Everything below one folder, by path from it (``pkg/__init__.py``). No link was followed."""

    files: AbstractSet[str]
    """Whatever is no folder and no link: regular files, and the odd FIFO."""
    folders: AbstractSet[str]
    links: AbstractSet[str]
    """Symbolic links that lead to something, whatever it is."""
    dangling: AbstractSet[str]
    """Symbolic links that lead nowhere."""
    unread: tuple[tuple[str, str], ...]
    """Folders that could not be listed, and why."""


def list_tree(folder: Folder, skip: frozenset[str] = frozenset()) -> Tree:
    """List everything below ``folder``; folders whose name is in ``skip`` are not entered.

    Folders more than 64 deep, and what comes after a million entries, are not listed, and said not
    to be.
    """
    walk = _Walk(skip)
    walk.enter(folder.descriptor(), "", _MAXIMUM_DEPTH)
    return Tree(
        files=walk.files,
        folders=walk.folders,
        links=walk.links,
        dangling=walk.dangling,
        unread=tuple(walk.unread),
    )


def list_states(folder: Folder, skip: frozenset[str] = frozenset()) -> Mapping[str, str]:
    """Return what the file system tells of everything below ``folder``, by path from it.

    Inode, size and time of the last write of a file or a link: what is replaced or written to gets
    others. Of a folder nothing: an empty text. ``skip`` as in ``list_tree``.

    Raises:
        DiskError: not everything could be listed.
    """
    tree = list_tree(folder, skip)
    for path, reason in tree.unread:
        raise DiskError(f"holds the folder `{path}`, which {reason}")
    states = dict.fromkeys(tree.folders, "")
    for path in (*tree.files, *tree.links, *tree.dangling):
        try:
            found = os.stat(path, dir_fd=folder.descriptor(), follow_symlinks=False)
        except FileNotFoundError:  # gone meanwhile
            continue
        except OSError as error:
            raise translate(error) from error
        states[path] = f"{found.st_ino} {found.st_size} {found.st_mtime_ns}"
    return states


class _Walk:
    """Collects what lies below one folder, each folder opened from its parent's descriptor."""

    def __init__(self, skip: frozenset[str]) -> None:
        self._skip = skip
        self.files: set[str] = set()
        self.folders: set[str] = set()
        self.links: set[str] = set()
        self.dangling: set[str] = set()
        self.unread: list[tuple[str, str]] = []

    def enter(self, descriptor: int, prefix: str, depth: int) -> None:
        if not depth or len(self.files) > MAXIMUM_ENTRIES:
            self.unread.append((prefix, "lies deeper, or after more entries, than is looked at"))
            return
        try:
            with os.scandir(descriptor) as listing:
                entries = list(listing)
        except OSError as error:
            self.unread.append((prefix, translate(error).reason))
            return
        # Comprehensions, since this is the one place that sees every file there is.
        others = [entry for entry in entries if not entry.is_file(follow_symlinks=False)]
        names = [prefix + entry.name for entry in entries]
        self.files.update(names)
        if others:
            self.files.difference_update([prefix + entry.name for entry in others])
        for entry in others:
            self._take(entry, descriptor, prefix, depth)

    def _take(self, entry: "os.DirEntry[str]", descriptor: int, prefix: str, depth: int) -> None:
        path = prefix + entry.name
        if entry.is_symlink():
            leads = _leads_somewhere(entry.name, descriptor)
            (self.links if leads else self.dangling).add(path)
        elif entry.is_dir(follow_symlinks=False):
            self.folders.add(path)
            if entry.name not in self._skip:
                self._descend(descriptor, entry.name, prefix, depth)
        else:
            self.files.add(path)

    def _descend(self, descriptor: int, name: str, prefix: str, depth: int) -> None:
        try:
            inner = open_inside(name, FOLDER_FLAGS | os.O_NOFOLLOW, inside=descriptor)
        except DiskError as error:
            self.unread.append((prefix + name, error.reason))
            return
        try:
            self.enter(inner, f"{prefix}{name}/", depth - 1)
        finally:
            os.close(inner)


def _leads_somewhere(name: str, descriptor: int) -> bool:
    """Return whether a link leads to something. What it leads to is looked at, never opened."""
    try:
        os.stat(name, dir_fd=descriptor)
    except OSError:
        return False
    return True
