"""``envaudit fix --apply``: the corrective command that was found, carried out like any change."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from envaudit.commands import fix
from envaudit.commands.admission import open_turn
from envaudit.commands.afterwards import Judged, judge_after
from envaudit.commands.aim import open_uv
from envaudit.commands.changing import Terms, Undertaking, change, say_start
from envaudit.commands.concluding import conclude
from envaudit.commands.judging import Bench
from envaudit.commands.surroundings import Reading, Surroundings, read_subject
from envaudit.effects.clearing import set_aside
from envaudit.model.finding import Severity
from envaudit.model.plan import Direction, Plan
from envaudit.model.report import Report
from envaudit.readers.dockets import Docket
from envaudit.readers.file_states import list_below
from envaudit.readers.inspection import Progress
from envaudit.uv.execute import Runner

_CLEARING = ("rm", "-r", "--")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """How a repair is looked for, and made; see ``fix.run``."""

    baseline: str | None = None
    direction: Direction | None = None
    flags: tuple[str, ...] = ()
    verify: Callable[[Progress], None] | None = None
    terms: Terms = field(default_factory=Terms)


def run(surroundings: Surroundings, bench: Bench, wish: Wish) -> Report:
    """Find the command that ends the environment's findings, and carry it out.

    Raises:
        EnvauditError: nothing was changed.
    """
    with open_turn(surroundings, wish.terms.seconds, foreign=wish.terms.foreign) as holding:
        reading = read_subject(None, surroundings, contents=True, files=True)
        found = fix.run(
            surroundings,
            bench,
            baseline=wish.baseline,
            direction=wish.direction,
            flags=wish.flags,
            verify=wish.verify,
        )
        if found.plan is None:
            return found
        undertaking = _undertake(surroundings, bench, reading, wish, found, found.plan)
        started = say_start(undertaking)
        result = change(undertaking, wish.terms, holding)
        report = replace(found, plan=None, alternatives=(), rejected=())
        if result.judgement is not None:
            report = replace(report, findings=result.judgement.findings)
        report = replace(report, notes=(*report.notes, started))
        return conclude(result, undertaking).upon(report)


def _undertake(
    surroundings: Surroundings,
    bench: Bench,
    reading: Reading,
    wish: Wish,
    found: Report,
    plan: Plan,
) -> Undertaking:
    root = Path(reading.source)
    cleared = frozenset(path for command in plan.commands for path in _cleared(command, root))
    names = frozenset(
        record.name for record in reading.snapshot.distributions if record.folder in cleared
    )
    wanted = {
        finding.key
        for finding in found.findings
        if finding.remedies and finding.severity is Severity.ERROR
    }
    policies = bench.law(surroundings).policies

    def judge(after: Reading) -> Judged:
        judged = judge_after(surroundings, policies, reading, plan.moves, after, cleared=names)
        left = () if judged.judgement is None else judged.judgement.errors()
        standing = (item for item in left if item.key in wanted)
        told = tuple(f"still there: {item.message}" for item in standing)
        return replace(judged, failures=(*judged.failures, *told))

    return Undertaking(
        surroundings=surroundings,
        reading=reading,
        names=frozenset(move.name for move in plan.moves) | names,
        commands=plan.commands,
        perform=lambda runner, docket: _perform(plan, runner, docket),
        judge=judge,
        uv=open_uv(surroundings),
        flags=wish.flags,
        written=wish.flags,
        stash_all=False,
        done="repaired: what was found is gone",
    )


def _perform(plan: Plan, runner: Runner, docket: Docket) -> tuple[str, ...]:
    """Carry out the commands in their order, up to the first that fails.

    What is to be deleted is set aside instead, so that it can come back.
    """
    for command in plan.commands:
        paths = _cleared(command, runner.root)
        if paths:
            files = [file for path in paths for file in list_below(runner.root, path)]
            set_aside(runner.root, files, docket.aside)
            continue
        code = runner.run(command[1:])
        if code != 0:
            return (f"uv ended with exit code {code}",)
    return ()


def _cleared(command: Sequence[str], root: Path) -> tuple[str, ...]:
    """Return what a command deletes, relative to the environment."""
    if tuple(command[: len(_CLEARING)]) != _CLEARING:
        return ()
    return tuple(str(Path(path).relative_to(root)) for path in command[len(_CLEARING) :])
