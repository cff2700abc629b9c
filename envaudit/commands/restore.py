"""``envaudit restore``: the way back to a snapshot, from what was kept, uv's cache, or an index."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from envaudit.commands import changing, concluding
from envaudit.commands.admission import hold_lock, open_turn
from envaudit.commands.afterwards import Judged
from envaudit.commands.aim import aim, open_uv
from envaudit.commands.changing import Terms, Undertaking
from envaudit.commands.putting_back import Aim, find_way, go
from envaudit.commands.sourcing import Sourcing
from envaudit.commands.surroundings import Reading, Surroundings, read_subject
from envaudit.core import codec, custody, returning
from envaudit.core.understand import understand_flags
from envaudit.doors import disk
from envaudit.exits import Exit
from envaudit.model.document import Json
from envaudit.model.errors import BusyError, Problem, UnreadableError, UsageError
from envaudit.model.journal import Entry, Outcome
from envaudit.model.plan import Direction, Move, Plan
from envaudit.model.report import Report, Verdict
from envaudit.model.snapshot import Snapshot
from envaudit.model.way import Source, Step, Way
from envaudit.readers import dockets, journals
from envaudit.readers.dockets import Docket
from envaudit.uv.binary import Uv
from envaudit.uv.execute import Runner

INTERRUPTED = "@interrupted"
"""The state before the change that was interrupted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """To what an environment is to be put back, and how."""

    reference: str = "@last"
    flags: tuple[str, ...] = ()
    """For uv's install: from where it may take what was not kept."""
    terms: Terms = field(default_factory=Terms)


def plan(surroundings: Surroundings, wish: Wish) -> Report:
    """Say what leads back, from where each distribution comes, and by which commands.

    Raises:
        EnvauditError: something could not be read, or uv not be asked.
    """
    understand_flags(wish.flags)
    shelf = surroundings.shelf()
    if dockets.is_under_way(shelf):
        raise BusyError(
            Problem(
                message="a change of this environment is under way",
                at=str(dockets.lock_path(shelf)),
                hint="try again when it is done",
            )
        )
    if wish.reference != INTERRUPTED:
        return _Return.to_snapshot(surroundings, wish).report()
    interrupted = dockets.list_changes(shelf).interrupted
    if not interrupted:
        return _nothing("no change was interrupted: nothing to do")
    return _Return.to_before(surroundings, wish, interrupted[-1]).report()


def run(surroundings: Surroundings, wish: Wish) -> Report:
    """Put the environment back.

    Raises:
        EnvauditError: nothing was changed.
    """
    understand_flags(wish.flags)
    shelf = surroundings.shelf()
    if wish.reference != INTERRUPTED:
        with open_turn(surroundings, wish.terms.seconds, foreign=wish.terms.foreign) as holding:
            return _Return.to_snapshot(surroundings, wish).carry_out(wish.terms, holding)
    with hold_lock(surroundings, wish.terms.seconds, foreign=wish.terms.foreign) as holding:
        interrupted = dockets.list_changes(shelf).interrupted
        if not interrupted:
            return _nothing("no change was interrupted: nothing to do")
        return _Return.to_before(surroundings, wish, interrupted[-1]).resume(holding)


def _nothing(line: str) -> Report:
    return Report(command="restore", exit=Exit.PASS, verdict=Verdict.PASS, lines=(line,))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Return:
    """One way back: from what, to what, by what."""

    aim: Aim
    reading: Reading
    source: str
    """What it leads back to, in words."""
    way: Way
    uv: Uv
    flags: tuple[str, ...]
    notes: tuple[str, ...] = ()
    docket: Docket | None = None
    """Of the change that was interrupted."""
    entry: Entry | None = None

    @classmethod
    def to_snapshot(cls, surroundings: Surroundings, wish: Wish) -> "_Return":
        """Find the way back to a snapshot."""
        target = read_subject(wish.reference, surroundings)
        if target.live:
            raise UsageError(
                Problem(
                    message=f"`{wish.reference}` is an environment, and no snapshot of this one",
                    hint="name a snapshot: `envaudit snapshot --list` lists what is kept",
                )
            )
        reading = read_subject(None, surroundings, contents=True, files=True)
        _demand_same_python(target.snapshot, reading)
        goal = _aim_before_kept(surroundings, target.snapshot) or Aim(
            surroundings=surroundings,
            before=target.snapshot,
            stash=journals.collect_stashes(surroundings.shelf(), target.snapshot),
            strict=False,
        )
        return cls._find(goal, reading, f"the snapshot `{target.source}`", wish.flags)

    @classmethod
    def to_before(cls, surroundings: Surroundings, wish: Wish, docket: Docket) -> "_Return":
        """Find the way back to before a change that was interrupted."""
        entry = journals.read_entry(docket.begun)
        reading = read_subject(None, surroundings, contents=True, files=True)
        goal = changing.aim_back(surroundings, entry, docket)
        source = f"the state before the change of {entry.begun}"
        folder = Path(entry.folder)  # what the flags of the command name is found from there
        there = folder if disk.is_folder(folder) and not wish.flags else None
        found = cls._find(goal, reading, source, wish.flags or entry.flags, there)
        return replace(found, docket=docket, entry=entry)

    @classmethod
    def _find(
        cls,
        goal: Aim,
        reading: Reading,
        source: str,
        flags: tuple[str, ...],
        folder: Path | None = None,
    ) -> "_Return":
        """``folder``: where uv is run; ``None``: where envaudit is."""
        way = find_way(goal, reading)
        uv = open_uv(goal.surroundings)
        if folder is not None:
            uv = replace(uv, folder=folder)
        if any(step.source is Source.UNTRIED for step in way.steps):
            aimed = aim(goal.surroundings, reading.snapshot)
            way = Sourcing(uv=uv, base=aimed.prefix.base, flags=flags).find(way)
        return cls(aim=goal, reading=reading, source=source, way=way, uv=uv, flags=flags)

    # -- what is said

    def report(self) -> Report:
        """Return what leads back; nothing is done."""
        notes = (*self.reading.notes, *self.notes, *self._say_beyond())
        report = Report(
            command="restore",
            exit=Exit.PASS,
            verdict=Verdict.PASS,
            environment=self.reading.summary(contents=True),
            notes=notes,
            data=self._data(),
        )
        if self.way.is_empty:
            line = f"nothing to do: the environment is {self.source}"
            return replace(report, lines=(line,))
        refusal = custody.refuse_change(self.reading.snapshot, self._moves())
        if refusal or self.way.lost:
            lines = (*refusal, *self._say_steps())
            return replace(report, exit=Exit.FINDINGS, verdict=Verdict.FAIL, lines=lines)
        commands = returning.write_commands(
            self.way, self.uv.word, self.flags, Path(self.reading.source)
        )
        return replace(
            report,
            verdict=Verdict.FAIL,
            lines=self._say_steps(),
            plan=Plan(
                direction=Direction.BACK,
                moves=self._moves(),
                commands=commands,
                shell=returning.write_shell(commands),
            ),
        )

    def _say_beyond(self) -> tuple[str, ...]:
        return tuple(f"not put back: {line}" for line in self.way.beyond)

    def _say_steps(self) -> tuple[str, ...]:
        lines = [f"half installed, to be removed: {folder}" for folder in self.way.torn]
        lines += [f"was not there, to be uninstalled: {name}" for name in self.way.removals]
        lines += [f"belongs to nobody, set aside by `--apply`: {path}" for path in self.way.strays]
        return (*lines, *map(_say_step, self.way.steps))

    def _moves(self) -> tuple[Move, ...]:
        installed = {record.name: record.version for record in self.reading.snapshot.distributions}
        removed = [
            Move(name=name, before=installed.get(name), after=None) for name in self.way.removals
        ]
        put = [
            Move(
                name=step.record.name,
                before=installed.get(step.record.name),
                after=step.record.version,
            )
            for step in self.way.steps
        ]
        return tuple(sorted((*removed, *put), key=lambda move: move.name))

    def _data(self) -> Json:
        return {
            "to": self.source,
            "sources": [
                {
                    "name": step.record.name,
                    "version": step.record.version,
                    "source": step.source.value,
                    "from": _place(step),
                    "reason": step.reason,
                }
                for step in self.way.steps
            ],
            "removals": list(self.way.removals),
            "torn": list(self.way.torn),
            "strays": list(self.way.strays),
            "beyond": list(self.way.beyond),
        }

    # -- what is done

    def carry_out(self, terms: Terms, holding: int) -> Report:
        """Go the way to a snapshot; if that is not reached, the environment stays what it was."""
        report = self.report()
        if report.plan is None:
            return report
        undertaking = Undertaking(
            surroundings=self.aim.surroundings,
            reading=self.reading,
            names=frozenset(move.name for move in self._moves()),
            commands=report.plan.commands,
            perform=self._perform,
            judge=self._judge,
            uv=self.uv,
            flags=self.flags,
            done=f"restored: the environment is {self.source}",
            written=self.flags,
        )
        started = changing.say_start(undertaking)
        result = changing.change(undertaking, terms, holding)
        report = replace(report, notes=(*report.notes, started), plan=None)
        if result.outcome is Outcome.HELD and result.reading is not None:
            report = replace(report, notes=(*report.notes, *self._shelve(result.reading)))
        return concluding.conclude(result, undertaking).upon(report)

    def _shelve(self, reached: Reading) -> tuple[str, ...]:
        """Let ``@last`` be the state that was reached; return what there is to say if it is not."""
        try:
            changing.shelve_reading(reached, self.aim.surroundings)
        except UnreadableError as error:
            return (f"`@last` is the state before, since this one could not be kept: {error}",)
        return ()

    def _perform(self, runner: Runner, docket: Docket) -> tuple[str, ...]:
        return go(self.way, runner, self.flags, docket.aside)

    def _judge(self, after: Reading) -> Judged:
        done = frozenset(step.record.name for step in self.way.steps)
        left = find_way(self.aim, after, done)
        return Judged(
            failures=(
                *(f"`{name}` is still there" for name in left.removals),
                *(f"`{folder}` is still half installed" for folder in left.torn),
                *(f"`{step.record.label}` is not as it was" for step in left.steps),
            )
        )

    def resume(self, holding: int) -> Report:
        """Undo the change that was interrupted."""
        if self.docket is None or self.entry is None:
            raise ValueError("nothing was interrupted")
        report = self.report()
        refusal = custody.refuse_environment(self.reading.snapshot)
        if refusal:
            return report
        report = replace(report, plan=None)
        left: Way | None = self.way
        failures: tuple[str, ...] = ()
        if not self.way.is_empty:
            runner = changing.open_runner(self.aim.surroundings, self.reading, self.uv, holding)
            left, failures = changing.try_back(lambda: self.aim, runner, self.flags, self.docket)
        if left is not None and left.is_empty:
            notes = changing.write_end(self.entry, self.docket, Outcome.RESTORED)
            line = f"restored: the environment is {self.source}"
            return replace(
                report,
                exit=Exit.PASS,
                verdict=Verdict.PASS,
                lines=(line, *concluding.say_aside(self.docket)),
                notes=(*report.notes, *notes),
            )
        python = self.reading.source
        lines = concluding.say_by_hand(self.docket, self.aim.stash, left, python)
        lost = () if left is None else tuple(map(_say_step, left.lost))
        return replace(
            report,
            exit=Exit.BROKEN,
            verdict=Verdict.FAIL,
            lines=(
                "broken: a person is needed",
                *map(concluding.say_cause, failures),
                *lines,
                *lost,
            ),
        )


def _aim_before_kept(surroundings: Surroundings, target: Snapshot) -> Aim | None:
    """Return the state before the last change, if that is the target and its result was kept.

    What is known of that change file by file tells what its result overwrote.
    """
    ended = dockets.list_changes(surroundings.shelf()).ended
    if not ended:
        return None
    entry = journals.read_entry(ended[-1].ended)
    if entry.outcome is not Outcome.KEPT or codec.digest(entry.before) != codec.digest(target):
        return None
    return replace(changing.aim_back(surroundings, entry, ended[-1]), strict=False)


def _say_step(step: Step) -> str:
    place = _place(step)
    where = "" if place is None else f" ({place})"
    reason = "" if step.reason is None else f": {step.reason}"
    return f"{step.record.label}: {step.source.value}{where}{reason}"


def _place(step: Step) -> str | None:
    if step.stashed is not None:
        return step.stashed.path
    return step.requirement if step.source is Source.ORIGIN else None


def _demand_same_python(target: Snapshot, reading: Reading) -> None:
    """Refuse a snapshot of another Python: what was built for one does not run on another."""
    then, now = target.interpreter, reading.snapshot.interpreter
    if _series(then.version) != _series(now.version) or then.implementation != now.implementation:
        raise UnreadableError(
            Problem(
                message=f"the snapshot is of {then.implementation} {then.label}, and the "
                f"environment has {now.implementation} {now.label}",
                at=reading.source,
                hint="rebuild the environment on that Python, and restore then",
            )
        )


def _series(version: str | None) -> Sequence[str]:
    return (version or "").split(".")[:2]
