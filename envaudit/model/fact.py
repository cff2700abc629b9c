"""Facts: what a rule may read of a distribution. An unknown fact neither equals nor differs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from packaging.version import InvalidVersion, Version

from envaudit.model.distribution import Distribution


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """A fact that cannot be known, and why."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Known:
    """A fact's value: comparable with the same fact of another distribution."""

    value: Version


Fact = Known | Unknown


def _full(version: Version) -> Version:
    return version


def _public(version: Version) -> Version:
    return Version(version.public)


def _release(version: Version) -> Version:
    return Version(version.base_version)


def _minor(version: Version) -> Version:
    return Version(f"{version.epoch}!{version.major}.{version.minor}")


FACTS: Mapping[str, Callable[[Version], Version]] = MappingProxyType(
    {"full": _full, "public": _public, "release": _release, "minor": _minor}
)
"""``full``: the whole version with its local label; ``public``: without the label; ``release``: the
numbers only; ``minor``: the first two numbers (PEP 440)."""


def read_fact(fact: str, distribution: Distribution, *, skip: frozenset[str] = frozenset()) -> Fact:
    """Read one fact, a key of ``FACTS``, of a distribution.

    ``skip`` holds versions that carry no information, such as ``0.0.0+unknown``.
    """
    if distribution.version in skip:
        return Unknown(reason=f"version `{distribution.version}` carries no information")
    try:
        version = Version(distribution.version)
    except InvalidVersion:
        return Unknown(reason=f"version `{distribution.version}` is not a version (PEP 440)")
    return Known(value=FACTS[fact](version))
