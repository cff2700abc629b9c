"""The road of every change: stash, journal, run, read again, judge; and back if it went wrong."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from envaudit.checks.remedies import count
from envaudit.commands.hearing import Hearing, Outcome
from envaudit.commands.inspecting import inspect
from envaudit.commands.putting_back import Aim, Way, put_back
from envaudit.commands.surroundings import Reading, read_subject
from envaudit.core import codec, custody
from envaudit.core.evaluate import Judgement, evaluate
from envaudit.core.projection import leaving
from envaudit.core.promise import find_broken
from envaudit.core.redaction import find_secrets, redact_text
from envaudit.effects.journal import drop_entries, write_entry
from envaudit.effects.snapshot_file import shelve_snapshot
from envaudit.effects.stash import drop_stash, keep_stash
from envaudit.model import journal
from envaudit.model.bundle import Bundle, Stashed
from envaudit.model.errors import EnvauditError, Problem, UnreadableError
from envaudit.model.finding import Finding
from envaudit.model.snapshot import Provenance
from envaudit.readers import host, journals, store
from envaudit.readers.bundles import read_bundle
from envaudit.readers.inspection import Wish
from envaudit.uv.execute import Runner

_KEPT_ENTRIES = 5
"""How many changes that ended are kept, with what was stashed for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Under which terms an environment is changed."""

    stash: bool = True
    keep: bool = False
    """Whether a bad result is left in place."""
    strict: bool = False
    """Whether errors that were there before fail it, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How a change ended, and what is known of the environment then."""

    outcome: journal.Outcome
    path: Path
    """Its journal."""
    stash: tuple[Stashed, ...]
    failures: tuple[str, ...] = ()
    """Why it is not what was promised, in sentences."""
    reading: Reading | None = None
    """The environment as the command left it; ``None``: it could not be read."""
    judgement: Judgement | None = None
    way: Way | None = None
    """What is left on the way back; ``None``: nothing was put back, or it cannot be told."""


def change(
    hearing: Hearing,
    outcome: Outcome,
    commands: Sequence[tuple[str, ...]],
    runner: Runner,
    terms: Terms,
) -> Result:
    """Carry out ``commands``, which were judged to end in ``outcome``.

    Raises:
        EnvauditError: nothing was changed: something is in the way, or the environment is not the
            judged one any more.
    """
    moving = frozenset(move.name for move in outcome.moves)
    shelf = hearing.surroundings.shelf()
    path = journals.entry_path(shelf, host.now())
    stash = _stash(hearing, moving, path) if terms.stash else ()
    secrets = find_secrets(hearing.surroundings.variables, hearing.written)
    entry = journal.Entry(
        begun=f"{host.now():%Y-%m-%dT%H:%M:%S}Z",
        environment=hearing.reading.source,
        commands=tuple(
            tuple(redact_text(word, secrets) for word in command) for command in commands
        ),
        names=tuple(sorted(moving)),
        before=hearing.present,
        stash=stash,
    )
    try:
        _demand_unmoved(hearing)
        _shelve(hearing, shelf)
        write_entry(path, entry)
    except BaseException:
        drop_stash(journals.stash_folder(path))
        raise
    result = Result(outcome=journal.Outcome.HELD, path=path, stash=stash)
    try:
        result = _run(hearing, outcome, commands, runner, result, strict=terms.strict)
    except (EnvauditError, KeyboardInterrupt, SystemExit) as error:
        said = str(error) if isinstance(error, EnvauditError) else "it was interrupted"
        result = replace(result, failures=(said,))
    if result.failures and terms.keep:
        result = replace(result, outcome=journal.Outcome.KEPT)
    elif result.failures:
        result = _return(hearing, entry, runner, result)
    write_entry(path, replace(entry, outcome=result.outcome))
    if result.outcome is not journal.Outcome.BROKEN:
        _prune(shelf)
    return result


def _stash(hearing: Hearing, names: frozenset[str], path: Path) -> tuple[Stashed, ...]:
    """Pack what would be replaced or removed."""
    bundles: list[Bundle] = []
    root = Path(hearing.reading.source)
    for record in hearing.present.distributions:
        if record.name in names:
            bundle = read_bundle(root, record)
            if isinstance(bundle, str):
                raise UnreadableError(
                    Problem(
                        message=f"`{record.label}` {bundle}, so there would be no way back",
                        at=record.folder,
                        hint="give `--no-stash` to go on without one",
                    )
                )
            bundles.append(bundle)
    return keep_stash(root, bundles, journals.stash_folder(path)) if bundles else ()


def _demand_unmoved(hearing: Hearing) -> None:
    """Refuse an environment that is not the judged one any more."""
    now = read_subject(None, hearing.surroundings, contents=True)
    if codec.digest(now.snapshot) != codec.digest(hearing.present):
        raise UnreadableError(
            Problem(
                message="the environment changed since it was judged, so nothing was done",
                at=hearing.reading.source,
                hint="judge the command anew",
            )
        )


def _shelve(hearing: Hearing, shelf: Path) -> None:
    """Keep a snapshot of before, for ``diff @last`` and ``restore @last``."""
    taken = host.now()
    snapshot = replace(
        hearing.present,
        provenance=Provenance(
            taken=f"{taken:%Y-%m-%dT%H:%M:%S}Z",
            host=host.host_name(),
            environment=hearing.reading.source,
            details=tuple(sorted(host.details().items())),
        ),
    )
    path = shelf / store.shelf_name(taken, codec.digest(snapshot))
    shelve_snapshot(path, codec.encode(snapshot))


def _run(
    hearing: Hearing,
    outcome: Outcome,
    commands: Sequence[tuple[str, ...]],
    runner: Runner,
    result: Result,
    *,
    strict: bool,
) -> Result:
    failures: list[str] = []
    for command in commands:
        code = runner.carry_out(command, len(hearing.request.program))
        if code != 0:
            failures.append(f"uv ended with exit code {code}")
            break
    reading = read_subject(None, hearing.surroundings, contents=True, files=True)
    failures += find_broken(hearing.present, reading.snapshot, outcome.moves)
    judgement = _judge(hearing, outcome, reading)
    bad = [item for item in judgement.errors() if strict or item.introduced is not False]
    failures += map(_tell, bad)
    return replace(result, failures=tuple(failures), reading=reading, judgement=judgement)


def _judge(hearing: Hearing, outcome: Outcome, reading: Reading) -> Judgement:
    """Judge the environment as ``check`` does, and what was touched as ``verify`` does."""
    installed = reading.snapshot.by_name().keys()
    touched = frozenset(move.name for move in outcome.moves) & installed
    files = reading.files
    if touched:
        inspected = inspect(reading, hearing.surroundings, Wish(names=touched), cache=False)
        files = inspected.files
    return evaluate(
        reading.snapshot,
        hearing.law.policies,
        baseline=hearing.present,
        files=files,
        files_before=hearing.reading.files,
        leaving=leaving(outcome.moves),
        variables=hearing.surroundings.set_variables,
        today=hearing.surroundings.today(),
    )


def _tell(finding: Finding) -> str:
    return f"{finding.severity.value}[{finding.code}] {finding.message}"


def _return(hearing: Hearing, entry: journal.Entry, runner: Runner, result: Result) -> Result:
    """Put the environment back, whatever else is asked of this process meanwhile."""
    before = hearing.reading.files
    aim = Aim(
        surroundings=hearing.surroundings,
        before=entry.before,
        stash=entry.stash,
        names=frozenset(entry.names),
        lacking=frozenset(
            one.folder for one in (() if before is None else before.manifests) if one.missing
        ),
    )
    try:
        way = put_back(aim, runner, index_flags(hearing))
    except (EnvauditError, KeyboardInterrupt, SystemExit) as error:
        said = str(error) if isinstance(error, EnvauditError) else "it was interrupted again"
        failures = (*result.failures, f"on the way back: {said}")
        return replace(result, outcome=journal.Outcome.BROKEN, failures=failures)
    ended = journal.Outcome.RESTORED if way.is_empty else journal.Outcome.BROKEN
    return replace(result, outcome=ended, way=way)


_INDEX_OPTIONS = frozenset(
    {"--index", "--default-index", "--index-url", "--extra-index-url", "--find-links", "--no-index"}
    | {"--index-strategy", "--keyring-provider", "--offline", "--cache-dir", "--no-config"}
    | {"--config-file", "--allow-insecure-host", "--cert", "--link-mode", "--torch-backend"}
)


def index_flags(hearing: Hearing) -> tuple[str, ...]:
    """Return the words of the command that say from where uv installs."""
    return tuple(
        text
        for word in hearing.request.words
        if word.option in _INDEX_OPTIONS
        for text in word.written
    )


def _prune(shelf: Path) -> None:
    """Drop the oldest changes that ended, with their stashes."""
    ended = journals.entry_paths(shelf)
    drop_entries(ended[:-_KEPT_ENTRIES])


def refuse(hearing: Hearing, outcome: Outcome) -> tuple[str, ...]:
    """Return why the change must not be made at all, in sentences; empty: it may."""
    refusal = custody.refuse_environment(hearing.present)
    reason = custody.refuse_moves(hearing.present, outcome.moves)
    return refusal if reason is None else (*refusal, reason)


def say_size(stash: Sequence[Stashed]) -> str:
    """Say what was stashed."""
    size = sum(one.size for one in stash) / (1024 * 1024)
    return f"{count(len(stash), 'distribution')} kept for the way back ({size:.1f} MiB)"


def say_by_hand(result: Result, python: str) -> tuple[str, ...]:
    """Say what stands where, and how to go on by hand."""
    left = () if result.way is None else result.way.removals
    steps = () if result.way is None else result.way.steps
    lines = [
        f"the environment is not back; what was stashed lies in `{result.path.with_suffix('')}`",
        *(f"  kept: {one.name} {one.version} in {one.path}" for one in result.stash),
        *(f"  still to be removed: {name}" for name in left),
        *(f"  still to be put back: {step.pin} ({step.source.value})" for step in steps),
    ]
    if result.stash:
        pins = [f"{one.name}=={one.version}" for one in result.stash]
        words = ("uv", "pip", "install", "--python", python, "--no-deps", "--reinstall")
        more = ("--no-index", "--no-cache", "--find-links", str(result.path.with_suffix("")), *pins)
        lines.append(f"by hand: {shlex.join((*words, *more))}")
    return tuple(lines)
