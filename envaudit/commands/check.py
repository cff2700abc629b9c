"""``envaudit check``: the built-in checks and the policies, on an environment or a snapshot."""

from envaudit.commands.judging import Bench, verdict_of
from envaudit.commands.surroundings import Surroundings, read_subject
from envaudit.core.evaluate import evaluate
from envaudit.model.report import Report


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
    policies = bench.policies(surroundings)
    reading = read_subject(subject, surroundings, files=True)
    before = None if baseline is None else read_subject(baseline, surroundings).snapshot
    judgement = evaluate(
        reading.snapshot,
        policies,
        baseline=before,
        files=reading.files,
        variables=surroundings.set_variables,
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
        notes=reading.notes,
        data={"subject": reading.source, "baseline": baseline},
    )
