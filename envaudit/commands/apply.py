"""``envaudit apply -- COMMAND``: a change that either holds or is undone."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from envaudit.commands import gate
from envaudit.commands.admission import open_turn
from envaudit.commands.afterwards import Judged, judge_after
from envaudit.commands.aim import aim_at, open_named_uv
from envaudit.commands.changing import (
    Result,
    Terms,
    Undertaking,
    change,
    say_start,
)
from envaudit.commands.concluding import conclude
from envaudit.commands.hearing import Hearing, Outcome
from envaudit.commands.hearing import Terms as Allowed
from envaudit.commands.judging import Bench
from envaudit.commands.opening import Party, open_hearing
from envaudit.commands.surroundings import Reading, Surroundings, read_subject
from envaudit.core import codec, custody, drift, plan_codec
from envaudit.core.carrying_out import demand_exact, keep_index_options, write_commands
from envaudit.core.understand import understand
from envaudit.doors import disk
from envaudit.exits import Exit
from envaudit.model.errors import Problem, UnreadableError, UsageError
from envaudit.model.plan import Move, Refused, Resolved
from envaudit.model.report import Report, Verdict
from envaudit.model.saved_plan import SavedPlan
from envaudit.readers.dockets import Docket
from envaudit.uv.execute import Runner

_PLAN_LIMIT = 64 * disk.MEBIBYTE


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is to be applied, and how."""

    command: tuple[str, ...] = ()
    plan: Path | None = None
    """A plan that ``gate --save`` kept; instead of a command."""
    terms: Terms = field(default_factory=Terms)


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
    with open_turn(aimed, wish.terms.seconds, foreign=wish.terms.foreign) as holding:
        hearing = open_hearing(party) if plan is None else _open_planned(party, plan)
        return _apply(hearing, party, wish.terms, holding)


def _read_plan(path: Path) -> SavedPlan:
    try:
        content = disk.read_file(path, limit=_PLAN_LIMIT)
    except disk.DiskError as error:
        raise UnreadableError(
            Problem(message=f"the plan `{path}` {error.reason}", at=str(path))
        ) from error
    return plan_codec.decode(content.decode("utf-8", "replace"), str(path))


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


def _apply(hearing: Hearing, party: Party, terms: Terms, holding: int) -> Report:
    outcome = hearing.hear()
    if isinstance(outcome, Refused):
        return replace(gate.unsolvable(hearing, outcome), command="apply")
    judged = replace(gate.conclude(hearing, outcome), command="apply")
    if judged.exit is not Exit.PASS or not outcome.moves:
        return judged
    refusal = custody.refuse_change(hearing.present, outcome.moves)
    if refusal:
        return replace(judged, exit=Exit.FINDINGS, verdict=Verdict.FAIL, lines=refusal)
    if hearing.settings.option("pip.require-hashes"):
        raise UsageError(
            Problem(
                message="uv's configuration asks for hashes, which exact versions do not carry",
                hint="judge the command with `envaudit gate` and run it yourself",
            )
        )
    undertaking = _undertake(hearing, party, outcome)
    judged = replace(judged, notes=(*judged.notes, say_start(undertaking)))
    result = change(undertaking, terms, holding)
    return conclude(result, undertaking).upon(_report(judged, hearing, result))


def _undertake(hearing: Hearing, party: Party, outcome: Outcome) -> Undertaking:
    target = hearing.surroundings.target()
    python = str(target.interpreter or hearing.reading.source)
    commands = write_commands(hearing.request, outcome.moves, python)
    program = len(hearing.request.program)

    def perform(runner: Runner, _: Docket) -> tuple[str, ...]:
        for command in commands:
            code = runner.carry_out(command[program:])
            if code != 0:
                return (f"uv ended with exit code {code}",)
        return ()

    def demand() -> None:
        if party.settings.digest != hearing.settings.digest:
            raise UnreadableError(
                Problem(
                    message="uv's configuration changed since the command was judged, so nothing "
                    "was done",
                    at=hearing.reading.source,
                    hint="judge the command anew",
                )
            )

    def judge(after: Reading) -> Judged:
        policies = hearing.law.policies
        return judge_after(hearing.surroundings, policies, hearing.reading, outcome.moves, after)

    return Undertaking(
        surroundings=hearing.surroundings,
        reading=hearing.reading,
        names=frozenset(move.name for move in outcome.moves),
        commands=commands,
        perform=perform,
        demand=demand,
        judge=judge,
        uv=open_named_uv(hearing.surroundings, hearing.request),
        flags=keep_index_options(hearing.request),
        written=hearing.written,
    )


def _report(judged: Report, hearing: Hearing, result: Result) -> Report:
    """Say what came of it: what was found and what changed, as far as it could be read."""
    if result.reading is None or result.judgement is None:
        return judged
    return replace(
        judged,
        findings=result.judgement.findings,
        changes=drift.diff(hearing.present, result.reading.snapshot),
    )
