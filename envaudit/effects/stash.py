"""The stash: what a change would take away, packed into wheels before anything moves."""

from collections.abc import Iterable
from pathlib import Path

from envaudit.doors import disk, disk_write
from envaudit.doors.packing import free_space, pack
from envaudit.model.bundle import Bundle, Stashed
from envaudit.model.errors import Problem, UnreadableError

_SPARE = 16 * disk.MEBIBYTE
"""What is left free beside the wheels: for the journal, and for whoever else writes there."""


def keep_stash(root: Path, bundles: Iterable[Bundle], folder: Path) -> tuple[Stashed, ...]:
    """Pack ``bundles`` of the environment at ``root`` into wheels in ``folder``, which is private.

    Raises:
        UnreadableError: there is no room for them, or one cannot be packed: what is not there, a
            link, a name that a zip file cannot hold.
    """
    wanted = tuple(bundles)
    _demand_room(folder, sum(bundle.size for bundle in wanted))
    disk_write.make_shelf(folder.parent, folder)
    return tuple(_pack(root, bundle, folder) for bundle in wanted)


def _demand_room(folder: Path, size: int) -> None:
    try:
        free = free_space(folder)
    except OSError as error:
        raise UnreadableError(
            Problem(message=f"`{folder}` cannot be looked at ({error.strerror})", at=str(folder))
        ) from error
    if size + _SPARE > free:
        raise UnreadableError(
            Problem(
                message=f"what would be replaced takes {size} bytes to keep, and {free} are free",
                at=str(folder),
                hint="make room, set `ENVAUDIT_STATE` to another place, or give `--no-stash`",
            )
        )


def _pack(root: Path, bundle: Bundle, folder: Path) -> Stashed:
    path = folder / bundle.file
    try:
        with disk.open_folder(root) as environment:
            wheel = disk_write.write_streamed(
                path,
                lambda descriptor: pack(descriptor, environment, bundle.members, bundle.record),
            )
    except (disk.DiskError, UnicodeError) as error:
        raise UnreadableError(
            Problem(
                message=f"`{bundle.name}` cannot be kept for a way back: a file of it {error}",
                at=str(root),
                hint="repair it first, or give `--no-stash` to go on without a way back",
            )
        ) from error
    return Stashed(
        name=bundle.name,
        version=bundle.version,
        content_id=bundle.content_id,
        path=str(path),
        digest=wheel.digest,
        size=bundle.size,
        files=tuple(
            (member.path, digest)
            for member, digest in zip(bundle.members, wheel.digests, strict=True)
        ),
        modes=tuple(
            (member.path, mode) for member, mode in zip(bundle.members, wheel.modes, strict=True)
        ),
    )


def drop_stash(folder: Path) -> None:
    """Remove the stash of a change.

    Raises:
        UnreadableError: it cannot be removed.
    """
    disk_write.remove_folder(folder)
