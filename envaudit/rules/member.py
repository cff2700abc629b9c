"""Members: what a rule calls a distribution: a name, pattern or choice, perhaps with a range."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from packaging.specifiers import InvalidSpecifier, Specifier, SpecifierSet
from packaging.utils import InvalidName, canonicalize_name
from packaging.version import Version

from envaudit.model.fact import parse
from envaudit.model.pattern import matches
from envaudit.rules.table import ExpressionError

LIMIT = 500
"""How long a text in a rule may be, in characters: longer ones are refused, not parsed."""

_MEMBER = re.compile(r"\s*(?P<names>[\w.*-]+(?:\s*\|\s*[\w.*-]+)*)\s*(?P<range>.*?)\s*", re.DOTALL)
_NAME = re.compile(r"[\w.*-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """Distributions that a rule speaks of."""

    names: tuple[str, ...]
    """Normalised names and patterns; any of them is meant."""
    specifier: str = ""
    """PEP 440; empty: any version."""

    def __str__(self) -> str:
        """Write it as a policy does."""
        return f"{'|'.join(self.names)}{self.specifier}"

    def covers(self, name: str) -> bool:
        """Return whether ``name`` (normalised) is meant, in whatever version."""
        return any(matches(pattern, name) for pattern in self.names)

    @property
    def single(self) -> str | None:
        """The one name that is meant; ``None`` for a pattern or a choice."""
        return self.names[0] if len(self.names) == 1 and "*" not in self.names[0] else None


def parse_member(text: str, at: int = 0) -> Member:
    """Parse a member that stands ``at`` characters into a longer text.

    Raises:
        ExpressionError: what was expected, and where something else stands.
    """
    match = _MEMBER.fullmatch(bounded(text))
    if match is None:
        raise ExpressionError(f"expected the name of a distribution, found `{text.strip()}`", at)
    names = tuple(
        parse_name(name[0], at + match.start("names") + name.start())
        for name in _NAME.finditer(match["names"])
    )
    return Member(names=names, specifier=parse_specifier(match["range"], at + match.start("range")))


def bounded(text: str) -> str:
    """Return ``text``.

    Raises:
        ExpressionError: it is longer than what a person would write.
    """
    if len(text) > LIMIT:
        raise ExpressionError(f"the text has {len(text)} characters, {LIMIT} are allowed", 0)
    return text


def parse_name(text: str, at: int = 0) -> str:
    """Return a name or pattern, normalised.

    Raises:
        ExpressionError: it is neither.
    """
    # What stands for the star must be legal wherever the star may be: a letter is.
    try:
        canonicalize_name(bounded(text).replace("*", "x"), validate=True)
    except InvalidName:
        raise ExpressionError(f"`{text}` is not the name of a distribution", at) from None
    if text.startswith("*"):
        raise ExpressionError("a pattern starts with the beginning of a name", at)
    return re.sub(r"[-_.]+", "-", text).lower()


def parse_specifier(text: str, at: int = 0) -> str:
    """Return a range, as packaging writes it.

    Raises:
        ExpressionError: PEP 440 does not know it.
    """
    try:
        return str(SpecifierSet(bounded(text)))
    except InvalidSpecifier:
        raise ExpressionError(f"`{text}` is not a range of versions (PEP 440)", at) from None


@lru_cache(maxsize=4096)
def _specifiers(text: str) -> SpecifierSet:
    return SpecifierSet(text)


@lru_cache(maxsize=16384)
def admits(specifier: str, version: str) -> bool | None:
    """Return whether a range admits an installed version; ``None``: it cannot be said.

    A pre-release counts by its number and by its release: ``2.13.0.dev1`` sorts below 2.13.0 and is
    the code of it, so where the two disagree nobody knows.
    """
    parsed = parse(version)
    if parsed is None:
        return None
    specifiers = _specifiers(specifier)
    admitted = specifiers.contains(parsed, prereleases=True)
    if not parsed.is_prerelease:
        return admitted
    release = specifiers.contains(parsed.base_version, prereleases=True)
    return admitted if admitted == release else None


def mentioned(specifier: str) -> tuple[Version, ...]:
    """Return the versions that stand in a range, sorted."""
    return tuple(
        sorted(
            version
            for clause in _specifiers(specifier)
            if (version := parse(clause.version.removesuffix(".*"))) is not None
        )
    )


def can_admit(*specifiers: str) -> bool:
    """Return whether any version is in all of the ranges.

    What bounds a range stands in it: it is enough to try the versions named, and those just beside.
    """
    joined = ",".join(specifier for specifier in specifiers if specifier)
    if "," not in joined:
        return True
    return any(
        _specifiers(joined).contains(version, prereleases=True) for version in around(joined)
    )


def around(*specifiers: str) -> tuple[Version, ...]:
    """Return the versions that ranges name, those just beside them, and one at either end."""
    tried = [Version("0"), Version("99999")]
    for version in (named for specifier in specifiers for named in mentioned(specifier)):
        numbers = (*version.release, 0, 0, 0, 0)[:4]
        tried += [
            version,
            Version(f"{version.epoch}!{'.'.join(map(str, numbers))}.1"),
            Version(f"{version.base_version}.post9"),
            Version(f"{version.epoch}!{'.'.join(map(str, _next(version.release)))}"),
            Version(f"{version.epoch}!{'.'.join(map(str, _before(version.release)))}"),
        ]
    return tuple(sorted(set(tried)))


def _next(release: tuple[int, ...]) -> tuple[int, ...]:
    return (*release[:-1], release[-1] + 1)


def _before(release: tuple[int, ...]) -> tuple[int, ...]:
    """Return numbers that sort before ``release``, and not far from it."""
    *head, last = release
    while head and last == 0:
        *head, last = head
    return (*head, max(last - 1, 0), 99999)


def beyond(specifier: str, *, up: bool) -> str | None:
    """Return the range of what lies above (or below) ``specifier``; ``None``: nothing does."""
    found = {_beyond(clause, up=up) for clause in _specifiers(specifier)} - {None}
    return min((text for text in found if text), default=None)


_TURNED: Mapping[tuple[str, bool], str] = MappingProxyType(
    {
        ("==", True): ">",
        ("<=", True): ">",
        ("<", True): ">=",
        ("==", False): "<",
        (">=", False): "<",
        (">", False): "<=",
    }
)


def _beyond(clause: Specifier, *, up: bool) -> str | None:
    operator = _TURNED.get((clause.operator, up))
    if operator is None:
        return None
    if not clause.version.endswith(".*"):
        return f"{operator}{clause.version}"
    first = clause.version.removesuffix(".*")
    return f">={'.'.join(map(str, _next(Version(first).release)))}" if up else f"<{first}"
