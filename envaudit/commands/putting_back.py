"""Putting an environment back as it was at a snapshot: from the stash, else by uv."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

from envaudit.commands.surroundings import Reading, Surroundings, read_subject
from envaudit.core import drift
from envaudit.core.promise import is_of_distribution, tell
from envaudit.core.returning import (
    write_reference,
    write_removal,
    write_stash_installs,
    write_uv_installs,
)
from envaudit.doors import disk
from envaudit.effects.clearing import bring_back, clear_records, set_aside, set_modes
from envaudit.model.bundle import Stashed
from envaudit.model.distribution import Distribution, OriginKind
from envaudit.model.drift import changed_name
from envaudit.model.journal import FileStates
from envaudit.model.layout import Scope
from envaudit.model.record_name import Form
from envaudit.model.snapshot import Snapshot
from envaudit.model.way import Source, Step, Way
from envaudit.readers import stashes
from envaudit.readers.editables import find_source_tree
from envaudit.readers.file_states import measure_states
from envaudit.readers.manifests import list_paths
from envaudit.uv.execute import Runner

_ROUNDS = 3
"""What was overwritten by what is taken away is known to be missing only then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """To where an environment is put back, and by what."""

    surroundings: Surroundings
    before: Snapshot
    stash: tuple[Stashed, ...]
    """The best first, where several can bring back one distribution."""
    older: tuple[Stashed, ...] = ()
    """What other changes kept: the content may have been edited before or since."""
    names: frozenset[str] = frozenset()
    """What the change touched: it is looked at file by file, where the stash knows how."""
    states: FileStates | None = None
    """What was in the environment then; ``None``: nobody listed it."""
    lacking: frozenset[str] = frozenset()
    """Records that lacked files before, so that this is no difference."""
    strict: bool = True
    """Whether what no installer can put back counts, too."""


def find_way(
    aim: Aim,
    reading: Reading,
    done: frozenset[str] = frozenset(),
    stuck: frozenset[str] = frozenset(),
) -> Way:
    """Find the way from an environment that was read to the snapshot.

    ``done``: names that were put back already: their files are new ones, and no strays. ``stuck``:
    names that uv could not uninstall: their records are cleared, their files set aside.

    Raises:
        UnreadableError: the files cannot be listed.
    """
    now, before, root = reading.snapshot, aim.before, Path(reading.source)
    recorded = {one.path: one.digest for one in before.files or () if one.digest is not None}
    stash = _choose(aim, recorded)
    unlike = _find_unlike(reading, recorded)
    kept = [one for one in stash.values() if one in aim.stash]
    changed = {
        one.name for one in kept if one.name in aim.names | done and stashes.find_changed(root, one)
    }
    found = drift.diff(before, now)
    changes = tuple(change for change in found if is_of_distribution(change))
    differ = (
        changed
        | unlike.keys()
        | {changed_name(change) for change in changes}
        | _lacking(aim, reading)
    )
    known = {record.name for record in before.distributions}
    torn = _find_torn(before, now, differ) | {
        record.folder
        for record in now.distributions
        if record.name in stuck - known and record.folder.endswith(Form.DIST_INFO.value)
    }
    gone = {
        record.name
        for record in now.distributions
        if record.name in differ - known and record.scope is Scope.OWN and record.folder not in torn
    }
    strays, overwritten = _find_strays(aim, reading, differ | done, torn)
    cleared = tuple(f"{folder}/" for folder in torn)
    differ |= overwritten
    beyond = tuple(change for change in found if not is_of_distribution(change, frozenset(differ)))
    return Way(
        torn=tuple(sorted(torn)),
        removals=tuple(sorted(gone)),
        steps=tuple(
            _step(record, stash.get(record.name), unlike.get(record.name))
            for record in before.distributions
            if record.name in differ and record.scope is Scope.OWN
        ),
        strays=tuple(path for path in strays if not path.startswith(cleared)),
        changes=(*changes, *(beyond if aim.strict else ())),
        beyond=() if aim.strict else tuple(map(tell, beyond)),
    )


def _choose(aim: Aim, recorded: Mapping[str, str]) -> Mapping[str, Stashed]:
    """Return, by name, the wheel that brings back what the snapshot has.

    ``recorded``: digests of files that RECORD was wrong about, by path: edits that were meant.
    """
    wanted = {
        (record.name, record.version, record.content_id) for record in aim.before.distributions
    }
    found: dict[str, Stashed] = {}
    for one in (*aim.stash, *aim.older):
        useless = one.name in found or (one.name, one.version, one.content_id) not in wanted
        useless |= any(recorded.get(path, digest) != digest for path, digest in one.files)
        if not useless and stashes.is_whole(one):
            found[one.name] = one
    return found


def _find_unlike(reading: Reading, recorded: Mapping[str, str]) -> Mapping[str, str]:
    """Return by name of its distribution a file that is not what ``recorded`` says of it."""
    root = Path(reading.source)
    unlike = {path for path, digest in recorded.items() if not stashes.holds(root, path, digest)}
    return {
        record.name: min(found)
        for record in reading.snapshot.distributions
        if unlike and record.scope is Scope.OWN and (found := unlike & list_paths(root, record))
    }


def _lacking(aim: Aim, reading: Reading) -> set[str]:
    """Return the names of records that lost files since."""
    names = {record.folder: record.name for record in reading.snapshot.distributions}
    files = reading.files
    return {
        names[one.folder]
        for one in (() if files is None else files.manifests)
        if one.missing and one.folder in names and one.folder not in aim.lacking
    }


def _find_torn(before: Snapshot, now: Snapshot, differ: set[str]) -> frozenset[str]:
    """Return the record folders that no installer can uninstall, and that were none before.

    A killed uv leaves a record without METADATA, which cannot be read, or one without RECORD.
    """
    known = {record.folder for record in (*before.distributions, *before.shadowed)}
    known |= {part.folder for part in before.unreadable}
    listless = {
        record.folder
        for record in before.distributions
        if record.content_id is None and record.form is Form.DIST_INFO
    }
    unreadable = {part.folder for part in now.unreadable} - known
    unlisted = {
        record.folder
        for record in now.distributions
        if record.name in differ
        and record.scope is Scope.OWN
        and record.form is Form.DIST_INFO
        and record.content_id is None
        and record.folder not in listless
    }
    return frozenset(
        folder for folder in unreadable | unlisted if folder.endswith(Form.DIST_INFO.value)
    )


def _find_strays(
    aim: Aim, reading: Reading, moved: AbstractSet[str], torn: AbstractSet[str]
) -> tuple[tuple[str, ...], set[str]]:
    """Return the files that came or were overwritten and are nobody's, and whom they belonged to.

    What a distribution in ``moved`` lists comes and goes with it, but for records in ``torn``.
    """
    if aim.states is None:
        return (), set()
    root = Path(reading.source)
    now = measure_states(root)
    came = {path for path, state in now.items() if state and path not in aim.states}
    other = {path for path, state in now.items() if state and aim.states.get(path, state) != state}
    if not came and not other:
        return (), set()
    kept = {path for one in aim.stash for path, _ in one.files}
    owned: set[str] = set()
    owners: dict[str, str] = {}
    for record in reading.snapshot.distributions:
        if record.scope is Scope.OWN and record.folder not in torn:
            listed = list_paths(root, record)
            owned |= listed & came
            if record.name not in moved:
                owners |= dict.fromkeys(listed & other, record.name)
    overwritten = {path: owners[path] for path in other if path in owners and path not in kept}
    strays = {path for path in came if path not in owned} | overwritten.keys()
    return tuple(sorted(strays)), set(overwritten.values())


def _step(record: Distribution, stashed: Stashed | None, edited: str | None) -> Step:
    """Return what is done for ``record``; ``edited``: a file of it that only a copy can have."""
    if stashed is not None:
        return Step(record=record, source=Source.STASH, stashed=stashed)
    reason = _why_lost(record, edited)
    if reason is not None:
        return Step(record=record, source=Source.NOWHERE, reason=reason)
    origin = record.origin.kind is not OriginKind.INDEX
    return Step(
        record=record,
        source=Source.ORIGIN if origin else Source.UNTRIED,
        requirement=write_reference(record),
    )


def _why_lost(record: Distribution, edited: str | None) -> str | None:
    """Return why uv cannot bring ``record`` back; ``None``: it may."""
    if edited is not None:
        return f"no copy has `{edited}` as it was recorded"
    place = find_source_tree(record.origin)
    if place is not None and not disk.is_there(Path(place)):
        return f"`{place}` is not there"
    return "nothing tells from where it can be had" if write_reference(record) is None else None


def put_back(aim: Aim, runner: Runner, flags: Sequence[str], aside: Path) -> Way:
    """Go the way, and return what is left of it.

    ``flags`` say from where uv may install; ``aside``: where strays are moved to, and where what
    the change took away lies.

    Raises:
        EnvauditError: the environment cannot be read or written to, or uv not be started.
    """
    if aim.states is not None:
        bring_back(runner.root, stashes.find_taken(runner.root, aside, aim.states), aside)
    way = find_way(aim, _read(aim))
    done: frozenset[str] = frozenset()
    tried: frozenset[str] = frozenset()
    for _ in range(_ROUNDS):
        if way.is_empty:
            break
        go(way, runner, flags, aside)
        done |= {step.record.name for step in way.steps}
        tried |= frozenset(way.removals)
        way = find_way(aim, _read(aim), done, tried)
    return way


def _read(aim: Aim) -> Reading:
    return read_subject(None, aim.surroundings, contents=True, files=True)


def go(way: Way, runner: Runner, flags: Sequence[str], aside: Path) -> tuple[str, ...]:
    """Go a way once, and return what did not work, in sentences.

    Raises:
        EnvauditError: the environment cannot be written to, or uv not be started.
    """
    clear_records(runner.root, way.torn)
    codes: list[int] = []
    if way.removals:
        codes.append(runner.run_alone(write_removal(way.removals, runner.python)))
    set_aside(runner.root, way.strays, aside)
    codes += map(runner.run_alone, write_stash_installs(way.steps, runner.python))
    for step in way.steps:
        if step.stashed is not None:
            set_modes(runner.root, step.stashed.modes)
    codes += map(runner.run, write_uv_installs(way.steps, flags, runner.python))
    return tuple(f"uv ended with exit code {code}" for code in codes if code)
