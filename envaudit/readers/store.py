"""Where snapshots are kept: the committed store beside the configuration, and the state directory.

``snapshots/NAME.json`` in the current folder is for people to commit. What nobody named goes to the
state directory, one folder an environment, one file a snapshot, named so that they sort by time.
"""

import hashlib
import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from envaudit.core import codec
from envaudit.doors import disk, ownership
from envaudit.model.errors import Problem, UnreadableError, UsageError
from envaudit.model.snapshot import Snapshot

_LIMIT = 256 * disk.MEBIBYTE
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_BY_AGE = re.compile(r"@(?:last|-(?P<age>[1-9][0-9]{0,8}))")


def state_directory(variables: Mapping[str, str], *, root_user: bool) -> Path:
    """Return the state directory: ``ENVAUDIT_STATE``, ``STATE_DIRECTORY``, else the user's own.

    Raises:
        UsageError: nothing says where the user's files are.
    """
    for name in ("ENVAUDIT_STATE", "STATE_DIRECTORY"):
        first = variables.get(name, "").split(":")[0]
        if first:
            return disk.absolute_path(Path(first))
    if root_user:
        return Path("/var/lib/envaudit")
    configured = variables.get("XDG_STATE_HOME", "")
    if configured.startswith("/"):
        return Path(configured) / "envaudit"
    home = variables.get("HOME", "")
    if home.startswith("/"):
        return Path(home) / ".local" / "state" / "envaudit"
    raise UsageError(
        Problem(
            message="there is no `HOME`, so the state directory is not known",
            hint="set `ENVAUDIT_STATE` to a folder",
        )
    )


def shelf(state: Path, root: Path) -> Path:
    """Return the folder of the environment at ``root``: readable, and unique by its path."""
    label = re.sub(r"[^A-Za-z0-9._-]+", "-", str(root)).strip("-.")[-60:]
    path = str(root).encode("utf-8", "surrogateescape")
    return state / f"{label}-{hashlib.sha256(path).hexdigest()[:12]}"


def shelf_name(taken: datetime, digest: str) -> str:
    """Return the file name of a snapshot: names sort as the times do."""
    return f"{taken:%Y%m%dT%H%M%S}.{taken.microsecond:06d}Z-{digest.rpartition(':')[2][:12]}.json"


def committed_path(folder: Path, name: str) -> Path:
    """Return where the snapshot ``name`` is committed.

    Raises:
        UsageError: ``name`` is no plain name.
    """
    if not is_name(name):
        raise UsageError(
            Problem(
                message=f"`{name}` is no name for a snapshot",
                hint="use letters, digits, `.`, `_` and `-`; for a path there is `--to FILE`",
            )
        )
    return folder / "snapshots" / f"{name}.json"


def is_name(reference: str) -> bool:
    """Return whether ``reference`` may be the name of a committed snapshot."""
    return _NAME.fullmatch(reference) is not None


def is_by_age(reference: str) -> bool:
    """Return whether ``reference`` is ``@last``, ``@-1``, ``@-2`` and so on."""
    return _BY_AGE.fullmatch(reference) is not None


def find_by_age(reference: str, shelf_folder: Path) -> Path:
    """Return the snapshot that ``@last`` (the same as ``@-1``), ``@-2`` … means on one shelf.

    Raises:
        UsageError: there are not so many.
    """
    match = _BY_AGE.fullmatch(reference)
    age = int(match["age"] or 1) if match else 1
    names = kept(shelf_folder)
    if age > len(names):
        raise UsageError(
            Problem(
                message=f"there is no snapshot `{reference}`: {len(names)} are kept",
                at=str(shelf_folder),
                hint="take one with `envaudit snapshot`, or name a snapshot file",
            )
        )
    return names[-age]


def kept(shelf_folder: Path) -> tuple[Path, ...]:
    """Return the snapshots on a shelf, oldest first; empty where there is no shelf.

    Only regular ``.json`` files count: a link that lies there was not put there by envaudit.

    Raises:
        UnreadableError: others may write to the shelf, so that nothing on it can be believed.
    """
    fault = ownership.find_fault_of_state(shelf_folder.parent, shelf_folder)
    if fault is not None:
        raise UnreadableError(fault)
    try:
        with disk.open_folder(shelf_folder) as folder:
            return tuple(
                shelf_folder / name
                for name in folder.names()
                if name.endswith(".json") and name[0].isdigit() and folder.is_regular(name)
            )
    except disk.AbsentError:
        return ()
    except disk.DiskError as error:
        raise UnreadableError(
            Problem(message=f"`{shelf_folder}` {error.reason}", at=str(shelf_folder))
        ) from error


def committed(folder: Path) -> tuple[Path, ...]:
    """Return the snapshots of the committed store beside ``folder``, by name."""
    store = folder / "snapshots"
    try:
        with disk.open_folder(store) as opened:
            return tuple(
                store / name
                for name in opened.names()
                if name.endswith(".json") and opened.is_regular(name)
            )
    except disk.DiskError:
        return ()


def read_snapshot(path: Path) -> Snapshot:
    """Read a snapshot file.

    Raises:
        UnreadableError: it cannot be read, or is no snapshot.
    """
    try:
        content = disk.read_file(path, limit=_LIMIT)
    except disk.DiskError as error:
        raise UnreadableError(
            Problem(message=f"snapshot `{path}` {error.reason}", at=str(path))
        ) from error
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableError(
            Problem(
                message=f"snapshot `{path}` is not UTF-8 (byte {error.start})",
                at=str(path),
                hint="take the snapshot again, or name another one",
            )
        ) from error
    return codec.decode(text, at=str(path))
