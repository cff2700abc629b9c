"""``envaudit snapshot``: record the environment and say where; list and prune what is kept."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from envaudit.checks.remedies import count
from envaudit.commands.columns import align
from envaudit.commands.shelving import complete, shelve
from envaudit.commands.surroundings import Reading, Surroundings, read_subject
from envaudit.core import codec
from envaudit.effects.snapshot_file import keep_snapshot, prune
from envaudit.exits import Exit
from envaudit.model.document import Json
from envaudit.model.errors import Problem, UnreadableError, UsageError
from envaudit.model.report import Report
from envaudit.readers import host, store

if TYPE_CHECKING:
    from envaudit.commands.inspecting import Outcome
    from envaudit.readers.inspection import Progress


def run(
    surroundings: Surroundings,
    *,
    name: str | None = None,
    to: str | None = None,
    keep: int | None = None,
    files: bool = False,
    tell: Callable[["Progress"], None] = lambda _: None,
) -> Report:
    """Record the environment under ``name``, in the file ``to``, or on its shelf.

    ``keep``: how many snapshots the shelf may hold afterwards; the oldest go. ``files``: whether
    files are read, and the digests recorded of those that RECORD does not vouch for; ``tell`` is
    then called meanwhile.

    Raises:
        EnvauditError: the environment cannot be read, or the snapshot not be written.
    """
    _refuse_contradictions(name, to, keep)
    root = surroundings.root()
    taken = host.now()
    reading = read_subject(None, surroundings, contents=True, files=files)
    inspected = _inspect(reading, surroundings, tell) if files else None
    snapshot = replace(
        complete(reading.snapshot, root, taken),
        files=None if inspected is None else inspected.inspection.digests,
    )
    digest = codec.digest(snapshot)
    removed: tuple[Path, ...] = ()
    if name is not None:
        path = store.committed_path(surroundings.folder, name)
        keep_snapshot(path, codec.encode(snapshot))
    elif to is not None:
        path = surroundings.folder / to
        keep_snapshot(path, codec.encode(snapshot))
    else:
        path = shelve(snapshot, surroundings, taken)
        removed = () if keep is None else _surplus(path, keep)
        prune(removed)
    return Report(
        command="snapshot",
        exit=Exit.PASS,
        environment=replace(reading, snapshot=snapshot).summary(contents=True),
        complete=snapshot.complete and (inspected is None or inspected.complete),
        lines=(str(path),),
        notes=(
            *reading.notes,
            *(
                f"not in the snapshot: `{part.part}` of `{part.folder}` {part.reason}"
                for part in snapshot.unreadable
            ),
            *(f"removed the older snapshot `{old}`" for old in removed),
            *(() if inspected is None else _say_files(inspected)),
        ),
        data={
            "path": str(path),
            "digest": digest,
            "taken": snapshot.provenance.taken,
            "removed": [str(old) for old in removed],
            "files": None if snapshot.files is None else len(snapshot.files),
        },
        remembered=() if inspected is None else inspected.remembered,
    )


def _surplus(path: Path, keep: int) -> tuple[Path, ...]:
    """Return what goes when ``keep`` stay; never ``path``, whatever the clock said before."""
    older = [kept for kept in store.kept(path.parent) if kept != path]
    return tuple(older[: max(len(older) + 1 - keep, 0)])


def _inspect(
    reading: Reading, surroundings: Surroundings, tell: Callable[["Progress"], None]
) -> "Outcome":
    from envaudit.commands.inspecting import inspect
    from envaudit.readers.inspection import Wish

    outcome = inspect(reading, surroundings, Wish(everything=True, tell=tell))
    problem = None if outcome.whole else outcome.problem()
    if problem is not None:
        raise UnreadableError(problem)
    return outcome


def _say_files(outcome: "Outcome") -> tuple[str, ...]:
    number = count(len(outcome.inspection.digests), "file")
    said = f"{number} recorded that RECORD does not vouch for"
    left = "" if outcome.complete else "; some could not be read, and are not in the snapshot"
    return (*outcome.notes, f"{said}{left}")


def _refuse_contradictions(name: str | None, to: str | None, keep: int | None) -> None:
    if name is not None and to is not None:
        raise UsageError(
            Problem(message="`--name` and `--to` exclude each other", hint="give one of them")
        )
    if keep is not None and (name is not None or to is not None):
        raise UsageError(
            Problem(
                message="`--keep` is about snapshots that nobody named",
                hint="leave out `--name` and `--to`, or remove named snapshots by hand",
            )
        )
    if keep is not None and keep < 1:
        raise UsageError(
            Problem(message=f"`--keep {keep}` would keep nothing", hint="give 1 or more")
        )


def list_kept(
    surroundings: Surroundings,
    *,
    name: str | None = None,
    to: str | None = None,
    keep: int | None = None,
    files: bool = False,
) -> Report:
    """List the snapshots of this environment in the state directory, and the committed ones.

    Nothing is recorded or removed, so that none of the rest may be given; see ``run``.

    Raises:
        EnvauditError: one is given, no environment is meant, or its shelf cannot be trusted.
    """
    if files or not (name is None and to is None and keep is None):
        raise UsageError(
            Problem(
                message="`--list` records and removes nothing, and goes with none of `--name`, "
                "`--to`, `--keep`, `--files`",
                hint="give two commands: one that records, one that lists",
            )
        )
    shelf = store.kept(surroundings.shelf())
    entries = [
        *(_entry("@last" if age == 1 else f"@-{age}", path) for age, path in _by_age(shelf)),
        *(_entry(path.stem, path) for path in store.committed(surroundings.folder)),
    ]
    return Report(
        command="snapshot",
        exit=Exit.PASS,
        lines=align(tuple(entry.cells for entry in entries)) or ("no snapshot is kept",),
        data={"snapshots": [entry.encoded for entry in entries]},
    )


def _by_age(shelf: Sequence[Path]) -> tuple[tuple[int, Path], ...]:
    return tuple((len(shelf) - index, path) for index, path in enumerate(shelf))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """One stored snapshot, by the reference under which commands find it."""

    cells: tuple[str, ...]
    encoded: Mapping[str, Json]


def _entry(reference: str, path: Path) -> _Entry:
    """Describe a stored snapshot; one that cannot be read is listed as such, and hides no other."""
    try:
        snapshot = store.read_snapshot(path)
    except UnreadableError as error:
        reason = error.problems[0].message
        return _Entry(
            cells=(reference, "unreadable", "", "", str(path)),
            encoded={"reference": reference, "path": str(path), "unreadable": reason},
        )
    taken, digest = snapshot.provenance.taken, codec.digest(snapshot)
    count = len(snapshot.distributions)
    return _Entry(
        cells=(reference, taken or "", f"{count} distributions", digest[:19], str(path)),
        encoded={
            "reference": reference,
            "path": str(path),
            "taken": taken,
            "distributions": count,
            "digest": digest,
        },
    )
