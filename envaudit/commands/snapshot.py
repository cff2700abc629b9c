"""``envaudit snapshot``: record the environment, and say where."""

from dataclasses import replace
from pathlib import Path

from envaudit import __version__
from envaudit.commands.surroundings import Reading, Surroundings, read_subject
from envaudit.core import codec, infer
from envaudit.effects.snapshot_file import keep_snapshot
from envaudit.exits import Exit
from envaudit.model.errors import Problem, UsageError
from envaudit.model.report import Report
from envaudit.model.snapshot import Provenance, Snapshot
from envaudit.readers import host, store


def run(surroundings: Surroundings, *, name: str | None = None, to: str | None = None) -> Report:
    """Record the environment under ``name``, in the file ``to``, or on its shelf.

    Raises:
        EnvauditError: the environment cannot be read, or the snapshot not be written.
    """
    if name is not None and to is not None:
        raise UsageError(
            Problem(message="`--name` and `--to` exclude each other", hint="give one of them")
        )
    root = surroundings.root()
    taken = host.now()
    reading = read_subject(None, surroundings, contents=True)
    snapshot = _complete(reading.snapshot, root, f"{taken:%Y-%m-%dT%H:%M:%S}Z")
    digest = codec.digest(snapshot)
    if name is not None:
        path, private = store.committed_path(surroundings.folder, name), False
    elif to is not None:
        path, private = surroundings.folder / to, False
    else:
        path, private = surroundings.shelf() / store.shelf_name(taken, digest), True
    keep_snapshot(path, codec.encode(snapshot), private=private)
    return Report(
        command="snapshot",
        exit=Exit.PASS,
        environment=Reading(snapshot=snapshot, source=str(root), live=True).summary(contents=True),
        complete=snapshot.complete,
        lines=(str(path),),
        notes=tuple(
            f"not in the snapshot: `{part.part}` of `{part.folder}` {part.reason}"
            for part in snapshot.unreadable
        ),
        data={"path": str(path), "digest": digest, "taken": snapshot.provenance.taken},
    )


def _complete(snapshot: Snapshot, root: Path, taken: str) -> Snapshot:
    """Add what is inferred and where the snapshot comes from."""
    return replace(
        infer.with_active_extras(snapshot),
        provenance=Provenance(
            taken=taken,
            host=host.host_name(),
            environment=str(root),
            tool=f"envaudit {__version__}",
            details=tuple(sorted(host.details().items())),
        ),
    )
