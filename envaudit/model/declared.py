"""Requirement lines and versions: parsing them, and what they mean on a target.

Without networkx, so that what needs no graph does not pay for it.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from packaging.markers import UndefinedComparison, UndefinedEnvironmentName
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

# Far beyond any real line (the longest of 15,000 that were seen has 400 characters); what parses a
# line takes time that grows with the square of its length.
_LONGEST_LINE = 4096
_LONGEST_VERSION = 512


@lru_cache(maxsize=65536)
def parse_requirement(text: str) -> Requirement | None:
    """Return the parsed PEP 508 line, or ``None`` where it is not one, or is absurdly long."""
    if len(text) > _LONGEST_LINE:
        return None
    try:
        return Requirement(text)
    except (ValueError, RecursionError):  # InvalidRequirement, and numbers of thousands of digits
        return None


@lru_cache(maxsize=16384)
def parse_version(text: str) -> Version | None:
    """Return the parsed PEP 440 version, or ``None`` where it is not one, or is absurdly long."""
    if len(text) > _LONGEST_VERSION:
        return None
    try:
        return Version(text)
    except ValueError:  # InvalidVersion
        return None


_MARKERS = (
    *("implementation_name", "implementation_version", "os_name", "platform_machine"),
    *("platform_python_implementation", "platform_release", "platform_system"),
    *("platform_version", "python_full_version", "python_version", "sys_platform"),
)
"""All variables of PEP 508 but ``extra``. For one that is not given, ``packaging`` takes the value
of the interpreter that runs envaudit: it must not be asked about those."""


def unknown_marker(requirement: Requirement, markers: Mapping[str, str]) -> str | None:
    """Return a variable of the requirement's marker that ``markers`` does not know, if any."""
    if requirement.marker is None:
        return None
    text = str(requirement.marker)
    return next((name for name in _MARKERS if name not in markers and name in text), None)


def holds(requirement: Requirement, markers: Mapping[str, str], extra: str | None) -> bool | None:
    """Return whether the requirement's marker, if it has one, holds under ``extra``.

    ``None``: it parses, and means nothing: ``os_name ~= "x"``, ``"x" in extras``.
    """
    if requirement.marker is None:
        return True
    try:
        return requirement.marker.evaluate({**markers, "extra": extra or ""})
    except (UndefinedComparison, UndefinedEnvironmentName, TypeError):
        return None


@lru_cache(maxsize=65536)
def admits(specifier: str, version: str) -> bool | None:
    """Return whether a specifier admits an installed version; ``None``: cannot be decided.

    Pre-releases count, since what is installed is installed: pip and uv judge alike.
    """
    parsed = parse_version(version)
    if parsed is None:
        return None
    try:
        return SpecifierSet(specifier).contains(parsed, prereleases=True)
    except ValueError:  # a specifier whose number has thousands of digits is parsed late
        return None


# `…; extra == "x"` or `…; (…) and extra == "x"`: what every build backend writes, and nine in ten
# of all lines that are not in force. Parsing them with packaging is most of the cost of a check.
_EXTRA_AT_THE_END = re.compile(
    r"""^[^;'"()]*(?:\([^;'"()]*\))?[^;'"()]*;\s*(?P<other>.*\band\s+)?extra\s*==\s*"""
    r"""(?P<quote>['"])(?P<extra>[A-Za-z0-9._-]+)(?P=quote)\s*$"""
)
_QUOTED = re.compile(r"""'[^']*'|"[^"]*\"""")
_PARENTHESISED = re.compile(r"\([^()]*\)")


def hangs_on_another_extra(text: str, extra: str | None) -> bool:
    """Return true only where a line surely is not in force under ``extra``, without parsing it.

    A line ``name; A and extra == "x"`` holds for the extra ``x`` alone, unless an ``or`` stands at
    the top level of ``A``.
    """
    if "extra" not in text or len(text) > _LONGEST_LINE:
        return False
    match = _EXTRA_AT_THE_END.match(text)
    if match is None:
        return False
    other = _QUOTED.sub("''", match["other"] or "")
    while "(" in other:
        shorter = _PARENTHESISED.sub("", other)
        if shorter == other:
            return False
        other = shorter
    if re.search(r"\bor\b", other):
        return False
    return canonicalize_name(match["extra"]) != extra


# `name[…]>=1,<2; extra == "x"`, without any other condition.
_ONE_EXTRA = re.compile(
    r"""(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[A-Za-z0-9_ ,-]*\]\s*)?"""
    r"""(?:(?:==|>=|<=|<|>|!=|~=)\s*[0-9]+(?:\.[0-9]+)*(?:\s*,\s*(?=[=<>!~])|\s*(?=;)))*;\s*"""
    r"""extra\s*==\s*(?P<quote>['"])(?P<extra>[A-Za-z0-9._-]+)(?P=quote)\s*"""
)


def needed_by_one_extra(text: str) -> tuple[str, str] | None:
    """Return the normalised name and extra of a line that surely holds under that extra alone.

    Without parsing it; ``None``: it may be any other line. Nine in ten lines of extras are such.

    >>> needed_by_one_extra('PyYAML>=5.1; extra == "all"')
    ('pyyaml', 'all')
    """
    match = _ONE_EXTRA.fullmatch(text) if len(text) <= _LONGEST_LINE else None
    if match is None:
        return None
    return canonicalize_name(match["name"]), canonicalize_name(match["extra"])


_NAMED_EXTRA = re.compile(r"""\bextra\s*==\s*['"]([A-Za-z0-9._-]+)['"]""")


def named_extras(text: str) -> frozenset[str]:
    """Return the extras, normalised, that a requirement line speaks of."""
    return frozenset(canonicalize_name(name) for name in _NAMED_EXTRA.findall(text))
