"""``envaudit gate -- COMMAND``: judge an install before anything is touched.

The user's own command is asked as a dry run, in the user's folder and with the user's
configuration. The answer is projected on the environment and judged by the same rules and checks as
the environment itself, with the present as the baseline: what the install *introduces* refuses it,
what was there before is shown. Where it is refused, the command that would be right is looked for:
the same command with what must move along added to it, tried and judged like the first.
"""

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from envaudit.commands.aim import aim, open_uv
from envaudit.commands.judging import Bench, Law
from envaudit.commands.surroundings import Reading, Surroundings, read_subject
from envaudit.core import drift, planner
from envaudit.core.evaluate import Judgement, evaluate
from envaudit.core.graph import resolve
from envaudit.core.planner import Situation
from envaudit.core.projection import leaving, project, project_files
from envaudit.core.understand import compose, understand
from envaudit.exits import Exit
from envaudit.model.distribution import Distribution
from envaudit.model.drift import Added, Altered, Change, change_kind, changed_name
from envaudit.model.errors import Problem, UnreadableError, UsageError
from envaudit.model.finding import Finding
from envaudit.model.plan import Candidate, Direction, Move, Plan, Refused, Rejected
from envaudit.model.report import Report, Verdict
from envaudit.model.request import Installer, Request, Verb
from envaudit.model.requirement import Chain, Link
from envaudit.model.snapshot import Snapshot
from envaudit.uv.ask import ask, moves_of_uninstall
from envaudit.uv.binary import Uv
from envaudit.uv.prefix import Prefix

SECONDS = 300.0
"""How long uv may take for one answer, unless the caller says otherwise."""
_ROUNDS = 8
_UNVERIFIED = ("--no-deps", "--overrides", "--excludes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What the caller of the gate allows and asks for."""

    strict: bool = False
    """Whether what was there before refuses, too."""
    allow_build: bool = False
    allow_undetermined: frozenset[str] = frozenset()
    """Names (normalised) that may be installed without uv naming a version for them."""
    seconds: float = SECONDS


def run(surroundings: Surroundings, bench: Bench, command: Sequence[str], terms: Terms) -> Report:
    """Judge what ``command`` would make of the environment.

    Raises:
        EnvauditError: the command is not understood, or uv could not answer.
    """
    request = understand(command)
    if request.installer is not Installer.UV or request.verb is Verb.PROJECT_SYNC:
        raise UsageError(
            Problem(
                message=f"`{shlex.join(command[:2])}` is understood, and not judged yet",
                hint="what is judged is `uv pip install`, `uv pip sync` and `uv pip uninstall`",
            )
        )
    hearing = _open(_aim(surroundings, request), bench, request, terms)
    outcome = hearing.hear(())
    if isinstance(outcome, Refused):
        return hearing.unsolvable(outcome)
    return hearing.conclude(outcome)


def _aim(surroundings: Surroundings, request: Request) -> Surroundings:
    """Point the surroundings at the environment that the command itself names.

    Raises:
        UsageError: ``--python`` of the gate and of the command name two.
    """
    named = request.values("--python")
    if not named:
        if request.has("--system"):
            return replace(
                surroundings, variables={**surroundings.variables, "UV_SYSTEM_PYTHON": "1"}
            )
        return surroundings
    aimed = replace(surroundings, python=named[-1])
    if surroundings.python is not None and surroundings.root() != aimed.root():
        raise UsageError(
            Problem(
                message=(
                    f"`--python {surroundings.python}` of the gate and `--python {named[-1]}` of "
                    "the command name two environments"
                ),
                hint="name it once, in the command",
            )
        )
    return aimed


def _open(surroundings: Surroundings, bench: Bench, request: Request, terms: Terms) -> "_Hearing":
    law = bench.law(surroundings)
    reading = read_subject(None, surroundings, files=True)
    aimed = aim(surroundings, reading.snapshot)
    return _Hearing(
        surroundings=surroundings,
        request=request,
        terms=terms,
        reading=reading,
        law=law,
        uv=open_uv(surroundings),
        prefix=aimed.prefix,
        remarks=aimed.notes,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    """The environment as the command would leave it, judged."""

    moves: tuple[Move, ...]
    projection: Snapshot
    judgement: Judgement

    @property
    def introduced(self) -> tuple[Finding, ...]:
        """Errors that the present does not have."""
        return tuple(finding for finding in self.judgement.errors() if finding.introduced)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hearing:
    """One command before the gate."""

    surroundings: Surroundings
    request: Request
    terms: Terms
    reading: Reading
    law: Law
    uv: Uv
    prefix: Prefix
    remarks: tuple[str, ...]

    @property
    def present(self) -> Snapshot:
        return self.reading.snapshot

    def hear(self, more: Sequence[str]) -> _Outcome | Refused:
        """Ask what the command, with ``more`` requirements, would do, and judge that."""
        if self.request.verb is Verb.UNINSTALL:
            moves = moves_of_uninstall(self.request, self.present)
        else:
            answer = ask(
                self.uv,
                self.request,
                self.prefix,
                seconds=self.terms.seconds,
                more=more,
                build=self.terms.allow_build,
            )
            if isinstance(answer, Refused):
                return answer
            moves = answer.moves
            self._demand_versions(moves)
        projection = project(self.present, moves, None)
        files = self.reading.files
        judgement = evaluate(
            projection,
            self.law.policies,
            baseline=self.present,
            files=None if files is None else project_files(files, self.present, moves),
            files_before=files,
            leaving=leaving(moves),
            variables=self.surroundings.set_variables,
            today=self.surroundings.today(),
        )
        return _Outcome(moves=moves, projection=projection, judgement=judgement)

    def _demand_versions(self, moves: Sequence[Move]) -> None:
        unknown = [
            move.name
            for move in moves
            if not move.known and move.name not in self.terms.allow_undetermined
        ]
        if unknown:
            raise UnreadableError(
                Problem(
                    message=(
                        "uv names no version for "
                        f"{', '.join(f'`{name}`' for name in unknown)}, so it cannot be judged"
                    ),
                    hint=f"allow it by name: `--allow-undetermined {unknown[0]}`",
                )
            )

    def unsolvable(self, refused: Refused) -> Report:
        """Report that uv itself refuses the command, in its own words."""
        return Report(
            command="gate",
            exit=Exit.FINDINGS,
            verdict=Verdict.FAIL,
            environment=self.reading.summary(contents=False),
            complete=self.present.complete,
            lines=("refused: uv finds no solution for the command", *_said(refused.reason)),
            data={"command": list(self._written()), "uv": refused.reason},
        )

    def conclude(self, outcome: _Outcome) -> Report:
        """Report what the command would do, and whether it may."""
        refusing = outcome.judgement.errors() if self.terms.strict else outcome.introduced
        changes = drift.explain(
            drift.diff(self.present, outcome.projection),
            resolve(self.present),
            outcome.judgement.graph,
        )
        report = Report(
            command="gate",
            exit=Exit.FINDINGS if refusing else Exit.PASS,
            verdict=Verdict.FAIL if refusing else Verdict.PASS,
            environment=self.reading.summary(contents=False),
            complete=self.present.complete,
            findings=outcome.judgement.findings,
            changes=self._with_request(changes),
            policies=outcome.judgement.policies,
            configurations=self.law.configurations,
            notes=self._notes(),
            data={"command": list(self._written()), "uv": str(self.uv.path)},
        )
        if not refusing:
            return replace(report, lines=(f"pass: {_told(changes)}",))
        plan, rejected = self._search(outcome)
        line = f"refused: {_errors(len(refusing))} would come of it; nothing was touched"
        return replace(report, lines=(line,), plan=plan, rejected=rejected)

    def _written(self) -> tuple[str, ...]:
        return compose(self.request)

    def _with_request(self, changes: tuple[Change, ...]) -> tuple[Change, ...]:
        """Say of what the command names that the command is the reason."""
        asked = {name: text for text in self.request.arguments if (name := _name(text))}
        return tuple(
            replace(change, why=_asked(change.after, asked[changed_name(change)]))
            if isinstance(change, Added | Altered) and changed_name(change) in asked
            else change
            for change in changes
        )

    def _notes(self) -> tuple[str, ...]:
        loose = [option for option in _UNVERIFIED if self.request.has(option)]
        if self.request.verb is Verb.SYNC:
            loose.append("uv pip sync")
        if not loose:
            return self.remarks
        return (
            *self.remarks,
            (
                f"under {', '.join(f'`{option}`' for option in loose)} uv does not guarantee what "
                "the incoming distributions require: that was not judged"
            ),
        )

    def _search(self, outcome: _Outcome) -> tuple[Plan | None, tuple[Rejected, ...]]:
        """Look for the command that would be right: the same one, with what must move along."""
        if self.request.verb is not Verb.INSTALL:
            return None, ()
        situation = Situation(snapshot=outcome.projection, baseline=self.present)
        found = planner.candidates(outcome.introduced, situation)
        candidate = next((item for item in found if item.direction is Direction.FORWARD), None)
        if candidate is None:
            return None, ()
        candidate = self._without_asked(candidate)
        for _ in range(_ROUNDS):
            tried = self.hear(candidate.requirements)
            if isinstance(tried, Refused):
                return None, (Rejected(candidate=candidate, reason=tried.reason),)
            if not tried.introduced:
                pinned = planner.pin(candidate, tried.moves)
                if pinned == candidate:
                    return self._plan(candidate, tried.moves), ()
                candidate = pinned
                continue
            situation = Situation(snapshot=tried.projection, baseline=self.present)
            amended = planner.amend(candidate, tried.introduced, situation)
            if amended is None:
                reason = "; ".join(finding.message for finding in tried.introduced)
                return None, (Rejected(candidate=candidate, reason=f"it would bring: {reason}"),)
            candidate = self._without_asked(amended)
        return None, (Rejected(candidate=candidate, reason=f"no end in {_ROUNDS} rounds"),)

    def _without_asked(self, candidate: Candidate) -> Candidate:
        """Leave out what the command itself already says."""
        asked = self.request.arguments
        return replace(
            candidate,
            requirements=tuple(text for text in candidate.requirements if text not in asked),
        )

    def _plan(self, candidate: Candidate, moves: tuple[Move, ...]) -> Plan:
        command = compose(self.request, arguments=candidate.requirements)
        return Plan(
            direction=candidate.direction,
            moves=moves,
            commands=(command,),
            shell=shlex.join(command),
        )


def _errors(count: int) -> str:
    return f"{count} error{'' if count == 1 else 's'}"


def _said(reason: str) -> tuple[str, ...]:
    return tuple(f"  {line.strip()}" for line in reason.splitlines() if line.strip())


def _name(text: str) -> str | None:
    try:
        return canonicalize_name(Requirement(text).name)
    except InvalidRequirement:
        return None


def _asked(record: Distribution, text: str) -> Chain:
    return (
        Link(name="the command", version=""),
        Link(name=record.spelling, version=record.version, requirement=text),
    )


def _told(changes: Sequence[Change]) -> str:
    """Say in a few words what would change."""
    if not changes:
        return "the command would change nothing"
    kinds = Counter(change_kind(change) for change in changes)
    return ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
