"""Whether an environment may be changed now, by this user: whose it is, its lock, its folders."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from pathlib import Path

from envaudit.commands.surroundings import Reading, Surroundings
from envaudit.doors import disk, ownership
from envaudit.effects.journal import take_turn
from envaudit.model.errors import Problem, UnreadableError, UsageError
from envaudit.model.interruption import write_undoing
from envaudit.model.layout import Scope
from envaudit.readers import dockets
from envaudit.readers.manifests import list_paths

_ITS_OWN = ("", "pyvenv.cfg", "bin", "bin/python")
"""What of an environment says whose it is: who owns that decides what is run in it."""


@contextmanager
def hold_lock(surroundings: Surroundings, seconds: float, *, foreign: bool) -> Iterator[int]:
    """Let nobody else change the environment that is meant; yield the lock's descriptor.

    ``seconds``: how long another change is waited for. ``foreign``: whether it may be another's.

    Raises:
        BusyError: somebody else changes it.
        UsageError: what is kept would lie in the environment that it is kept for.
        UnreadableError: it is another user's, or the shelf is not to be had.
    """
    root, shelf = surroundings.root(), surroundings.shelf()
    owned = ownership.find_owner(root / name for name in _ITS_OWN)
    if owned is not None and not foreign:
        path, owner = owned
        raise UnreadableError(
            Problem(
                message=f"the environment belongs to {owner}, who decides what is run in it",
                at=str(path),
                hint=f"run envaudit as {owner}, or give `--foreign` if you trust them",
            )
        )
    if disk.real_path(shelf).is_relative_to(disk.real_path(root)):
        raise UsageError(
            Problem(
                message="the state directory lies in the environment that is to be changed",
                at=str(shelf),
                hint="set `ENVAUDIT_STATE` to a folder outside of it",
            )
        )
    with take_turn(dockets.lock_path(shelf), seconds) as holding:
        yield holding


@contextmanager
def open_turn(surroundings: Surroundings, seconds: float, *, foreign: bool) -> Iterator[int]:
    """Let nobody else change the environment that is meant, after no interrupted change.

    Yields the lock's descriptor.

    Raises:
        EnvauditError: as ``hold_lock``; or a change was interrupted.
    """
    shelf = surroundings.shelf()
    with hold_lock(surroundings, seconds, foreign=foreign) as holding:
        for docket in dockets.list_changes(shelf).interrupted:
            raise UnreadableError(
                Problem(
                    message="an earlier change of this environment was interrupted",
                    at=str(docket.begun),
                    hint=f"put things back first: `{write_undoing(str(surroundings.root()))}`",
                )
            )
        yield holding


def demand_writable(reading: Reading, names: AbstractSet[str]) -> None:
    """Refuse an environment that an installer could change in part only: it removes as it goes.

    ``names``: normalised, of what moves.

    Raises:
        UnreadableError: a folder in which files come or go cannot be written to.
    """
    root, layout = Path(reading.source), reading.snapshot.layout
    sites = () if layout is None else layout.sites
    folders = {"bin", *(site.path for site in sites if site.scope is Scope.OWN)}
    for record in reading.snapshot.distributions:
        if record.name in names and record.scope is Scope.OWN:
            folders |= {path.rpartition("/")[0] for path in list_paths(root, record)}
    closed = ownership.find_closed(root / folder for folder in sorted(folders))
    if closed is not None:
        raise UnreadableError(
            Problem(
                message=f"`{closed}` cannot be written to, so nothing is changed",
                at=str(closed),
                hint="make it writable, or run envaudit as whoever may write there",
            )
        )
