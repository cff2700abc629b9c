"""``envaudit fix``: the corrective command, tried and judged before it is shown.

For each direction: a candidate is made from the findings, uv is asked what it would do, the answer
is projected on the environment, and the projection is judged like the environment itself. New
errors are answered by adding what is missing, until nothing new comes, or nothing can be added.
"""

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from envaudit.commands.aim import aim, open_uv
from envaudit.commands.judging import Bench
from envaudit.commands.surroundings import Reading, Surroundings, read_subject
from envaudit.core import custody, planner
from envaudit.core.evaluate import Judgement, evaluate
from envaudit.core.planner import Situation
from envaudit.core.understand import understand_flags
from envaudit.exits import Exit
from envaudit.model.finding import Finding, Severity
from envaudit.model.plan import Candidate, Direction, Move, Plan, Refused, Rejected, Resolved
from envaudit.model.policy import Policy
from envaudit.model.report import Report, Verdict
from envaudit.model.snapshot import Snapshot
from envaudit.readers import store
from envaudit.uv.binary import Uv
from envaudit.uv.dry_run import NO_BUILD, ask_install, ask_uninstall
from envaudit.uv.prefix import Prefix

_ROUNDS = 8


def run(
    surroundings: Surroundings,
    bench: Bench,
    *,
    baseline: str | None = None,
    direction: Direction | None = None,
    flags: Sequence[str] = (),
) -> Report:
    """Find the command that ends the environment's findings; ``flags`` go to uv's install.

    Without a ``baseline`` the environment's last snapshot is used, if there is one.

    Raises:
        EnvauditError: something could not be read, or uv could not answer.
    """
    law = bench.law(surroundings)
    flags = understand_flags(flags)
    reading = read_subject(None, surroundings)
    before = _baseline(baseline, surroundings)
    trial = _Trial(
        surroundings=surroundings,
        snapshot=reading.snapshot,
        baseline=None if before is None else before.snapshot,
        policies=law.policies,
        flags=tuple(flags),
    )
    judgement = trial.judge(reading.snapshot)
    targets = tuple(item for item in judgement.findings if item.counts)
    report = Report(
        command="fix",
        exit=Exit.PASS,
        verdict=Verdict.PASS,
        environment=reading.summary(contents=False),
        complete=reading.snapshot.complete,
        findings=targets,
        policies=judgement.policies,
        configurations=law.configurations,
        notes=(*reading.notes, *_notes(before, baseline), *_incurable(targets)),
        data={"baseline": None if before is None else before.source},
    )
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
        for finding in targets
        if not finding.remedies
    )


def _notes(before: Reading | None, asked: str | None) -> tuple[str, ...]:
    if before is None:
        return ("there is no baseline: what is newest is taken for what changed",)
    if asked is None:
        return (f"the baseline is the last snapshot, `{before.source}`",)
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trial:
    """Everything that trying a candidate needs."""

    surroundings: Surroundings
    snapshot: Snapshot
    baseline: Snapshot | None
    policies: tuple[Policy, ...]
    flags: tuple[str, ...]

    def judge(self, snapshot: Snapshot) -> Judgement:
        return evaluate(
            snapshot,
            self.policies,
            baseline=self.baseline,
            variables=self.surroundings.set_variables,
            today=self.surroundings.today(),
        )

    def try_all(
        self, targets: tuple[Finding, ...], prefix: Prefix
    ) -> tuple[tuple[Plan, ...], tuple[Rejected, ...]]:
        """Try every direction; return the plans that work and the candidates that do not."""
        uv = open_uv(self.surroundings)
        plans: list[Plan] = []
        rejected: list[Rejected] = []
        situation = Situation(snapshot=self.snapshot, baseline=self.baseline)
        for candidate in planner.candidates(targets, situation):
            outcome = self._try(candidate, targets, uv, prefix)
            if isinstance(outcome, Rejected):
                rejected.append(outcome)
            elif all(outcome.commands != plan.commands for plan in plans):
                plans.append(outcome)
        return tuple(plans), tuple(rejected)

    def _try(
        self, candidate: Candidate, targets: tuple[Finding, ...], uv: Uv, prefix: Prefix
    ) -> Plan | Rejected:
        known = {finding.key for finding in targets}
        wanted = _wanted(targets)
        for _ in range(_ROUNDS):
            moves = self._ask(candidate, uv, prefix)
            if isinstance(moves, Refused):
                return Rejected(candidate=candidate, reason=moves.reason)
            refusal = custody.refuse_moves(self.snapshot, moves)
            if refusal is not None:
                return Rejected(candidate=candidate, reason=refusal)
            projection = planner.project(self.snapshot, moves, self.baseline)
            found = self.judge(projection).findings
            new = tuple(item for item in found if item.counts and item.key not in known)
            left = tuple(item for item in found if item.key in wanted)
            if not new and not left:
                pinned = planner.pin(candidate, moves)
                if pinned == candidate:
                    return _plan(candidate, moves, uv, prefix.root, self.flags)
                candidate = pinned  # what is shown is what was tried: ask once more
                continue
            situation = Situation(snapshot=projection, baseline=self.baseline)
            amended = planner.amend(candidate, (*new, *left), situation)
            if amended is None:
                return Rejected(candidate=candidate, reason=_standing(new, left))
            candidate = amended
        return Rejected(candidate=candidate, reason=f"no end was found in {_ROUNDS} rounds")

    def _ask(self, candidate: Candidate, uv: Uv, prefix: Prefix) -> tuple[Move, ...] | Refused:
        """Return what uninstalling and then installing would move."""
        gone = tuple(
            Move(name=record.name, before=record.version, after=None)
            for record in self.snapshot.distributions
            if record.name in candidate.removals
        )
        if candidate.removals:
            refusal = ask_uninstall(uv, candidate.removals, prefix)
            if isinstance(refusal, Refused):
                return refusal
        if not candidate.requirements:
            return gone
        flags = (*candidate.flags(), *self.flags)
        answer = ask_install(uv, candidate.requirements, flags, prefix)
        match answer:
            case Refused():
                return answer
            case Resolved(moves=moves):
                return (
                    *(move for move in gone if move.name not in {m.name for m in moves}),
                    *moves,
                )


def _wanted(targets: Iterable[Finding]) -> frozenset[tuple[str, str | None, tuple[str, ...]]]:
    """Return which findings a plan must end: errors with a remedy, else warnings with one."""
    curable = [finding for finding in targets if finding.remedies]
    errors = [finding for finding in curable if finding.severity is Severity.ERROR]
    return frozenset(finding.key for finding in errors or curable)


def _standing(new: Sequence[Finding], left: Sequence[Finding]) -> str:
    parts = [f"it would bring: {finding.message}" for finding in new]
    parts += [f"it would leave: {finding.message}" for finding in left]
    return "; ".join(parts)


def _plan(
    candidate: Candidate, moves: tuple[Move, ...], uv: Uv, root: Path, flags: tuple[str, ...]
) -> Plan:
    commands: list[tuple[str, ...]] = []
    if candidate.removals:
        commands.append((uv.word, "pip", "uninstall", "--python", str(root), *candidate.removals))
    if candidate.requirements:
        commands.append(
            (
                *(uv.word, "pip", "install", "--python", str(root), NO_BUILD),
                *candidate.flags(),
                *flags,
                *candidate.requirements,
            )
        )
    return Plan(
        direction=candidate.direction,
        moves=moves,
        commands=tuple(commands),
        shell=" && ".join(shlex.join(command) for command in commands),
    )
