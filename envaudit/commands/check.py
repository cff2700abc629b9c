"""``envaudit check``: the built-in checks and the policies, on an environment or a snapshot."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from envaudit.commands.judging import Bench, verdict_of
from envaudit.commands.surroundings import Reading, Surroundings, read_subject
from envaudit.core.evaluate import evaluate
from envaudit.exits import Exit
from envaudit.model.errors import Problem
from envaudit.model.report import Report, Verdict
from envaudit.model.snapshot import Snapshot

if TYPE_CHECKING:
    from envaudit.commands.inspecting import Outcome
    from envaudit.readers.inspection import Progress


def run(
    surroundings: Surroundings,
    bench: Bench,
    *,
    subject: str | None = None,
    baseline: str | None = None,
    verify: bool = False,
    tell: Callable[["Progress"], None] = lambda _: None,
) -> Report:
    """Judge ``subject``, or the environment that is meant.

    ``verify``: whether its files are read, too; ``tell`` is then called meanwhile.

    Raises:
        EnvauditError: the subject, the baseline or a policy cannot be read.
    """
    reading = read_subject(subject, surroundings, files=True)
    before = (
        None if baseline is None else read_subject(baseline, surroundings.beside(reading)).snapshot
    )
    law = bench.law(surroundings, installed=_names(reading.snapshot, before))
    inspected = _inspect(reading, surroundings, before, tell) if verify else None
    judgement = evaluate(
        reading.snapshot,
        law.policies,
        baseline=before,
        files=reading.files if inspected is None else inspected.files,
        variables=surroundings.set_variables,
        today=surroundings.today(),
    )
    verdict, code = verdict_of(judgement.findings, bench.fail_on)
    errors: tuple[Problem, ...] = ()
    if inspected is not None and not inspected.complete and verdict is Verdict.PASS:
        verdict, code, errors = Verdict.UNKNOWN, Exit.UNKNOWN, (inspected.problem(),)
    return Report(
        command="check",
        exit=code,
        verdict=verdict,
        environment=reading.summary(contents=False),
        complete=reading.snapshot.complete and (inspected is None or inspected.complete),
        findings=judgement.findings,
        policies=judgement.policies,
        configurations=law.configurations,
        notes=(*reading.notes, *(() if inspected is None else inspected.notes)),
        data={"subject": reading.source, "baseline": baseline},
        errors=errors,
        remembered=() if inspected is None else inspected.remembered,
    )


def _inspect(
    reading: Reading,
    surroundings: Surroundings,
    before: Snapshot | None,
    tell: Callable[["Progress"], None],
) -> "Outcome":
    from envaudit.commands.inspecting import inspect
    from envaudit.readers.inspection import Wish

    everything = before is not None and before.files is not None
    return inspect(reading, surroundings, Wish(everything=everything, tell=tell), cache=True)


def _names(*snapshots: Snapshot | None) -> frozenset[str]:
    """Return every name that is installed in any of them."""
    return frozenset(
        record.name
        for snapshot in snapshots
        if snapshot is not None
        for record in snapshot.distributions
    )
