"""The dockets on an environment's shelf: which changes there were, and which was interrupted.

``change-TIME.begun.json`` stands from before anything moves until it is known how that ended, and
``change-TIME.json`` from then on. What was kept for the way back lies in the folder ``change-TIME``
beside them. So a look at the names tells whether a change was interrupted.
"""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from envaudit.doors import disk, lock, ownership
from envaudit.model.errors import Problem, UnreadableError

_START = "change-"
_BEGUN = ".begun.json"
_ENDED = ".json"
_LOCK = "change.lock"
_STATES = "states"


@dataclass(frozen=True, slots=True, kw_only=True)
class Docket:
    """Where on a shelf a change is recorded."""

    shelf: Path
    name: str
    """``change-20261202T101112.123456Z``: names sort by time."""

    @property
    def time(self) -> str:
        """When it began: ``20261202T101112``, UTC."""
        return self.name.removeprefix(_START).partition(".")[0]

    @property
    def begun(self) -> Path:
        """Its journal while nobody knows how it ends."""
        return self.shelf / f"{self.name}{_BEGUN}"

    @property
    def ended(self) -> Path:
        """Its journal afterwards."""
        return self.shelf / f"{self.name}{_ENDED}"

    @property
    def folder(self) -> Path:
        """What was kept for the way back."""
        return self.shelf / self.name

    @property
    def states(self) -> Path:
        """What was in the environment before."""
        return self.folder / _STATES

    @property
    def aside(self) -> Path:
        """Where files lie that were set aside on the way back."""
        return self.folder / "aside"


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """The changes that a shelf tells of, oldest first."""

    ended: tuple[Docket, ...] = ()
    interrupted: tuple[Docket, ...] = ()
    orphaned: tuple[Docket, ...] = ()
    """Folders of changes that never began: their envaudit was killed while it packed."""


def open_docket(shelf: Path, begun: datetime) -> Docket:
    """Return where a change is recorded that begins now."""
    time = f"{begun:%Y%m%dT%H%M%S}.{begun.microsecond:06d}Z"
    return Docket(shelf=shelf, name=f"{_START}{time}")


def lock_path(shelf: Path) -> Path:
    """Return the file whose lock whoever changes the environment of ``shelf`` holds."""
    return shelf / _LOCK


def list_changes(shelf: Path) -> Changes:
    """Return the changes that are recorded on a shelf; none where there is no shelf.

    Raises:
        UnreadableError: others may write to the shelf, so that nothing on it can be believed, or it
            cannot be listed.
    """
    fault = ownership.find_fault_of_state(shelf.parent, shelf)
    if fault is not None:
        raise UnreadableError(fault)
    try:
        with disk.open_folder(shelf) as folder:
            kinds = folder.kinds()
    except disk.AbsentError:
        return Changes()
    except disk.DiskError as error:
        raise UnreadableError(
            Problem(message=f"`{shelf}` {error.reason}", at=str(shelf))
        ) from error
    files = {name for name, kind in kinds.items() if kind is disk.Kind.FILE}
    folders = {name for name, kind in kinds.items() if kind is disk.Kind.FOLDER}
    begun = {name.removesuffix(_BEGUN) for name in files if name.endswith(_BEGUN)}
    ended = {name.removesuffix(_ENDED) for name in files if name.endswith(_ENDED)}
    ended = {name for name in ended if not name.endswith(_BEGUN.removesuffix(_ENDED))}
    return Changes(
        ended=_dockets(shelf, ended),
        interrupted=_dockets(shelf, begun - ended),
        orphaned=_dockets(shelf, folders - begun - ended),
    )


def _dockets(shelf: Path, names: set[str]) -> tuple[Docket, ...]:
    return tuple(
        Docket(shelf=shelf, name=name) for name in sorted(names) if name.startswith(_START)
    )


def is_under_way(shelf: Path) -> bool:
    """Return whether somebody changes the environment of ``shelf`` right now.

    An installer whose envaudit was killed counts: it holds the lock as long as it lives.
    """
    return lock.is_held(lock_path(shelf))
