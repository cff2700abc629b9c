"""Putting an environment back as it was before a change: from the stash, else by uv."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from envaudit.commands.surroundings import Reading, Surroundings, read_subject
from envaudit.core.planner import write_requirement
from envaudit.core.promise import find_differences
from envaudit.effects.clearing import clear_records
from envaudit.model.bundle import Stashed
from envaudit.model.distribution import Distribution, OriginKind
from envaudit.model.drift import Change, changed_name
from envaudit.model.layout import Scope
from envaudit.model.snapshot import Snapshot
from envaudit.readers import stashes
from envaudit.uv.execute import Runner

_ROUNDS = 2
"""What was overwritten by what is taken away is known to be missing only then."""


class Source(StrEnum):
    """Where a distribution comes from, on the way back."""

    STASH = "stash"
    INDEX = "cache or index"
    NOWHERE = "not to be had"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What is done for one distribution of the snapshot."""

    record: Distribution
    source: Source
    stashed: Stashed | None = None

    @property
    def pin(self) -> str:
        """The exact requirement."""
        return f"{self.record.name}=={self.record.version}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """What leads from an environment as it stands to a snapshot of it."""

    torn: tuple[str, ...] = ()
    """Record folders that were not there, and cannot be uninstalled."""
    removals: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    changes: tuple[Change, ...] = ()
    """By what the environment is not the snapshot."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to be done."""
        return not (self.torn or self.removals or self.steps or self.changes)

    @property
    def lost(self) -> tuple[Step, ...]:
        """What cannot be had."""
        return tuple(step for step in self.steps if step.source is Source.NOWHERE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """To where an environment is put back, and by what."""

    surroundings: Surroundings
    before: Snapshot
    stash: tuple[Stashed, ...]
    names: frozenset[str]
    """What the change touched: it is looked at file by file, where that is known."""
    lacking: frozenset[str] = frozenset()
    """Records that lacked files before, so that this is no difference."""


def read_way(aim: Aim) -> Way:
    """Read the environment, and find the way from there to the snapshot.

    Raises:
        EnvauditError: it cannot be read.
    """
    reading = read_subject(None, aim.surroundings, contents=True, files=True)
    return find_way(aim, reading)


def find_way(aim: Aim, reading: Reading) -> Way:
    """Find the way from an environment that was read to the snapshot."""
    now, before, root = reading.snapshot, aim.before, Path(reading.source)
    usable = {(one.name, one.version, one.content_id): one for one in aim.stash}
    touched = {record.name for record in before.distributions if record.name in aim.names}
    changed = {
        one.name for one in aim.stash if one.name in touched and stashes.find_changed(root, one)
    }
    stand = frozenset(one.name for one in aim.stash) - changed
    changes = find_differences(before, now, stand)
    differ = changed | {changed_name(change) for change in changes} | _lacking(aim, reading)
    known = {record.folder for record in (*before.distributions, *before.shadowed)}
    known |= {part.folder for part in before.unreadable}
    torn = sorted({part.folder for part in now.unreadable} - known)
    installed = before.by_name()
    gone = sorted(
        record.name
        for record in now.distributions
        if record.name in differ
        and record.scope is Scope.OWN
        and record.folder not in torn
        and record.folder not in known
    )
    steps = tuple(
        _step(record, usable)
        for name in sorted(differ & installed.keys())
        for record in installed[name]
        if record.scope is Scope.OWN
    )
    return Way(torn=tuple(torn), removals=tuple(gone), steps=steps, changes=changes)


def _lacking(aim: Aim, reading: Reading) -> set[str]:
    """Return the names of records that lost files since."""
    names = {record.folder: record.name for record in reading.snapshot.distributions}
    files = reading.files
    return {
        names[one.folder]
        for one in (() if files is None else files.manifests)
        if one.missing and one.folder in names and one.folder not in aim.lacking
    }


def _step(record: Distribution, usable: dict[tuple[str, str, str | None], Stashed]) -> Step:
    stashed = usable.get((record.name, record.version, record.content_id))
    if stashed is not None and stashes.is_whole(stashed):
        return Step(record=record, source=Source.STASH, stashed=stashed)
    pinned = write_requirement(record.name, f"=={record.version}")
    if pinned is None or record.origin.kind is not OriginKind.INDEX:
        return Step(record=record, source=Source.NOWHERE)
    return Step(record=record, source=Source.INDEX)


def put_back(aim: Aim, runner: Runner, flags: Sequence[str]) -> Way:
    """Go the way, and return what is left of it; ``flags`` say from where uv may install.

    Raises:
        EnvauditError: the environment cannot be read, or uv not be started.
    """
    way = read_way(aim)
    for _ in range(_ROUNDS):
        if way.is_empty:
            break
        clear_records(Path(aim.surroundings.root()), way.torn)
        if way.removals:
            runner.uninstall(way.removals)
        for folder, wheels in _by_folder(way.steps):
            runner.install_stashed(folder, wheels)
        pins = [step.pin for step in way.steps if step.source is Source.INDEX]
        if pins:
            runner.install_pins(pins, flags)
        way = read_way(aim)
    return way


def _by_folder(steps: Iterable[Step]) -> tuple[tuple[str, tuple[Stashed, ...]], ...]:
    found: dict[str, list[Stashed]] = {}
    for step in steps:
        if step.stashed is not None:
            found.setdefault(str(Path(step.stashed.path).parent), []).append(step.stashed)
    return tuple((folder, tuple(wheels)) for folder, wheels in sorted(found.items()))
