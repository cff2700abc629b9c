"""Digests of files that did not change since they were read: what makes a second run fast.

A file is known by its ``Status.identity``. The time of its inode, which is a part of that, is set
by the kernel at every change of content, name or mode, and by no program: whoever restores size and
time of an edited file still leaves another one. A digest is kept only of a file that had been left
alone for two seconds when it was read, so that a change within the same tick of the file system's
clock cannot hide (what git does with its index). Whoever can set the machine's clock back, or
writes through a memory map that was open before, can deceive it: ``--no-cache`` reads anew.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from envaudit.doors import disk, ownership
from envaudit.doors.disk import DiskError

NAME = "files.cache"
_HEAD = "envaudit.files/1"
_LIMIT = 256 * disk.MEBIBYTE


def parse_cache(text: str) -> dict[str, str]:
    """Return digests by what their files are known by; none of a text of another kind."""
    head, _, body = text.partition("\n")
    if head != _HEAD:
        return {}
    known: dict[str, str] = {}
    for line in body.split("\n"):
        identity, blank, digest = line.rpartition(" ")
        if blank:
            known[identity] = digest
    return known


def compose_cache(known: Mapping[str, str]) -> str:
    """Return the text of the cache."""
    return "".join((f"{_HEAD}\n", *(f"{key} {digest}\n" for key, digest in sorted(known.items()))))


def read_cache(shelf: Path) -> dict[str, str]:
    """Return what the cache on ``shelf`` knows: nothing where there is none to be trusted."""
    if ownership.find_fault_of_state(shelf.parent, shelf) is not None:
        return {}
    try:
        with disk.open_folder(shelf) as folder:
            content = folder.read(NAME, limit=_LIMIT)
    except DiskError:
        return {}
    return parse_cache(content.decode("ascii", "replace"))


def differ(before: Mapping[str, str], after: Iterable[str]) -> bool:
    """Return whether a run saw other files than the cache knows."""
    return before.keys() != set(after)
