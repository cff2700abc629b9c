"""Conditions: what must hold before a rule speaks, and what must hold when it does.

torch>=2.11                  a member that is installed, in that range
not torch>=2.11              … that is not
cuda(torch) == 12            a fact and a value
python_version < "3.10"      a marker (PEP 508) of the environment's interpreter
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import eq, ge, le, ne
from types import MappingProxyType

from packaging.markers import InvalidMarker, Marker, UndefinedEnvironmentName
from packaging.version import Version

from envaudit.model.distribution import Distribution
from envaudit.model.fact import FACTS, TEXT_GROUPS, Absent, Known, Unknown, parse
from envaudit.rules.lens import Lens, Truth, both, either
from envaudit.rules.member import Member, bounded, parse_member
from envaudit.rules.table import ExpressionError

_MARKER_NAMES = frozenset(
    {
        "implementation_name",
        "implementation_version",
        "os_name",
        "platform_machine",
        "platform_python_implementation",
        "platform_system",
        "python_full_version",
        "python_version",
        "sys_platform",
    }
)
_CALL = re.compile(r"\s*(?P<fact>[\w.]+)\s*\((?P<member>[^()]*)\)\s*(?P<rest>.*)", re.DOTALL)
_LITERAL = re.compile(r"(?P<operator>==|!=|<=|>=)\s*(?P<value>[\w.+!-]+)\s*")
_NOT = re.compile(r"\s*not\s+")

_OPERATORS: Mapping[str, Callable[[Version | str, Version | str], bool]] = MappingProxyType(
    {"==": eq, "!=": ne, "<=": le, ">=": ge}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """A member is installed, in its range; ``negated``: is not."""

    member: Member
    negated: bool = False

    def __str__(self) -> str:
        """Write it as a policy does."""
        return f"not {self.member}" if self.negated else str(self.member)


@dataclass(frozen=True, slots=True, kw_only=True)
class FactIs:
    """A fact of a member stands so to a value."""

    fact: str
    member: Member
    operator: str
    value: Version | str

    def __str__(self) -> str:
        """Write it as a policy does."""
        return f"{self.fact}({self.member}) {self.operator} {self.value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerHolds:
    """A marker holds on the environment's interpreter."""

    text: str

    def __str__(self) -> str:
        """Write it as a policy does."""
        return self.text


Condition = Installed | FactIs | MarkerHolds
Goal = Installed | FactIs
"""What a rule can ask for: that a member is in a range, or has a fact."""


def parse_condition(text: str) -> Condition:
    """Parse one condition.

    Raises:
        ExpressionError: what was expected, and where something else stands.
    """
    bounded(text)
    words = set(re.findall(r"[a-z_]+", text))
    if words & _MARKER_NAMES:
        return _parse_marker(text)
    negation = _NOT.match(text)
    if negation:
        at = negation.end()
        return Installed(member=parse_member(text[at:], at), negated=True)
    return parse_goal(text)


def parse_goal(text: str) -> Goal:
    """Parse what a rule can ask for.

    Raises:
        ExpressionError: what was expected, and where something else stands.
    """
    call = _CALL.fullmatch(bounded(text))
    if call is None:
        return Installed(member=parse_member(text))
    fact = call["fact"]
    if fact not in FACTS:
        raise ExpressionError(unknown_fact(fact), call.start("fact"))
    literal = _LITERAL.fullmatch(call["rest"])
    if literal is None:
        raise ExpressionError(
            f"expected `==`, `!=`, `<=` or `>=` and a value, found `{call['rest']}`"
            if call["rest"]
            else "expected `==`, `!=`, `<=` or `>=` and a value, found the end",
            call.start("rest"),
        )
    return FactIs(
        fact=fact,
        member=parse_member(call["member"], call.start("member")),
        operator=literal["operator"],
        value=_value(fact, literal, call.start("rest")),
    )


def unknown_fact(fact: str) -> str:
    """Say that ``fact`` is none, and which there are."""
    known = ", ".join(name for name in FACTS if not re.fullmatch(r"first[2-9]", name))
    known = known.replace("first1", "first1 to first9")
    return f"`{fact}` is not a fact; known are {known}"


def _value(fact: str, literal: re.Match[str], at: int) -> Version | str:
    text, operator = literal["value"], literal["operator"]
    if FACTS[fact] in TEXT_GROUPS:
        if operator not in {"==", "!="}:
            raise ExpressionError(f"`{fact}` is a text: expected `==` or `!=`", at)
        return text.lower()
    version = parse(text)
    if version is None:
        raise ExpressionError(f"expected a version, found `{text}`", at + literal.start("value"))
    return version


def _parse_marker(text: str) -> MarkerHolds:
    try:
        Marker(text)
    except (InvalidMarker, RecursionError) as error:
        reason = str(error).split("\n")[0]
        raise ExpressionError(f"`{text}` is not a marker (PEP 508): {reason}", 0) from None
    return MarkerHolds(text=text)


def holds(condition: Condition, lens: Lens) -> Truth:
    """Return whether a condition holds."""
    match condition:
        case Installed(member=member, negated=negated):
            found = either(truth for _, truth in lens.meant(member))
            return not found if negated and isinstance(found, bool) else found
        case FactIs():
            return either(
                both((truth, has_fact(condition, record, lens)))
                for record, truth in lens.meant(condition.member)
            )
        case MarkerHolds(text=text):
            return _marker_holds(text, lens)


def has_fact(condition: FactIs, record: Distribution, lens: Lens) -> Truth:
    """Return whether the fact of one record is as the condition says."""
    match lens.fact(condition.fact, record):
        case Unknown() as unknown:
            return unknown
        case Absent():
            return condition.operator == "!="
        case Known(value=value):
            return _OPERATORS[condition.operator](value, condition.value)


def _marker_holds(text: str, lens: Lens) -> Truth:
    markers = lens.subject.snapshot.interpreter.marker_values()
    marker = Marker(text)
    unknown = next((name for name in _MARKER_NAMES - markers.keys() if name in text), None)
    if unknown is not None:
        return Unknown(reason=f"the marker `{unknown}` is not known here")
    try:
        return marker.evaluate({**markers, "extra": ""})
    except UndefinedEnvironmentName as error:
        return Unknown(reason=str(error))


def in_question(condition: Condition, lens: Lens) -> tuple[Distribution, ...]:
    """Return the installed records that a condition is about."""
    match condition:
        case Installed(member=member, negated=False) | FactIs(member=member):
            return tuple(record for record, _ in lens.meant(member))
        case Installed() | MarkerHolds():
            return ()


def member_of(condition: Condition) -> Member | None:
    """Return whom a condition is about; ``None`` for a marker."""
    match condition:
        case Installed(member=member) | FactIs(member=member):
            return member
        case MarkerHolds():
            return None


def named_by(condition: Condition) -> Member | None:
    """Return who must be installed for a condition to hold; ``None``: nobody."""
    if isinstance(condition, Installed) and condition.negated:
        return None
    return member_of(condition)
