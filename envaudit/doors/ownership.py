"""The door to permissions: who else may write where envaudit reads its own things from."""

import os
import pwd
import stat
from collections.abc import Iterable
from pathlib import Path

from envaudit.model.errors import Problem


def find_open_to_others(path: Path, *, group: bool) -> Path | None:
    """Return the first of ``path``, where its links lead, and all parents that others may change.

    That is what the world may write to, unless it is a folder with the sticky bit (`/tmp`: what
    lies there belongs to its owner). ``group``: whether write permission of a group counts too.
    """
    wanted = stat.S_IWOTH | (stat.S_IWGRP if group else 0)
    named, real = Path(os.path.abspath(path)), Path(os.path.realpath(path))
    for place in dict.fromkeys((named, *named.parents, real, *real.parents)):
        try:
            mode = os.lstat(place).st_mode
        except OSError:
            continue  # what is not there cannot be written to; opening it tells
        sticky = stat.S_ISDIR(mode) and mode & stat.S_ISVTX
        if mode & wanted and not stat.S_ISLNK(mode) and not sticky:
            return place
    return None


def find_fault_of_state(state: Path, shelf: Path) -> Problem | None:
    """Return why nothing may be kept in ``shelf``, a folder of ``state``; ``None``: it may.

    Both must belong to the user who runs envaudit or to root, and be writable for their owner alone
    (else others could plant or exchange what is read from there); what is not there is no fault.
    ``state`` is named by the user or by systemd, and may be a link; ``shelf`` may not.
    """
    for folder, follow in ((state, True), (shelf, False)):
        try:
            found = os.stat(folder, follow_symlinks=follow)
        except FileNotFoundError:
            return None
        except OSError as error:
            return _refusal(folder, f"cannot be looked at ({error.strerror})", "name another one")
        fault = _judge(found)
        if fault is not None:
            return _refusal(folder, *fault)
    return None


def find_owner(paths: Iterable[Path]) -> tuple[Path, str] | None:
    """Return the first of ``paths`` that belongs to another user, and to whom; ``None``: none does.

    What belongs to root is no other user's. Of a link its own owner counts.
    """
    for path in paths:
        try:
            owner = os.lstat(path).st_uid
        except OSError:
            continue  # what is not there is nobody's
        if owner not in {os.geteuid(), 0}:
            return path, _name(owner)
    return None


def find_closed(folders: Iterable[Path]) -> Path | None:
    """Return the first of ``folders`` in which this user cannot make and remove files.

    On a file system that is read-only root cannot, either. What is not there is passed over.
    """
    for folder in folders:
        if os.path.isdir(folder) and not os.access(folder, os.W_OK | os.X_OK):
            return folder
    return None


def _name(user: int) -> str:
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return f"user {user}"


def find_fault_of_file(path: Path) -> str | None:
    """Return why a file that nobody named is not to be trusted, a predicate; ``None``: it is.

    It must belong to root or to the user who runs envaudit (for root: to root alone), and so must
    its folder; neither may be writable for the world.
    """
    for place in (path, path.parent):
        try:
            found = os.stat(place)
        except OSError as error:
            return f"cannot be looked at ({error.strerror})"
        where = "" if place == path else "lies in a folder that "
        if found.st_uid not in {os.geteuid(), 0}:
            return f"{where}belongs to another user"
        if found.st_mode & stat.S_IWOTH and not found.st_mode & stat.S_ISVTX:
            return f"{where}may be written to by everybody"
    return None


def _refusal(folder: Path, what: str, cure: str) -> Problem:
    return Problem(
        message=f"the state folder `{folder}` {what}",
        at=str(folder),
        hint=f"{cure}, or set `ENVAUDIT_STATE` to a private folder",
    )


def _judge(found: os.stat_result) -> tuple[str, str] | None:
    """Return what is wrong with a folder, and what to do about it."""
    if stat.S_ISLNK(found.st_mode):
        return "is a symbolic link", "remove it"
    if not stat.S_ISDIR(found.st_mode):
        return "is not a folder", "name another one"
    if found.st_uid not in {os.geteuid(), 0}:
        return "belongs to another user", "name a folder of your own"
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "may be written to by others", "take that away with `chmod go-w`"
    return None
