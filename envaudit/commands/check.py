"""``envaudit check``: the built-in checks and the policies, on an environment or a snapshot."""

import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING

from envaudit.commands.interrupted import find_interruption
from envaudit.commands.judging import Bench, conclude, fatal
from envaudit.commands.surroundings import Reading, Surroundings, read_subject
from envaudit.core.evaluate import evaluate
from envaudit.model.finding import Finding
from envaudit.model.interruption import Interruption, write_undoing
from envaudit.model.layout import EnvironmentKind, Owner
from envaudit.model.report import Report
from envaudit.model.snapshot import Snapshot

if TYPE_CHECKING:
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
    inspected = None
    if verify:
        from envaudit.commands.inspecting import inspect
        from envaudit.readers.inspection import Wish

        inspected = inspect(reading, surroundings, Wish(tell=tell), baseline=before)
    interruption, doubts = find_interruption(reading, surroundings)
    judgement = evaluate(
        reading.snapshot,
        law.policies,
        baseline=before,
        files=reading.files if inspected is None else inspected.files,
        interruption=interruption,
        variables=surroundings.set_variables,
        today=surroundings.today(),
    )
    unread = None if inspected is None else inspected.problem()
    verdict, code, errors = conclude(judgement.findings, bench.fail_on, unread=unread)
    return Report(
        command="check",
        exit=code,
        verdict=verdict,
        environment=reading.summary(contents=False),
        complete=reading.snapshot.complete and unread is None,
        findings=judgement.findings,
        policies=judgement.policies,
        configurations=law.configurations,
        hint=_undo(interruption)
        or _hint(fatal(judgement.findings, bench.fail_on), reading, surroundings, subject),
        notes=(*reading.notes, *doubts, *(() if inspected is None else inspected.notes)),
        data={"subject": reading.source, "baseline": baseline},
        errors=errors,
        remembered=() if inspected is None else inspected.remembered,
    )


def _undo(interruption: Interruption | None) -> str | None:
    if interruption is None:
        return None
    if interruption.under_way:
        return "wait for the change that is under way, and check again"
    return f"`{write_undoing(interruption.environment)}` puts things back"


def _hint(
    findings: tuple[Finding, ...],
    reading: Reading,
    surroundings: Surroundings,
    subject: str | None,
) -> str | None:
    """Return what to do about the findings that decide: `fix` where it can do something."""
    if not findings:
        return None
    named = subject if subject is not None else surroundings.python
    words = [] if named is None else ["--python", named]
    layout = reading.snapshot.layout
    alien = layout is not None and (
        layout.kind is EnvironmentKind.FOLDER or layout.owner in {Owner.SYSTEM, Owner.EXTERNAL}
    )
    if alien or not any(finding.remedies for finding in findings):
        return f"`envaudit explain {findings[0].code}` says what it means and how it is repaired"
    if not reading.live:
        return "`envaudit fix` on the environment itself finds the command that repairs it"
    repair = shlex.join(["envaudit", "fix", *words])
    return f"`{repair}` finds the command that repairs it"


def _names(*snapshots: Snapshot | None) -> frozenset[str]:
    """Return every name that is installed in any of them."""
    return frozenset(
        record.name
        for snapshot in snapshots
        if snapshot is not None
        for record in snapshot.distributions
    )
