"""``envaudit check``: the built-in checks and the policies, on an environment or a snapshot."""

import shlex

from envaudit.commands.judging import Bench, fatal, verdict_of
from envaudit.commands.surroundings import Reading, Surroundings, read_subject
from envaudit.core.evaluate import evaluate
from envaudit.model.finding import Finding
from envaudit.model.layout import EnvironmentKind, Owner
from envaudit.model.report import Report
from envaudit.model.snapshot import Snapshot


def run(
    surroundings: Surroundings,
    bench: Bench,
    *,
    subject: str | None = None,
    baseline: str | None = None,
) -> Report:
    """Judge ``subject``, or the environment that is meant.

    Raises:
        EnvauditError: the subject, the baseline or a policy cannot be read.
    """
    reading = read_subject(subject, surroundings, files=True)
    before = (
        None if baseline is None else read_subject(baseline, surroundings.beside(reading)).snapshot
    )
    law = bench.law(surroundings, installed=_names(reading.snapshot, before))
    judgement = evaluate(
        reading.snapshot,
        law.policies,
        baseline=before,
        files=reading.files,
        variables=surroundings.set_variables,
        today=surroundings.today(),
    )
    verdict, code = verdict_of(judgement.findings, bench.fail_on)
    return Report(
        command="check",
        exit=code,
        verdict=verdict,
        environment=reading.summary(contents=False),
        complete=reading.snapshot.complete,
        findings=judgement.findings,
        policies=judgement.policies,
        configurations=law.configurations,
        hint=_hint(fatal(judgement.findings, bench.fail_on), reading, surroundings, subject),
        notes=reading.notes,
        data={"subject": reading.source, "baseline": baseline},
    )


def _hint(
    findings: tuple[Finding, ...],
    reading: Reading,
    surroundings: Surroundings,
    subject: str | None,
) -> str | None:
    """Return what to do about the findings that decide: `fix` where it can do something."""
    if not findings:
        return None
    layout = reading.snapshot.layout
    alien = layout is not None and (
        layout.kind is EnvironmentKind.FOLDER or layout.owner in {Owner.SYSTEM, Owner.EXTERNAL}
    )
    if alien or not any(finding.remedies for finding in findings):
        return f"`envaudit explain {findings[0].code}` says what it means and how it is repaired"
    if not reading.live:
        return "`envaudit fix` on the environment itself finds the command that repairs it"
    named = subject if subject is not None else surroundings.python
    words = ["envaudit", "fix", *([] if named is None else ["--python", named])]
    return f"`{shlex.join(words)}` finds the command that repairs it"


def _names(*snapshots: Snapshot | None) -> frozenset[str]:
    """Return every name that is installed in any of them."""
    return frozenset(
        record.name
        for snapshot in snapshots
        if snapshot is not None
        for record in snapshot.distributions
    )
