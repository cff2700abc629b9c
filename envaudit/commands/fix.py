"""``envaudit fix``: the corrective command, tried and judged before it is shown.

For each direction: a candidate is made from the findings, uv is asked what it would do, the answer
is projected on the environment, and the projection is judged like the environment itself. New
errors are answered by adding what is missing, until nothing new comes, or nothing can be added.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from envaudit.commands.aim import aim
from envaudit.commands.inspecting import inspect
from envaudit.commands.judging import Bench
from envaudit.commands.surroundings import Reading, Surroundings, read_subject
from envaudit.commands.trying import Trial
from envaudit.core import custody, planner
from envaudit.core.understand import understand_flags
from envaudit.exits import Exit
from envaudit.model.finding import Finding
from envaudit.model.plan import Direction
from envaudit.model.report import Report, Verdict
from envaudit.readers import store
from envaudit.readers.inspection import Progress, Wish


def run(
    surroundings: Surroundings,
    bench: Bench,
    *,
    baseline: str | None = None,
    direction: Direction | None = None,
    flags: Sequence[str] = (),
    verify: Callable[[Progress], None] | None = None,
) -> Report:
    """Find the command that ends the environment's findings; ``flags`` go to uv's install.

    ``verify``: is called while files are read, so that edits are among the findings; ``None``: they
    are not read. Without a ``baseline`` the environment's last snapshot is used, if there is one.

    Raises:
        EnvauditError: something could not be read, or uv could not answer.
    """
    law = bench.law(surroundings)
    flags = understand_flags(flags)
    reading = read_subject(None, surroundings, files=True)
    before = _baseline(baseline, surroundings)
    recorded = None if before is None else before.snapshot
    inspected = (
        None
        if verify is None
        else inspect(reading, surroundings, Wish(tell=verify), baseline=recorded)
    )
    unread = None if inspected is None else inspected.problem()
    files = reading.files if inspected is None else inspected.files
    trial = Trial(
        surroundings=surroundings,
        snapshot=reading.snapshot,
        files=files,
        baseline=recorded,
        policies=law.policies,
        flags=tuple(flags),
    )
    judgement = trial.judge(reading.snapshot, files)
    targets = tuple(item for item in judgement.findings if item.counts)
    report = Report(
        command="fix",
        exit=Exit.PASS,
        verdict=Verdict.PASS,
        environment=reading.summary(contents=False),
        complete=reading.snapshot.complete and unread is None,
        findings=targets,
        policies=judgement.policies,
        configurations=law.configurations,
        notes=(*reading.notes, *_notes(before, baseline), *_incurable(targets)),
        remembered=() if inspected is None else inspected.remembered,
        data={"baseline": None if before is None else before.source},
    )
    if not targets and unread is not None:
        return replace(report, exit=Exit.UNKNOWN, verdict=Verdict.UNKNOWN, errors=(unread,))
    if not targets:
        return replace(report, lines=("nothing to fix",))
    refusal = custody.refuse_environment(reading.snapshot)
    if refusal:
        return replace(report, exit=Exit.FINDINGS, verdict=Verdict.FAIL, lines=refusal)
    aimed = aim(surroundings, reading.snapshot)
    report = replace(report, notes=(*report.notes, *aimed.notes))
    plans, rejected = trial.try_all(targets, aimed.prefix)
    best, *others = planner.rank(plans, direction) or (None,)
    if best is None:
        return replace(
            report,
            exit=Exit.FINDINGS,
            verdict=Verdict.FAIL,
            rejected=rejected,
            lines=("no command was found that ends the findings and breaks nothing else",),
        )
    return replace(
        report,
        verdict=Verdict.FAIL,
        plan=best,
        alternatives=tuple(others),
        rejected=rejected,
    )


def _baseline(asked: str | None, surroundings: Surroundings) -> Reading | None:
    """Read the baseline that was asked for, else the last snapshot of this environment."""
    if asked is not None:
        return read_subject(asked, surroundings)
    if not store.kept(surroundings.shelf()):
        return None
    return read_subject("@last", surroundings)


def _incurable(targets: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(
        f"no command is known that ends {finding.severity.value}[{finding.code}] {finding.message}"
        f": {_instead(finding)}"
        for finding in targets
        if not finding.remedies
    )


def _instead(finding: Finding) -> str:
    """Return whose business a finding is that no command of uv's ends, or where help stands."""
    told = (line for line in finding.evidence if line.startswith(("owner: ", "by hand")))
    return next(told, f"see `envaudit explain {finding.code}`")


def _notes(before: Reading | None, asked: str | None) -> tuple[str, ...]:
    if before is None:
        return ("there is no baseline: what is newest is taken for what changed",)
    if asked is None:
        return (f"the baseline is the last snapshot, `{before.source}`",)
    return ()
