"""``envaudit check``: the built-in checks and the policies, on an environment or a snapshot."""

from envaudit.commands.judging import Bench, verdict_of
from envaudit.commands.surroundings import Surroundings, read_subject
from envaudit.core.evaluate import evaluate
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
        notes=reading.notes,
        data={"subject": reading.source, "baseline": baseline},
    )


def _names(*snapshots: Snapshot | None) -> frozenset[str]:
    """Return every name that is installed in any of them."""
    return frozenset(
        record.name
        for snapshot in snapshots
        if snapshot is not None
        for record in snapshot.distributions
    )
