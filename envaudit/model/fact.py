"""Facts: what a rule may read of a distribution. An unknown fact neither equals nor differs."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from packaging.version import Version

from envaudit.model import accelerator
from envaudit.model.accelerator import Accelerator
from envaudit.model.distribution import Distribution
from envaudit.model.pattern import matches
from envaudit.model.snapshot import Interpreter


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """A fact that cannot be known, and why."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Absent:
    """A fact that this distribution does not have: the label of a version without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A fact's value: comparable with facts of the same group."""

    value: Version | str

    @property
    def number(self) -> int:
        """The last component of a version, for arithmetic."""
        return 0 if isinstance(self.value, str) else self.value.release[-1]


Fact = Known | Unknown | Absent


def _first(count: int) -> Callable[[Version], Version]:
    def first(version: Version) -> Version:
        numbers = (*version.release, *(0,) * count)[:count]
        return Version(f"{version.epoch}!{'.'.join(map(str, numbers))}")

    return first


VERSION_FACTS: Mapping[str, Callable[[Version], Version]] = MappingProxyType(
    {
        "full": lambda version: version,
        "public": lambda version: Version(version.public),
        "release": lambda version: Version(version.base_version),
        "major": _first(1),
        "minor": _first(2),
        **{f"first{count}": _first(count) for count in range(1, 10)},
    }
)
"""Facts that are cut out of the version (PEP 440). ``full``: with its local label; ``public``:
without; ``release``: the numbers only; ``major``, ``minor``, ``firstN``: the first ones of them."""

_WHOLE = "the whole version"
_TWO = "the first two numbers"
FACTS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(VERSION_FACTS, _WHOLE),
        **dict.fromkeys(("major", "first1"), "the first number"),
        **dict.fromkeys(("minor", "first2", "built.torch"), _TWO),
        "label": "a label",
        "vendor": "a vendor",
        "built.vendor": "a vendor",
        "cuda": "a CUDA major",
        "built.cuda": "a CUDA major",
        "cuda.minor": "a CUDA version",
    }
)
"""Every fact, and its group: what can be compared with what."""

TEXT_GROUPS = frozenset({"a label", "a vendor"})
"""Groups whose values are texts: they are equal or not, and stand in no order."""

_COMMIT = re.compile(r"(?:git|g)?(?=[0-9]*[a-f])[0-9a-f]{7,40}|git[0-9a-f]{7,40}|g[0-9a-f]{7,40}")
_SAYS_NOTHING = frozenset({"unknown", "empty"})


@lru_cache(maxsize=16384)
def parse(text: str) -> Version | None:
    """Return the version, or ``None`` where PEP 440 does not know it."""
    try:
        return Version(text)
    except ValueError:  # InvalidVersion, and what Python says to a number of 5000 digits
        return None


def is_commit(label: str | None) -> bool:
    """Return whether a local label is (or holds) a commit: built by hand, or by a vendor."""
    return any(_COMMIT.fullmatch(part) for part in (label or "").split("."))


def informs(text: str, skip: Iterable[str] = ()) -> str | None:
    """Return why the version ``text`` says nothing, or ``None`` where it does say something.

    ``skip``: patterns of versions that say nothing, beside those that never do.
    """
    version = parse(text)
    if version is None:
        return f"version `{text}` is not a version (PEP 440)"
    label = frozenset((version.local or "").split("."))
    placeholder = (
        not any(version.release)
        or label & _SAYS_NOTHING
        or (version.is_devrelease and version.release == (0, 1))
    )
    if placeholder or any(matches(pattern, text) for pattern in skip):
        return f"version `{text}` carries no information"
    return None


def read_fact(
    fact: str,
    distribution: Distribution,
    *,
    skip: Iterable[str] = (),
    interpreter: Interpreter | None = None,
) -> Fact:
    """Read one fact, a key of ``FACTS``, of a distribution.

    ``skip`` holds patterns of versions that carry no information, such as ``0.0.0+unknown``.
    ``interpreter`` is the environment's: what an unlabelled wheel was built for hangs on its
    platform.
    """
    nothing = informs(distribution.version, skip)
    if nothing is not None:
        return Unknown(reason=nothing)
    if fact in VERSION_FACTS:
        return _of_version(fact, distribution.version)
    if fact == "label":
        version = parse(distribution.version)
        local = None if version is None else version.local
        return Absent() if local is None else Known(value=local)
    if fact.startswith("built."):
        return _of_build(fact, distribution)
    found = accelerator.read(distribution, interpreter)
    return _of_accelerator(fact, found, distribution)


def _of_version(fact: str, text: str) -> Fact:
    version = parse(text)
    if version is None:
        return Unknown(reason=f"version `{text}` is not a version (PEP 440)")
    if fact != "full" and is_commit(version.local):
        return Unknown(reason=f"the label of version `{text}` is a commit: built by hand")
    return Known(value=VERSION_FACTS[fact](version))


def _of_accelerator(fact: str, found: Accelerator | None, distribution: Distribution) -> Fact:
    if found is None:
        return Unknown(reason=f"nothing tells what `{distribution.label}` was built for")
    if fact in {"vendor", "built.vendor"}:
        return Known(value=found.vendor)
    if found.vendor != accelerator.CUDA:
        return Absent()
    if found.cuda is None or (fact == "cuda.minor" and len(found.cuda.release) == 1):
        return Unknown(reason=f"nothing tells which CUDA `{distribution.label}` was built for")
    return Known(value=_first(2 if fact == "cuda.minor" else 1)(found.cuda))


def _of_build(fact: str, distribution: Distribution) -> Fact:
    built = accelerator.read_built(distribution)
    if built is None or (fact == "built.torch" and built.torch is None):
        return Unknown(reason=f"nothing tells against which torch `{distribution.label}` was built")
    if fact == "built.torch" and built.torch is not None:
        return Known(value=_first(2)(built.torch))
    return _of_accelerator(fact, built.accelerator, distribution)
