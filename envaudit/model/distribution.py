"""One installed distribution as found on disk, where it came from, and what could not be read."""

from dataclasses import dataclass, field
from enum import StrEnum

from envaudit.model.document import Json


class OriginKind(StrEnum):
    """How a distribution reached the environment (PEP 610, ``direct_url.json``)."""

    INDEX = "index"
    """No ``direct_url.json``: installed by name, from an index or a wheel folder."""
    ARCHIVE = "archive"
    """A URL or path of one archive."""
    VCS = "vcs"
    PATH = "path"
    """A source tree."""
    EDITABLE = "editable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a distribution came from, secrets already dropped."""

    kind: OriginKind
    url: str | None = None
    """Without userinfo and without any query key but ``subdirectory``, ``egg`` and hashes."""
    revision: str | None = None
    """The commit of a version-control origin."""
    subdirectory: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """One record of an installed distribution.

    Two records may carry one name: a broken environment can hold that, and an auditor must show it.
    Fields left out of equality are what installers write differently for the same wheel.
    """

    name: str
    """Normalised as PEP 503 says."""
    spelling: str
    """The name as the metadata spells it."""
    version: str
    """As written; PEP 440 or not."""
    folder: str
    """The record, relative to the environment: ``lib/python3.11/site-packages/x-1.dist-info``."""
    origin: Origin = Origin(kind=OriginKind.INDEX)
    tags: tuple[str, ...] = ()
    """The wheel's own tags, sorted."""
    build: str | None = None
    requires: tuple[str, ...] | None = ()
    """``Requires-Dist`` lines as written; ``None``: not known (it comes with a plan)."""
    extras: tuple[str, ...] = ()
    """``Provides-Extra``, normalised and sorted."""
    requires_python: str | None = None
    repositories: tuple[str, ...] = ()
    """Source repositories named by its URLs, normalised and sorted."""
    content_id: str | None = None
    """Digest of what the wheel brought; ``None`` neither equals nor differs."""
    installer: str | None = field(default=None, compare=False)
    requested: bool = field(default=False, compare=False)
    """Whether ``REQUESTED`` is there. uv writes it for every distribution: no sign of a root."""
    active_extras: tuple[str, ...] = field(default=(), compare=False)
    """Extras of which every requirement is installed: inferred, since nothing records them."""
    measured: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    """Facts that only files of the distribution tell, by name: ``built.torch``. Not stored."""
    more: tuple[tuple[str, Json], ...] = field(default=(), compare=False)
    """Fields of a newer minor schema, kept as they came."""

    @property
    def label(self) -> str:
        """The distribution as people name it: ``torch 2.9.1``."""
        return f"{self.spelling} {self.version}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A part of the environment that is there and could not be read. Never dropped."""

    folder: str
    """Where, relative to the environment."""
    part: str
    """Which file or directory of it."""
    reason: str
    """One sentence, lower case."""
