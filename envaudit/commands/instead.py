"""The command that would be right: the user's own, with what must move along added to it.

Three ways, each tried with the installer and judged: *forward* adds the companions that the
findings name. *Shadow A* adds the name of everything that is installed, so that the resolver may
move dependents which the command does not name. Where neither works, *shadow B* pins everything
that the command does not touch: no install, but the installer's own words on what stands in the
way.
"""

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from envaudit.commands.hearing import Hearing, Outcome, required_name
from envaudit.core import planner
from envaudit.core.planner import Situation
from envaudit.core.understand import compose
from envaudit.model.errors import UnreadableError
from envaudit.model.finding import Finding
from envaudit.model.plan import Candidate, Direction, Move, Plan, Refused, Rejected
from envaudit.model.request import Installer, Verb
from envaudit.model.requirement import Chain, State

_ROUNDS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """What could be done instead, best first, and what could not."""

    plans: tuple[Plan, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    obstacles: tuple[str, ...] = ()
    """Where there is no plan: which constraint of which distribution stands in the way."""


def search(hearing: Hearing, outcome: Outcome) -> Ways:
    """Look for the command that would be right."""
    if hearing.request.verb is not Verb.INSTALL:
        return Ways()
    tried = [_try(hearing, candidate) for candidate in _candidates(hearing, outcome)]
    plans = {way.commands: way for way in tried if isinstance(way, Plan)}
    rejected = tuple(way for way in tried if isinstance(way, Rejected))
    if plans:
        return Ways(plans=planner.rank(plans.values(), None), rejected=rejected)
    reason = _pin_untouched(hearing, outcome)
    if reason is not None:
        rejected = (*rejected, Rejected(candidate=_FORWARD, reason=reason))
    told = {way.reason: way for way in reversed(rejected)}  # one reason is told once
    unlike = tuple(way for way in rejected if told[way.reason] is way)
    return Ways(rejected=unlike, obstacles=_obstacles(outcome))


_FORWARD = Candidate(direction=Direction.FORWARD)


def _candidates(hearing: Hearing, outcome: Outcome) -> Iterable[Candidate]:
    situation = Situation(snapshot=outcome.projection, baseline=hearing.present)
    found = planner.candidates(outcome.introduced, situation)
    for candidate in found:
        if candidate.direction is Direction.FORWARD:
            yield _without_asked(hearing, candidate)
    # What no installer can know (a companion that nothing requires) shadow A does not help.
    if any(finding.rule is None for finding in outcome.introduced):
        asked = {required_name(text) for text in hearing.request.arguments}
        names = {
            text
            for record in hearing.present.distributions
            if record.name not in asked
            and (text := planner.write_requirement(record.name, "")) is not None
        }
        yield replace(_FORWARD, requirements=tuple(sorted(names)))


def _try(hearing: Hearing, candidate: Candidate) -> Plan | Rejected:
    """Try a candidate to its end; that nobody can answer for it is no reason to forget the rest."""
    try:
        return _try_on(hearing, candidate)
    except UnreadableError as error:
        return Rejected(candidate=_brief(candidate), reason=str(error))


def _try_on(hearing: Hearing, candidate: Candidate) -> Plan | Rejected:
    for _ in range(_ROUNDS):
        tried = hearing.hear(candidate)
        if isinstance(tried, Refused):
            return Rejected(candidate=_brief(candidate), reason=tried.reason)
        if not hearing.refusing(tried):
            pinned = _pin(candidate, tried.moves)
            if pinned == candidate:
                return _plan(hearing, candidate, tried.moves)
            candidate = pinned
            continue
        situation = Situation(snapshot=tried.projection, baseline=hearing.present)
        amended = planner.amend(candidate, tried.introduced, situation)
        if amended is None:
            reason = "; ".join(finding.message for finding in tried.introduced)
            return Rejected(candidate=_brief(candidate), reason=f"it would bring: {reason}")
        candidate = _without_asked(hearing, amended)
    return Rejected(candidate=_brief(candidate), reason=f"no end in {_ROUNDS} rounds")


def _pin(candidate: Candidate, moves: Sequence[Move]) -> Candidate:
    """Name what moved at the version that was chosen, and leave out bare names that stay.

    Ranges are pinned too: what is shown is what was judged, also when a newer release appears.
    """
    chosen = {move.name: move.after for move in moves if move.after is not None}
    kept: list[str] = []
    for text in candidate.requirements:
        requirement = Requirement(text)
        name = canonicalize_name(requirement.name)
        if _is_exact(requirement) or (name not in chosen and requirement.specifier):
            kept.append(text)
        elif name in chosen:
            extras = f"[{','.join(sorted(requirement.extras))}]" if requirement.extras else ""
            kept.append(f"{name}{extras}=={chosen[name]}")
    return replace(candidate, requirements=tuple(kept))


def _is_exact(requirement: Requirement) -> bool:
    return any(
        item.operator in {"==", "==="} and not item.version.endswith(".*")
        for item in requirement.specifier
    )


_MANY = 12


def _brief(candidate: Candidate) -> Candidate:
    """Return a candidate for people: one of everything installed is no sentence."""
    if len(candidate.requirements) <= _MANY:
        return candidate
    return replace(candidate, requirements=("everything that is installed",))


def _without_asked(hearing: Hearing, candidate: Candidate) -> Candidate:
    """Leave out what the command itself already says."""
    asked = hearing.request.arguments
    kept = tuple(text for text in candidate.requirements if text not in asked)
    return replace(candidate, requirements=kept)


def _plan(hearing: Hearing, candidate: Candidate, moves: tuple[Move, ...]) -> Plan:
    flags = candidate.flags()
    if hearing.request.installer is Installer.PIP:
        flags = tuple(word for url in candidate.urls for word in ("--extra-index-url", url))
    command = compose(hearing.request, options=flags, arguments=candidate.requirements)
    return Plan(
        direction=candidate.direction,
        moves=moves,
        commands=(command,),
        shell=shlex.join(command),
    )


def _pin_untouched(hearing: Hearing, outcome: Outcome) -> str | None:
    """Return what the installer says if everything that the command does not touch must stay."""
    moving = {move.name for move in outcome.moves}
    pins = planner.pin_all(
        record for record in hearing.present.distributions if record.name not in moving
    )
    if not pins:
        return None
    try:
        answer = hearing.ask(replace(_FORWARD, requirements=pins))
    except UnreadableError:
        return None
    if isinstance(answer, Refused):
        return f"with everything else held as it is: {answer.reason}"
    return None


def _obstacles(outcome: Outcome) -> tuple[str, ...]:
    """Say, as chains, who requires what the command would take away."""
    needs = outcome.judgement.graph.needs()
    said: list[str] = []
    for finding in outcome.introduced:
        for need in needs:
            if need.state in {State.UNMET, State.MISSING} and {
                need.dependent.name,
                need.name,
            } == set(finding.distributions):
                chain = outcome.judgement.graph.why(need.dependent)
                said.append(f"{_chain(chain)} requires {need.text}")
    return tuple(dict.fromkeys(said)) or _messages(outcome.introduced)


def _messages(findings: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(finding.message for finding in findings)


def _chain(chain: Chain) -> str:
    return " > ".join(f"{link.name} {link.version}".rstrip() for link in chain)
