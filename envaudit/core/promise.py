"""Whether an environment is what a plan promised, and whether it is back at its snapshot."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from envaudit.core import drift
from envaudit.model.declared import parse_version
from envaudit.model.distribution import Distribution
from envaudit.model.drift import (
    Added,
    Altered,
    Change,
    HookChanged,
    InterpreterChanged,
    Obscured,
    Removed,
    change_kind,
    changed_name,
)
from envaudit.model.plan import Move
from envaudit.model.snapshot import Snapshot


def find_broken(
    before: Snapshot,
    after: Snapshot,
    moves: Iterable[Move],
    cleared: frozenset[str] = frozenset(),
) -> tuple[str, ...]:
    """Return by what ``after`` is not ``before`` with ``moves`` made, in sentences.

    ``cleared``: names of which a record was taken away.
    """
    moving = {move.name: move for move in moves}
    expected = moving.keys() | cleared
    installed = after.by_name()
    said = [
        f"`{move.name}` was to be {_wanted(move)}, and is {_found(installed.get(move.name, ()))}"
        for move in moving.values()
        if not _stands(move, installed.get(move.name, ()))
    ]
    said += [
        tell(change) for change in drift.diff(before, after) if not _is_expected(change, expected)
    ]
    return tuple(said)


def is_of_distribution(change: Change, moved: frozenset[str] = frozenset()) -> bool:
    """Return whether a change is undone by installing and uninstalling distributions.

    ``moved``: names that are: what their startup hooks are comes and goes with them.
    """
    match change:
        case Added() | Removed() | Altered():
            return True
        case HookChanged():
            return change.hook.owner in moved
        case Obscured() | InterpreterChanged():
            return False


def _stands(move: Move, records: tuple[Distribution, ...]) -> bool:
    if move.after is None:
        return not records
    return [parse_version(record.version) for record in records] == [parse_version(move.after)]


def _wanted(move: Move) -> str:
    return "gone" if move.after is None else move.after


def _found(records: tuple[Distribution, ...]) -> str:
    return " and ".join(record.version for record in records) or "not there"


def _is_expected(change: Change, expected: AbstractSet[str]) -> bool:
    match change:
        case Added() | Removed() | Altered():
            return changed_name(change) in expected
        case HookChanged():
            return change.hook.owner in expected
        case Obscured(readable=readable):
            return readable
        case InterpreterChanged():
            return False


def tell(change: Change) -> str:
    """Say a change that nobody asked for."""
    match change:
        case Obscured(part=part):
            return f"`{part.part}` of `{part.folder}` {part.reason}"
        case Added() | Removed() | Altered() | HookChanged() | InterpreterChanged():
            return f"`{changed_name(change)}` is {change_kind(change)}, which nobody asked for"
