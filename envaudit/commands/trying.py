"""Trying candidates: asking uv, projecting its answer, judging the projection; a plan if it holds.

A candidate is performed in up to three steps: delete paths, uninstall, install. uv is asked about a
later step as the environment would be after the earlier ones: in a scratch likeness of its records,
since some states make uv refuse everything until the first step is done.
"""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from envaudit.commands.aim import open_uv
from envaudit.commands.surroundings import Surroundings
from envaudit.core import custody, planner
from envaudit.core.evaluate import Judgement, evaluate
from envaudit.core.planner import Situation
from envaudit.core.projection import leaving, project, project_files
from envaudit.model.errors import UnreadableError
from envaudit.model.files import Files
from envaudit.model.finding import Finding, Severity
from envaudit.model.layout import Scope
from envaudit.model.plan import Answer, Candidate, Move, Plan, Refused, Rejected, Resolved
from envaudit.model.policy import Policy
from envaudit.model.snapshot import Snapshot
from envaudit.uv.binary import Uv
from envaudit.uv.dry_run import NO_BUILD, ask_install, ask_uninstall
from envaudit.uv.prefix import Prefix
from envaudit.uv.scratch import scratch_likeness

_ROUNDS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Everything that trying a candidate needs."""

    surroundings: Surroundings
    snapshot: Snapshot
    files: Files | None
    baseline: Snapshot | None
    policies: tuple[Policy, ...]
    flags: tuple[str, ...]

    def judge(
        self, snapshot: Snapshot, files: Files | None, moves: tuple[Move, ...] = ()
    ) -> Judgement:
        """Judge the environment, or its projection after ``moves``."""
        return evaluate(
            snapshot,
            self.policies,
            baseline=self.baseline,
            files=files,
            leaving=leaving(moves),
            variables=self.surroundings.set_variables,
            today=self.surroundings.today(),
        )

    def try_all(
        self, targets: tuple[Finding, ...], prefix: Prefix
    ) -> tuple[tuple[Plan, ...], tuple[Rejected, ...]]:
        """Try every direction; return the plans that work and the candidates that do not.

        Raises:
            UnreadableError: uv cannot be asked.
        """
        uv = open_uv(self.surroundings)
        bench = _Bench(uv=uv, prefix=prefix, flags=self.flags)
        unanswered: list[UnreadableError] = []
        plans, rejected = self._try_for(targets, targets, bench, unanswered)
        errors = tuple(item for item in targets if item.severity is Severity.ERROR)
        if not plans and errors and len(errors) < len(targets):
            # What only warns must not keep what is broken from being repaired.
            plans, more = self._try_for(errors, targets, bench, unanswered)
            rejected = (*rejected, *more)
        if not plans and unanswered and len(unanswered) == len(rejected):
            raise unanswered[0]
        return plans, rejected

    def _try_for(
        self,
        wanted: tuple[Finding, ...],
        known: tuple[Finding, ...],
        bench: "_Bench",
        unanswered: list[UnreadableError],
    ) -> tuple[tuple[Plan, ...], tuple[Rejected, ...]]:
        """Try every way of ending ``wanted``; ``known``: everything that was found.

        uv gives up at some states, which says nothing about other ways: it is noted in
        ``unanswered``.
        """
        plans: list[Plan] = []
        rejected: list[Rejected] = []
        situation = Situation(snapshot=self.snapshot, baseline=self.baseline)
        for candidate in planner.candidates(wanted, situation):
            try:
                outcome = self._try(candidate, known, bench)
            except UnreadableError as error:
                unanswered.append(error)
                outcome = Rejected(candidate=candidate, reason=str(error))
            if isinstance(outcome, Rejected):
                rejected.append(outcome)
            elif all(outcome.commands != plan.commands for plan in plans):
                plans.append(outcome)
        return tuple(plans), tuple(rejected)

    def _try(
        self, candidate: Candidate, targets: tuple[Finding, ...], bench: "_Bench"
    ) -> Plan | Rejected:
        known = {finding.key for finding in targets}
        wanted = _wanted(targets)
        for _ in range(_ROUNDS):
            moves = bench.ask(candidate, self.snapshot)
            if isinstance(moves, Refused):
                return Rejected(candidate=candidate, reason=moves.reason)
            refusal = custody.refuse_moves(self.snapshot, moves)
            if refusal is not None:
                return Rejected(candidate=candidate, reason=refusal)
            projection = project(self.snapshot, moves, self.baseline, cleared=candidate.cleared)
            files = None
            if self.files is not None:
                files = project_files(self.files, self.snapshot, moves, cleared=candidate.cleared)
            found = self.judge(projection, files, moves).findings
            new = tuple(item for item in found if item.counts and item.key not in known)
            left = tuple(item for item in found if item.key in wanted)
            if not new and not left:
                pinned = planner.pin(candidate, moves)
                if pinned == candidate:
                    return bench.plan(candidate, moves)
                candidate = pinned  # what is shown is what was tried: ask once more
                continue
            situation = Situation(snapshot=projection, baseline=self.baseline)
            amended = planner.amend(candidate, (*new, *left), situation)
            if amended is None:
                return Rejected(candidate=candidate, reason=_standing(new, left))
            candidate = amended
        return Rejected(candidate=candidate, reason=f"no end was found in {_ROUNDS} rounds")


def _wanted(targets: Iterable[Finding]) -> frozenset[tuple[str, str | None, tuple[str, ...]]]:
    """Return which findings a plan must end: errors with a remedy, else warnings with one."""
    curable = [finding for finding in targets if finding.remedies]
    errors = [finding for finding in curable if finding.severity is Severity.ERROR]
    return frozenset(finding.key for finding in errors or curable)


def _standing(new: Sequence[Finding], left: Sequence[Finding]) -> str:
    parts = [f"it would bring: {finding.message}" for finding in new]
    parts += [f"it would leave: {finding.message}" for finding in left]
    return "; ".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bench:
    """One uv, one environment, and the caller's flags."""

    uv: Uv
    prefix: Prefix
    flags: tuple[str, ...]

    def ask(self, candidate: Candidate, snapshot: Snapshot) -> tuple[Move, ...] | Refused:
        """Return what performing ``candidate`` would move, or why uv would not."""
        gone = tuple(
            Move(name=record.name, before=record.version, after=None)
            for record in snapshot.distributions
            if record.name in candidate.removals
        )
        first = frozenset(candidate.cleared)
        if candidate.removals:
            with self._after(first, snapshot) as prefix:
                answer = ask_uninstall(self.uv, candidate.removals, prefix)
            if isinstance(answer, Refused):
                return answer
        if not (candidate.requirements or candidate.reinstalls):
            return gone
        removed = {one.folder for one in snapshot.distributions if one.name in candidate.removals}
        with self._after(first | removed, snapshot) as prefix:
            answer = self._ask_installs(candidate, prefix)
        match answer:
            case Refused():
                return answer
            case Resolved(moves=moves):
                found = _with_what_stood(moves, gone, snapshot)
                return (*(one for one in gone if one.name not in {m.name for m in found}), *found)

    def _ask_installs(self, candidate: Candidate, prefix: Prefix) -> Answer:
        """Ask about everything that is looked for where it always is, and then about the rest."""
        common, special = _by_index(candidate)
        moves: dict[str, Move] = {}
        requirements = (*common.requirements, *_unnamed(common))
        if requirements:
            flags = (*common.flags(), *self.flags)
            answer = ask_install(self.uv, requirements, flags, prefix)
            if isinstance(answer, Refused) and common.reinstalls and common.requirements:
                answer = self._ask_apart(common, prefix)
            if isinstance(answer, Refused):
                return answer
            moves |= {move.name: move for move in answer.moves}
        for requirement, flags in special:
            answer = ask_install(self.uv, (requirement,), (*flags, *self.flags), prefix)
            if isinstance(answer, Refused):
                return answer
            moves |= {move.name: move for move in answer.moves}
        return Resolved(moves=tuple(moves[name] for name in sorted(moves)))

    def _ask_apart(self, candidate: Candidate, prefix: Prefix) -> Answer:
        """Ask about reinstalling first, at the versions that are there, and then about the rest."""
        moves: dict[str, Move] = {}
        for requirements in (candidate.reinstalls, candidate.requirements):
            flags = (*candidate.flags(), *self.flags)
            answer = ask_install(self.uv, requirements, flags, prefix)
            if isinstance(answer, Refused):
                return answer
            moves |= {move.name: move for move in answer.moves}
        return Resolved(moves=tuple(moves[name] for name in sorted(moves)))

    @contextmanager
    def _after(self, without: frozenset[str], snapshot: Snapshot) -> Iterator[Prefix]:
        """Yield a prefix by which uv sees the environment without some of its records."""
        sites = sorted(
            {one.site for one in snapshot.distributions if one.scope is Scope.OWN}
            | {path.rpartition("/")[0] or "." for path in without}
        )
        root = self.prefix.root
        with scratch_likeness(root, sites, without) if without else nullcontext(root) as place:
            yield replace(self.prefix, root=place)

    def plan(self, candidate: Candidate, moves: tuple[Move, ...]) -> Plan:
        """Return the commands that perform ``candidate``, which was tried."""
        root = self.prefix.root
        commands: list[tuple[str, ...]] = []
        if candidate.cleaned:
            commands.append((self.uv.word, "cache", "clean", *candidate.cleaned))
        if candidate.cleared:
            paths = (str(root / path) for path in candidate.cleared)
            commands.append(("rm", "-r", "--", *paths))
        if candidate.removals:
            commands.append(
                (self.uv.word, "pip", "uninstall", "--python", str(root), *candidate.removals)
            )
        commands += [
            (
                *(self.uv.word, "pip", "install", "--python", str(root), NO_BUILD),
                *flags,
                *self.flags,
                *requirements,
            )
            for flags, requirements in _installs(candidate, moves)
        ]
        return Plan(
            direction=candidate.direction,
            moves=moves,
            commands=tuple(commands),
            shell=" && ".join(shlex.join(command) for command in commands),
        )


def _name(requirement: str) -> str:
    return canonicalize_name(Requirement(requirement).name)


def _admits(pin: str, version: str | None) -> bool:
    return version is not None and Requirement(pin).specifier.contains(version, prereleases=True)


def _unnamed(candidate: Candidate) -> tuple[str, ...]:
    """Return the pins of what is to be reinstalled and is not asked for in another version."""
    named = {_name(requirement) for requirement in candidate.requirements}
    return tuple(pin for pin in candidate.reinstalls if _name(pin) not in named)


def _installs(
    candidate: Candidate, moves: tuple[Move, ...]
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield, for each install command, its flags and its requirements.

    What has no list of its files must first come back at its own version, with a list, before
    another version can take its place: else both would be there.
    """
    common, special = _by_index(candidate)
    after = {move.name: move.after for move in moves}
    if all(_admits(pin, after.get(_name(pin))) for pin in common.reinstalls):
        together = (*common.requirements, *_unnamed(common))
        if together:
            yield common.flags(), together
    else:
        yield common.flags(), common.reinstalls
        if common.requirements:
            yield replace(common, reinstalls=()).flags(), common.requirements
    yield from ((flags, (requirement,)) for requirement, flags in special)


def _by_index(
    candidate: Candidate,
) -> tuple[Candidate, tuple[tuple[str, tuple[str, ...]], ...]]:
    """Return what needs no index of its own; and the requirements that do, with uv's flags.

    uv looks on an index for everything that a command asks for, what is required by it included. So
    what a rule names an index for is installed by a command of its own, and by itself.
    """
    indexes: dict[str, list[str]] = {}
    for name, url in candidate.indexes:
        indexes.setdefault(name, []).append(url)
    special = tuple(
        (text, ("--no-deps", *(word for url in indexes[name] for word in ("--index", url))))
        for text in candidate.requirements
        if (name := _name(text)) in indexes
    )
    own = {text for text, _ in special}
    rest = tuple(text for text in candidate.requirements if text not in own)
    return replace(candidate, requirements=rest, indexes=()), special


def _with_what_stood(
    moves: Iterable[Move], gone: Iterable[Move], snapshot: Snapshot
) -> tuple[Move, ...]:
    """Return uv's moves with the version that stood there before the first step."""
    before = {record.name: record.version for record in snapshot.distributions}
    before.update({move.name: move.before or "" for move in gone})
    return tuple(
        move if move.before is not None else replace(move, before=before.get(move.name))
        for move in moves
    )
