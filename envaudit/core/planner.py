"""From findings to candidates, from uv's answer to a projection, and which way is best.

Pure: asking uv is somebody else's job (``commands/fix``). The loop there is: take a candidate, ask
uv what it would do, ``project`` the answer on the snapshot, judge the projection; while it has new
errors, ``amend`` the candidate with what is still missing, and ask again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from envaudit.model.declared import parse_requirement, parse_version
from envaudit.model.distribution import Distribution
from envaudit.model.fact import Known, read_fact
from envaudit.model.finding import (
    Align,
    Clear,
    Finding,
    Keep,
    LookOn,
    Place,
    Reinstall,
    Remedy,
    Remove,
    Satisfy,
)
from envaudit.model.plan import Candidate, Direction, Move, Plan
from envaudit.model.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What candidates are made from."""

    snapshot: Snapshot
    baseline: Snapshot | None

    def present(self, name: str) -> Distribution | None:
        """Return the installed record of ``name``; the last one where there are several."""
        return self.snapshot.by_name().get(name, (None,))[-1]

    def before(self, name: str) -> Distribution | None:
        """Return the baseline's record of ``name``."""
        if self.baseline is None:
            return None
        return self.baseline.by_name().get(name, (None,))[-1]

    def changed(self, name: str) -> bool:
        """Return whether ``name`` has another version than in the baseline, or was not there."""
        now, then = self.present(name), self.before(name)
        return (
            self.baseline is not None
            and now is not None
            and (then is None or now.version != then.version)
        )


def candidates(findings: Iterable[Finding], situation: Situation) -> tuple[Candidate, ...]:
    """Return one candidate for each direction in which something can be done for the findings.

    A finding that knows no remedy in a direction gets its first one in any other: several findings
    become one command, since two commands can undo each other.
    """
    made: list[Candidate] = []
    wanted = [finding for finding in findings if finding.remedies]
    indexes = tuple(
        dict.fromkeys(
            (remedy.name, remedy.url)
            for finding in wanted
            for remedy in finding.remedies
            if isinstance(remedy, LookOn)
        )
    )
    actions = [_actions(finding, situation) for finding in wanted]
    for direction in Direction:
        for choice in range(max((len(one.get(direction, ())) for one in actions), default=0)):
            merged = Candidate(direction=direction, indexes=indexes)
            for action in actions:
                ways = action.get(direction) or next(iter(action.values()), ())
                if ways:
                    merged = _merge(merged, ways[min(choice, len(ways) - 1)])
            made.append(merged)
    return tuple(dict.fromkeys(made))


def amend(
    candidate: Candidate, new_errors: Iterable[Finding], situation: Situation
) -> Candidate | None:
    """Add what ``new_errors`` of a projection ask for; ``None`` where nothing can be added.

    ``situation`` is that of the projection, with the same baseline.
    """
    amended = candidate
    for finding in new_errors:
        actions = _actions(finding, situation)
        ways = actions.get(candidate.direction) or actions.get(Direction.FORWARD)
        chosen = ways[0] if ways else None
        for remedy in finding.remedies:
            match remedy:
                case Satisfy(name=name) if candidate.direction is not Direction.BACK:
                    # The dependent stands in the way as it is: let uv move it.
                    chosen = _bare(candidate.direction, name)
                case Satisfy(name=name) if (then := situation.before(name)) is not None:
                    chosen = _pinned(candidate.direction, (then,))
                case Satisfy(name=name):
                    chosen = _bare(candidate.direction, name)
                case Align() | Remove() | Place() | Keep() | LookOn() | Reinstall() | Clear():
                    pass
        if chosen is not None:
            amended = _merge(amended, chosen)
    return None if amended == candidate else amended


def _bare(direction: Direction, name: str) -> Candidate | None:
    text = write_requirement(name, "")
    return None if text is None else Candidate(direction=direction, requirements=(text,))


def pin(candidate: Candidate, moves: Iterable[Move]) -> Candidate:
    """Return ``candidate`` with each bare name at the version that uv chose for it."""
    chosen = {move.name: move.after for move in moves if move.after is not None}
    return replace(
        candidate,
        requirements=tuple(
            f"{text}=={chosen[name]}"
            if not Requirement(text).specifier and (name := _required_name(text)) in chosen
            else text
            for text in candidate.requirements
        ),
    )


def _merge(candidate: Candidate, more: Candidate) -> Candidate:
    """Join two candidates; a name that one of them already decides stays as decided."""
    pinned = {_required_name(text) for text in candidate.reinstalls}
    asked = {_required_name(text) for text in candidate.requirements}
    gone = frozenset(candidate.removals)
    requirements = {text for text in more.requirements if _required_name(text) not in asked | gone}
    removals = {name for name in more.removals if name not in asked | pinned}
    reinstalls = {text for text in more.reinstalls if _required_name(text) not in pinned | gone}
    return replace(
        candidate,
        requirements=tuple(sorted({*candidate.requirements, *requirements})),
        removals=tuple(sorted(gone | removals)),
        reinstalls=tuple(sorted({*candidate.reinstalls, *reinstalls})),
        cleaned=tuple(sorted({*candidate.cleaned, *more.cleaned})),
        cleared=tuple(sorted({*candidate.cleared, *more.cleared})),
    )


def _required_name(text: str) -> str:
    return canonicalize_name(Requirement(text).name)


def _actions(finding: Finding, situation: Situation) -> Mapping[Direction, tuple[Candidate, ...]]:
    """Return what could be done for one finding, by direction, in the order of ``Direction``."""
    actions: dict[Direction, tuple[Candidate, ...]] = {}
    for remedy in finding.remedies:
        for direction, candidate in _ways(remedy, situation).items():
            if candidate is not None:
                actions[direction] = (*actions.get(direction, ()), candidate)
    return {direction: actions[direction] for direction in Direction if direction in actions}


def _ways(remedy: Remedy, situation: Situation) -> Mapping[Direction, Candidate | None]:
    match remedy:
        case Align():
            return _align(remedy, situation)
        case Satisfy():
            return _satisfy(remedy, situation)
        case Remove(name=name):
            return {Direction.REMOVE: Candidate(direction=Direction.REMOVE, removals=(name,))}
        case Place(name=name, specifier=specifier, up=up):
            way = Direction.FORWARD if up else Direction.BACK
            text = write_requirement(name, specifier)
            return {way: _candidate(way, None if text is None else (text,))}
        case Keep() | Reinstall() | Clear():
            return _put_in_order(remedy)
        case LookOn():  # no way of its own: `candidates` adds the index to every way
            return {}


def _put_in_order(remedy: Keep | Reinstall | Clear) -> Mapping[Direction, Candidate | None]:
    match remedy:
        case Keep(name=name, version=version, losers=losers):
            pins = _pins(name, version)
            kept = Candidate(direction=Direction.REMOVE, reinstalls=pins, removals=losers)
            return {Direction.REMOVE: kept if pins else None}
        case Reinstall(name=name, version=version, clean=clean):
            pins = _pins(name, version)
            cleaned = (name,) if clean else ()
            again = Candidate(direction=Direction.IN_PLACE, reinstalls=pins, cleaned=cleaned)
            return {Direction.IN_PLACE: again if pins else None}
        case Clear(paths=paths, name=stood, version=version):
            pins = () if stood is None else _pins(stood, version or "")
            cleared = Candidate(direction=Direction.IN_PLACE, cleared=paths, requirements=pins)
            return {Direction.IN_PLACE: cleared if pins or stood is None else None}


def _pins(name: str, version: str) -> tuple[str, ...]:
    """Return the pin of one version; none where a hostile name or version makes none of it."""
    pin = write_requirement(name, f"=={version}")
    return () if pin is None else (pin,)


def _align(remedy: Align, situation: Situation) -> Mapping[Direction, Candidate | None]:
    members = [record for name in remedy.members if (record := situation.present(name)) is not None]
    ordered = sorted(members, key=_by_version)
    if not ordered:
        return {}
    changed = [record for record in ordered if situation.changed(record.name)]
    forward = (changed or ordered)[-1]
    actions = {Direction.FORWARD: _aligned(Direction.FORWARD, members, forward, remedy.fact)}
    if situation.baseline is None:
        actions[Direction.BACK] = _aligned(Direction.BACK, members, ordered[0], remedy.fact)
    else:
        actions[Direction.BACK] = _restored(remedy.members, situation)
    return actions


def _by_version(record: Distribution) -> tuple[bool, Version, str]:
    """Order records by version; what PEP 440 does not know comes first."""
    version = parse_version(record.version)
    return version is not None, version or Version("0"), record.name


def _aligned(
    direction: Direction, members: list[Distribution], leader: Distribution, fact: str
) -> Candidate | None:
    value = read_fact(fact, leader)
    if not isinstance(value, Known):
        return None
    texts = [
        write_requirement(record.name, _specifier(fact, value))
        for record in members
        if read_fact(fact, record) != value
    ]
    if not texts or None in texts:
        return None
    return Candidate(
        direction=direction, requirements=tuple(sorted(text for text in texts if text))
    )


def _specifier(fact: str, value: Known) -> str:
    """Return what admits the versions whose ``fact`` is ``value``, as near as PEP 440 can."""
    return f"=={value.value}" if fact in {"full", "public"} else f"=={value.value}.*"


def _satisfy(remedy: Satisfy, situation: Situation) -> Mapping[Direction, Candidate | None]:
    extras = f"[{','.join(remedy.extras)}]" if remedy.extras else ""
    keep = write_requirement(f"{remedy.name}{extras}", f"=={remedy.version}")
    kept = None if keep is None else (keep,)
    victim = situation.present(remedy.victim)
    if (
        victim is not None
        and situation.changed(remedy.victim)
        and not situation.changed(remedy.name)
    ):
        # What changed is the victim: forward lets the dependent follow it, back returns it.
        pin = write_requirement(victim.name, f"=={victim.version}")
        dependent = write_requirement(f"{remedy.name}{extras}", "")
        follow = tuple(sorted((pin, dependent))) if pin and dependent else None
        return {
            Direction.FORWARD: _candidate(Direction.FORWARD, follow),
            Direction.BACK: _candidate(Direction.BACK, kept),
        }
    return {
        Direction.FORWARD: _candidate(Direction.FORWARD, kept),
        Direction.BACK: _restored((remedy.name, remedy.victim), situation),
    }


def _candidate(direction: Direction, requirements: tuple[str, ...] | None) -> Candidate | None:
    if requirements is None:
        return None
    return Candidate(direction=direction, requirements=requirements)


def _restored(names: Iterable[str], situation: Situation) -> Candidate | None:
    """Return the names that moved, at the versions of the baseline."""
    records = [
        then
        for name in names
        if situation.changed(name) and (then := situation.before(name)) is not None
    ]
    return _pinned(Direction.BACK, records) if records else None


def _pinned(direction: Direction, records: Iterable[Distribution]) -> Candidate | None:
    texts = [write_requirement(record.name, f"=={record.version}") for record in records]
    if None in texts:
        return None
    return Candidate(
        direction=direction, requirements=tuple(sorted(text for text in texts if text))
    )


def write_requirement(name: str, specifier: str) -> str | None:
    """Return the requirement text; ``None`` where a hostile name or version makes none of it.

    Or one of another kind: the name `x @ https://…` would make it the archive at a URL.
    """
    text = f"{name}{specifier}"
    parsed = parse_requirement(text)
    if parsed is None or parsed.url is not None or parsed.marker is not None:
        return None
    return text if parsed.specifier == SpecifierSet(specifier) else None


def pin_all(records: Iterable[Distribution]) -> tuple[str, ...]:
    """Return each record as ``name==version``; those that make no such requirement are left out."""
    texts = (write_requirement(record.name, f"=={record.version}") for record in records)
    return tuple(text for text in texts if text is not None)


def rank(plans: Iterable[Plan], asked: Direction | None) -> tuple[Plan, ...]:
    """Return the plans best first: the direction asked for, then the fewest distributions moved."""
    order = list(Direction)
    return tuple(
        sorted(
            plans,
            key=lambda plan: (
                plan.direction is not asked,
                len(plan.moves),
                order.index(plan.direction),
            ),
        )
    )
