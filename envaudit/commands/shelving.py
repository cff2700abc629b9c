"""A snapshot as it is kept: what is inferred, where it comes from, and its place on a shelf."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from envaudit import __version__
from envaudit.commands.surroundings import Surroundings
from envaudit.core import codec, infer
from envaudit.effects.snapshot_file import shelve_snapshot
from envaudit.model.snapshot import Provenance, Snapshot
from envaudit.readers import host, store


def complete(snapshot: Snapshot, root: Path, taken: datetime) -> Snapshot:
    """Add what is inferred, and that the snapshot was ``taken`` of the environment at ``root``."""
    return replace(
        infer.with_active_extras(snapshot),
        provenance=Provenance(
            taken=f"{taken:%Y-%m-%dT%H:%M:%S}Z",
            host=host.host_name(),
            environment=str(root),
            tool=f"envaudit {__version__}",
            details=tuple(sorted(host.details().items())),
        ),
    )


def shelve(snapshot: Snapshot, surroundings: Surroundings, taken: datetime) -> Path:
    """Keep a complete snapshot where ``@last`` finds it, and return its path.

    Raises:
        UnreadableError: it cannot be written.
    """
    path = surroundings.shelf() / store.shelf_name(taken, codec.digest(snapshot))
    shelve_snapshot(path, codec.encode(snapshot))
    return path
