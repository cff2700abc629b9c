"""What a plan must leave alone: what another tool owns, and what uv cannot change where it lies."""

from collections.abc import Iterable

from envaudit.model.distribution import Distribution
from envaudit.model.layout import EnvironmentKind, Owner, Scope
from envaudit.model.plan import Move
from envaudit.model.record_name import Form
from envaudit.model.snapshot import Snapshot

_TOOLS = {
    Owner.CONDA: "conda",
    Owner.SYSTEM: "the operating system's package manager",
    Owner.EXTERNAL: "another tool",
}


def name_owner(owner: Owner) -> str:
    """Return who ``owner`` is, in words."""
    return _TOOLS[owner]


def refuse_environment(snapshot: Snapshot) -> tuple[str, ...]:
    """Return why uv must not be run on this environment at all, in sentences; empty: it may.

    In a conda environment it may: what pip or uv installed there is theirs.
    """
    layout = snapshot.layout
    if layout is None:
        return ()
    if layout.kind is EnvironmentKind.FOLDER:
        return ("a plain folder is made anew, and not repaired: `uv pip install --target`",)
    if layout.owner is None or layout.owner is Owner.CONDA:
        return ()
    reason = (
        f"{name_owner(layout.owner)} looks after this environment: "
        "repair it with that, for no uv command is safe here"
    )
    return (reason, f"it says: {layout.owner_says}") if layout.owner_says else (reason,)


def refuse_moves(snapshot: Snapshot, moves: Iterable[Move]) -> str | None:
    """Return why ``moves`` must not be made, or cannot take effect; ``None``: they may and can."""
    installed = snapshot.by_name()
    reasons = (
        reason
        for move in moves
        for record in installed.get(move.name, ())
        if (reason := _refuse(record, snapshot)) is not None
    )
    return next(reasons, None)


def refuse_change(snapshot: Snapshot, moves: Iterable[Move]) -> tuple[str, ...]:
    """Return why ``moves`` must not be made in this environment, in sentences; empty: they may."""
    reason = refuse_moves(snapshot, moves)
    return (*refuse_environment(snapshot), *(() if reason is None else (reason,)))


def _refuse(record: Distribution, snapshot: Snapshot) -> str | None:
    if record.scope is Scope.OWN and record.owner is not None:
        return (
            f"it would change `{record.label}`, which {name_owner(record.owner)} looks after: "
            "let that change it"
        )
    if record.scope is Scope.OWN and record.form is Form.EGG_INFO_FILE:
        return f"`{record.label}` has no list of its files, so uv cannot replace it"
    if record.scope is Scope.OWN and record.form in {Form.EGG, Form.EGG_ZIP}:
        return f"`{record.label}` is an egg, which uv does not see"
    if _comes_first(record, snapshot):
        return f"`{record.label}` in `{record.site}` comes first on the import path"
    return None


def _comes_first(record: Distribution, snapshot: Snapshot) -> bool:
    """Return whether the folder of ``record`` is searched before the environment's own."""
    if record.scope is Scope.OWN or snapshot.layout is None:
        return False
    for site in snapshot.layout.sites:
        if site.scope is Scope.OWN:
            return False
        if site.path == record.site:
            return True
    return False
