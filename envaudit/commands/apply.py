"""``envaudit apply -- COMMAND``: a change that either holds or is undone."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from envaudit.commands import gate
from envaudit.commands.aim import aim_at, open_named_uv, starts
from envaudit.commands.changing import Result, Terms, change, refuse, say_by_hand, say_size
from envaudit.commands.hearing import Hearing, Outcome
from envaudit.commands.hearing import Terms as Allowed
from envaudit.commands.judging import Bench
from envaudit.commands.opening import Party, open_hearing
from envaudit.commands.surroundings import Surroundings, read_subject
from envaudit.core import codec, drift, plan_codec
from envaudit.core.carrying_out import demand_exact, write_commands
from envaudit.core.understand import understand
from envaudit.doors import disk
from envaudit.effects.journal import take_turn
from envaudit.exits import Exit
from envaudit.model import journal
from envaudit.model.document import Json
from envaudit.model.errors import Problem, UnreadableError, UsageError
from envaudit.model.plan import Move, Refused, Resolved
from envaudit.model.report import Report, Verdict
from envaudit.model.saved_plan import SavedPlan
from envaudit.readers import journals
from envaudit.uv.execute import Runner

_PLAN_LIMIT = 64 * disk.MEBIBYTE


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is to be applied, and how."""

    command: tuple[str, ...] = ()
    plan: Path | None = None
    """A plan that ``gate --save`` kept; instead of a command."""
    terms: Terms = field(default_factory=Terms)
    seconds: float = 10
    """How long to wait for another change to be done."""


def run(surroundings: Surroundings, bench: Bench, wish: Wish, allowed: Allowed) -> Report:
    """Judge a change, make it, judge what came of it, and undo it if that is not as promised.

    Raises:
        EnvauditError: nothing was changed.
    """
    plan = None if wish.plan is None else _read_plan(surroundings.folder / wish.plan)
    if (plan is None) == (not wish.command):
        raise UsageError(
            Problem(
                message="there is no one thing to apply",
                hint="give a command after `--`, or a plan with `--plan`",
            )
        )
    request = understand(wish.command if plan is None else plan.command)
    demand_exact(request)
    aimed = aim_at(surroundings, request)
    party = Party(
        surroundings=aimed,
        bench=bench,
        request=request,
        terms=replace(allowed, carried_out=True),
    )
    shelf = aimed.shelf()
    with take_turn(shelf, wish.seconds) as holding:
        _demand_whole(shelf)
        hearing = open_hearing(party) if plan is None else _open_planned(party, plan)
        return _apply(hearing, wish.terms, holding)


def _read_plan(path: Path) -> SavedPlan:
    try:
        content = disk.read_file(path, limit=_PLAN_LIMIT)
    except disk.DiskError as error:
        raise UnreadableError(
            Problem(message=f"the plan `{path}` {error.reason}", at=str(path))
        ) from error
    return plan_codec.decode(content.decode("utf-8", "replace"), str(path))


def _demand_whole(shelf: Path) -> None:
    """Refuse to change what an earlier change left half done."""
    interrupted = journals.find_interrupted(shelf)
    if interrupted is not None:
        raise UnreadableError(
            Problem(
                message=f"a change that began at {interrupted[1].begun} was interrupted",
                at=str(interrupted[0]),
                hint="look with `envaudit check`, reinstall from the wheels in the folder beside "
                "that file, named like it, and then remove the file",
            )
        )


def _open_planned(party: Party, plan: SavedPlan) -> Hearing:
    """Return the hearing of a saved plan: what it says is the answer, if nothing has moved."""
    reading = read_subject(None, party.surroundings, contents=True, files=True)
    hearing = party.hearing(reading, lambda _: Resolved(moves=()), asked=plan.installer)
    uv = open_named_uv(party.surroundings, party.request)
    for moved, what in (
        (plan.environment != reading.source, "is for another environment"),
        (plan.fingerprint != codec.digest(reading.snapshot), "was judged on another state of it"),
        (plan.settings != hearing.settings.digest, "was judged under another configuration of uv"),
        (plan.installer != str(uv.path), "was judged with another uv"),
    ):
        if moved:
            raise UnreadableError(
                Problem(
                    message=f"the plan {what}, so it is not carried out",
                    at=reading.source,
                    hint="judge the command anew: `envaudit gate --save PLAN -- …`",
                )
            )
    installed = reading.snapshot.by_name()
    versions = dict(pin.split("==", 1) for pin in plan.installs)
    moves = tuple(
        Move(
            name=name,
            before=installed[name][0].version if name in installed else None,
            after=versions.get(name),
        )
        for name in sorted({*versions, *plan.uninstalls})
    )
    return replace(hearing, ask=lambda _: Resolved(moves=moves))


def _apply(hearing: Hearing, terms: Terms, holding: int) -> Report:
    outcome = hearing.hear()
    if isinstance(outcome, Refused):
        return replace(gate.unsolvable(hearing, outcome), command="apply")
    judged = replace(gate.conclude(hearing, outcome), command="apply")
    if judged.exit is not Exit.PASS or not outcome.moves:
        return judged
    refusal = refuse(hearing, outcome)
    if refusal:
        return replace(judged, exit=Exit.FINDINGS, verdict=Verdict.FAIL, lines=refusal)
    python = str(hearing.surroundings.target().interpreter or hearing.reading.source)
    commands = write_commands(hearing.request, outcome.moves, python)
    if hearing.settings.option("pip.require-hashes"):
        raise UsageError(
            Problem(
                message="uv's configuration asks for hashes, which exact versions do not carry",
                hint="judge the command with `envaudit gate` and run it yourself",
            )
        )
    runner = Runner(
        uv=open_named_uv(hearing.surroundings, hearing.request),
        variables=hearing.surroundings.variables,
        python=python,
        holding=holding,
    )
    started = starts(hearing.present, python)
    result = change(hearing, outcome, commands, runner, terms)
    return _report(replace(judged, notes=(*judged.notes, started)), hearing, outcome, result)


def _report(judged: Report, hearing: Hearing, outcome: Outcome, result: Result) -> Report:
    """Say how it ended."""
    data: dict[str, Json] = judged.data if isinstance(judged.data, dict) else {}
    names = [one.name for one in result.stash]
    more: dict[str, Json] = {
        "outcome": result.outcome.value,
        "journal": str(result.path),
        "failures": list(result.failures),
        "stash": [*names],
    }
    findings, changes = judged.findings, judged.changes
    if result.reading is not None and result.judgement is not None:
        findings = result.judgement.findings
        changes = drift.diff(hearing.present, result.reading.snapshot)
    notes = judged.notes
    if names:
        notes = (*notes, say_size(result.stash))
    unkept = sorted({move.name for move in outcome.moves if move.before} - set(names))
    if unkept:
        listed = ", ".join(f"`{name}`" for name in unkept)
        notes = (*notes, f"not kept, so only an index can bring them back: {listed}")
    code, verdict, lines = _conclusion(result, str(hearing.reading.source))
    return replace(
        judged,
        exit=code,
        verdict=verdict,
        findings=findings,
        changes=changes,
        lines=lines,
        notes=notes,
        data={**data, **more},
    )


def _conclusion(result: Result, python: str) -> tuple[Exit, Verdict, tuple[str, ...]]:
    failures: Sequence[str] = tuple(f"because: {line}" for line in result.failures)
    match result.outcome:
        case journal.Outcome.HELD:
            return Exit.PASS, Verdict.PASS, ("applied: the environment is what was judged",)
        case journal.Outcome.KEPT:
            kept = "failed: the result was left in place, as `--keep` says"
            return Exit.FINDINGS, Verdict.FAIL, (kept, *failures)
        case journal.Outcome.RESTORED:
            back = "restored: the change failed, and the environment is back at its snapshot"
            return Exit.RESTORED, Verdict.FAIL, (back, *failures)
        case journal.Outcome.BROKEN:
            by_hand = say_by_hand(result, python)
            return Exit.BROKEN, Verdict.FAIL, ("broken: a person is needed", *failures, *by_hand)
