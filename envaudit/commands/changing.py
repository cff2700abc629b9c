"""The road of every change: stash, journal, run, read again, judge; and back if it went wrong."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from envaudit.checks.remedies import count
from envaudit.commands.admission import demand_writable
from envaudit.commands.afterwards import Judged
from envaudit.commands.aim import starts
from envaudit.commands.putting_back import Aim, put_back
from envaudit.commands.shelving import complete, shelve
from envaudit.commands.surroundings import Reading, Surroundings, read_subject
from envaudit.core import codec
from envaudit.core.evaluate import Judgement
from envaudit.core.redaction import find_secrets, redact_text
from envaudit.effects.journal import (
    begin_entry,
    drop_changes,
    end_entry,
    forget_entry,
    keep_states,
)
from envaudit.effects.stash import drop_stash, keep_stash
from envaudit.model import journal
from envaudit.model.bundle import Bundle, Stashed
from envaudit.model.errors import EnvauditError, Problem, UnreadableError
from envaudit.model.files import Files
from envaudit.model.snapshot import Snapshot
from envaudit.model.way import Way
from envaudit.readers import dockets, host, journals
from envaudit.readers.bundles import read_bundle
from envaudit.readers.dockets import Docket
from envaudit.readers.file_states import measure_states, read_states
from envaudit.uv.binary import Uv
from envaudit.uv.execute import Runner


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Under which terms an environment is changed."""

    stash: bool = True
    keep: bool = False
    """Whether a bad result is left in place."""
    seconds: float = 10
    """How long to wait for another change to be done."""
    foreign: bool = False
    """Whether an environment of another user's is changed."""
    tell: Callable[[str], None] = lambda _: None
    """Is told in sentences what is under way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undertaking:
    """One change: from what it starts, what it does, and what has to be true afterwards."""

    surroundings: Surroundings
    reading: Reading
    """The environment as it was judged, content ids and files included."""
    names: frozenset[str]
    """Of what moves, normalised."""
    commands: tuple[tuple[str, ...], ...]
    """Argument lists, for the journal."""
    perform: Callable[[Runner, Docket], tuple[str, ...]]
    """Does it, and returns what did not work, in sentences."""
    judge: Callable[[Reading], Judged]
    """Judges the environment afterwards."""
    uv: Uv
    demand: Callable[[], None] = lambda: None
    """Raises where something else than the environment is not what was judged."""
    stash_all: bool = True
    """Whether what cannot be packed keeps the change from being made: what is broken is repaired
    even so."""
    flags: tuple[str, ...] = ()
    """From where uv may install, on the way back."""
    done: str = "applied: the environment is what was judged"
    """What is said if it holds."""
    written: tuple[str, ...] = ()
    """What the user wrote: secrets in it are kept out of the journal."""

    @property
    def present(self) -> Snapshot:
        """The environment as it was judged."""
        return self.reading.snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How a change ended, and what is known of the environment then."""

    outcome: journal.Outcome
    docket: Docket
    """Its journal, and what was kept for it."""
    stash: tuple[Stashed, ...]
    failures: tuple[str, ...] = ()
    reading: Reading | None = None
    """The environment as the change left it; ``None``: it could not be read."""
    judgement: Judgement | None = None
    way: Way | None = None
    """What is left on the way back; ``None``: nothing was put back, or it cannot be told."""
    notes: tuple[str, ...] = ()


def open_runner(surroundings: Surroundings, reading: Reading, uv: Uv, holding: int) -> Runner:
    """Return what runs uv in the environment that was read; ``holding``: the lock's descriptor."""
    return Runner(
        uv=uv,
        variables=surroundings.variables,
        root=Path(reading.source),
        python=str(surroundings.target().interpreter or reading.source),
        holding=holding,
    )


def change(undertaking: Undertaking, terms: Terms, holding: int) -> Result:
    """Make a change, whose environment is locked by ``holding``, and undo it if it fails.

    Raises:
        EnvauditError: nothing was changed: something is in the way, or the environment is not the
            judged one any more.
    """
    shelf = undertaking.surroundings.shelf()
    _prune(shelf)
    docket = dockets.open_docket(shelf, host.now())
    demand_writable(undertaking.reading, undertaking.names)
    try:
        stash = _stash(undertaking, docket, terms) if terms.stash else ()
        _demand_unmoved(undertaking)
        undertaking.demand()
        keep_states(docket.states, measure_states(Path(undertaking.reading.source)))
        shelve_reading(undertaking.reading, undertaking.surroundings)
        entry = _write_down(undertaking, stash)
        begin_entry(docket.begun, entry)
    except BaseException:
        forget_entry(docket.begun)
        drop_stash(docket.folder)
        raise
    result = Result(outcome=journal.Outcome.HELD, docket=docket, stash=stash)
    surroundings, reading = undertaking.surroundings, undertaking.reading
    runner = open_runner(surroundings, reading, undertaking.uv, holding)
    try:
        result = _run(undertaking, runner, result)
    except (EnvauditError, KeyboardInterrupt, SystemExit) as error:
        said = str(error) if isinstance(error, EnvauditError) else "it was interrupted"
        result = replace(result, failures=(said,))
    if result.failures and terms.keep:
        result = replace(result, outcome=journal.Outcome.KEPT)
    elif result.failures:
        terms.tell("the change failed: the environment is put back")
        result = _return(undertaking, entry, runner, result)
    return _finish(entry, result)


def _stash(undertaking: Undertaking, docket: Docket, terms: Terms) -> tuple[Stashed, ...]:
    """Pack what would be replaced or removed."""
    bundles: list[Bundle] = []
    root = Path(undertaking.reading.source)
    for record in undertaking.present.distributions:
        if record.name in undertaking.names:
            bundle = read_bundle(root, record)
            if isinstance(bundle, str) and not undertaking.stash_all:
                continue
            if isinstance(bundle, str):
                raise UnreadableError(
                    Problem(
                        message=f"`{record.label}` {bundle}, so there would be no way back",
                        at=record.folder,
                        hint="give `--no-stash` to go on without one",
                    )
                )
            bundles.append(bundle)
    if not bundles:
        return ()
    size = sum(bundle.size for bundle in bundles) / (1024 * 1024)
    distributions = count(len(bundles), "distribution")
    terms.tell(f"{distributions} ({size:.1f} MiB) are kept for the way back, in `{docket.folder}`")
    return keep_stash(root, bundles, docket.folder)


def _demand_unmoved(undertaking: Undertaking) -> None:
    """Refuse an environment that is not the judged one any more."""
    now = read_subject(None, undertaking.surroundings, contents=True)
    if codec.digest(now.snapshot) != codec.digest(undertaking.present):
        raise UnreadableError(
            Problem(
                message="the environment changed since it was judged, so nothing was done",
                at=undertaking.reading.source,
                hint="judge the command anew",
            )
        )


def shelve_reading(reading: Reading, surroundings: Surroundings) -> None:
    """Keep a snapshot of what was read, for ``diff @last`` and ``restore @last``.

    Raises:
        UnreadableError: it cannot be written.
    """
    taken = host.now()
    shelve(complete(reading.snapshot, Path(reading.source), taken), surroundings, taken)


def _write_down(undertaking: Undertaking, stash: tuple[Stashed, ...]) -> journal.Entry:
    secrets = find_secrets(undertaking.surroundings.variables, undertaking.written)
    return journal.Entry(
        begun=f"{host.now():%Y-%m-%dT%H:%M:%S}Z",
        environment=undertaking.reading.source,
        commands=tuple(
            tuple(redact_text(word, secrets) for word in command)
            for command in undertaking.commands
        ),
        folder=str(undertaking.uv.folder),
        flags=tuple(redact_text(word, secrets) for word in undertaking.flags),
        names=tuple(sorted(undertaking.names)),
        before=undertaking.present,
        stash=stash,
        lacking=tuple(sorted(_lacking(undertaking.reading.files))),
    )


def _lacking(files: Files | None) -> frozenset[str]:
    return frozenset(one.folder for one in (files.manifests if files else ()) if one.missing)


def _run(undertaking: Undertaking, runner: Runner, result: Result) -> Result:
    failures = undertaking.perform(runner, result.docket)
    reading = read_subject(None, undertaking.surroundings, contents=True, files=True)
    judged = undertaking.judge(reading)
    return replace(
        result,
        failures=(*failures, *judged.failures),
        reading=reading,
        judgement=judged.judgement,
    )


def _return(
    undertaking: Undertaking, entry: journal.Entry, runner: Runner, result: Result
) -> Result:
    """Put the environment back."""
    way, failures = try_back(
        lambda: aim_back(undertaking.surroundings, entry, result.docket),
        runner,
        undertaking.flags,
        result.docket,
    )
    back = way is not None and way.is_empty
    return replace(
        result,
        outcome=journal.Outcome.RESTORED if back else journal.Outcome.BROKEN,
        way=way,
        failures=(*result.failures, *failures),
    )


def try_back(
    find_aim: Callable[[], Aim], runner: Runner, flags: tuple[str, ...], docket: Docket
) -> tuple[Way | None, tuple[str, ...]]:
    """Put an environment back, whatever else is asked of this process meanwhile.

    Returns what is left of the way, ``None`` if nobody can tell, and what went wrong: what was
    moved by then stays moved, so no failure on the way means that nothing was changed.
    """
    try:
        return put_back(find_aim(), runner, flags, docket.aside), ()
    except (EnvauditError, KeyboardInterrupt, SystemExit) as error:
        said = str(error) if isinstance(error, EnvauditError) else "it was interrupted"
        return None, (f"on the way back: {said}",)


def aim_back(surroundings: Surroundings, entry: journal.Entry, docket: Docket) -> Aim:
    """Return the state before a change as what an environment is put back to.

    Raises:
        UnreadableError: what was listed or kept then cannot be read.
    """
    return Aim(
        surroundings=surroundings,
        before=entry.before,
        stash=entry.stash,
        older=journals.collect_stashes(docket.shelf, entry.before),
        names=frozenset(entry.names),
        states=read_states(docket.states),
        lacking=frozenset(entry.lacking),
    )


def _finish(entry: journal.Entry, result: Result) -> Result:
    """Write down how it ended; a change that is not back stays one that was interrupted."""
    if result.outcome is journal.Outcome.BROKEN:
        return result
    return replace(result, notes=write_end(entry, result.docket, result.outcome))


def write_end(entry: journal.Entry, docket: Docket, outcome: journal.Outcome) -> tuple[str, ...]:
    """Write down how a change ended; return what there is to say if that cannot be done."""
    try:
        end_entry(docket.begun, docket.ended, replace(entry, outcome=outcome))
    except EnvauditError as error:
        lead = "how the change ended could not be written down, so `envaudit check` may say that"
        return (f"{lead} it was interrupted: {error}",)
    return ()


_KEPT_DAYS = 30
_KEPT_BYTES = 20 * 1024 * 1024 * 1024
_KEPT_CHANGES = 20


def _prune(shelf: Path) -> None:
    """Drop what is kept of old changes: all but the last are dropped by age, number and size.

    What is in the way of that does not keep anybody from changing the environment.
    """
    changes = dockets.list_changes(shelf)
    oldest = dockets.open_docket(shelf, host.days_ago(_KEPT_DAYS)).name
    size = 0
    dropped = [*changes.orphaned]
    for age, docket in enumerate(reversed(changes.ended)):
        size += journals.measure_kept(docket)
        if age and (docket.name < oldest or age >= _KEPT_CHANGES or size > _KEPT_BYTES):
            dropped.append(docket)
    with suppress(UnreadableError):
        drop_changes((docket.folder, docket.begun, docket.ended) for docket in dropped)


def say_start(undertaking: Undertaking) -> str:
    """Say what of the environment runs with it.

    Raises:
        UnreadableError: that is not known.
    """
    target = undertaking.surroundings.target()
    interpreter = target.interpreter or Path(undertaking.reading.source) / "bin" / "python"
    return starts(undertaking.present, str(interpreter))
