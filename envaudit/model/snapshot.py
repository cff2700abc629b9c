"""The record of one environment at one moment."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from envaudit.model.distribution import Distribution, Remnant, Unreadable
from envaudit.model.document import Json
from envaudit.model.inspection import FileDigest
from envaudit.model.layout import Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpreter:
    """The interpreter of an environment, as its files describe it. It was not started."""

    implementation: str
    """``cpython``, ``pypy``, in the spelling of ``sys.implementation.name``."""
    version: str
    """``3.11.7``, or ``3.11`` where the patch level is not known; empty where nothing is known."""
    markers: tuple[tuple[str, str], ...]
    """PEP 508 environment markers, sorted by name. A variable that is not known is absent."""
    tags: tuple[str, ...] = ()
    """The best wheel tag, from which the others follow: ``cp311-cp311-linux_x86_64``."""

    @property
    def label(self) -> str:
        """The version as people read it."""
        return self.version or "unknown"

    def marker_values(self) -> dict[str, str]:
        """Return the markers as the mapping that ``packaging`` wants."""
        return dict(self.markers)


@dataclass(frozen=True, slots=True, kw_only=True)
class StartupHook:
    """Code that runs at every start of the interpreter: a ``.pth`` line or a customize module."""

    path: str
    """Relative to the environment."""
    digest: str
    lines: tuple[str, ...] = ()
    """The executable lines of a ``.pth`` or ``.start`` file; empty for a customize module."""
    owner: str | None = None
    """The normalised name of the distribution whose RECORD claims the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """When, where and by what a snapshot was taken. Outside equality and outside the digest."""

    taken: str | None = None
    """RFC 3339, UTC."""
    host: str | None = None
    environment: str | None = None
    """The environment's absolute path."""
    tool: str | None = None
    details: tuple[tuple[str, Json], ...] = ()
    """Further facts by name: libc, kernel, driver, uv's configuration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """One environment: its interpreter and its distributions, sorted by name and folder.

    Two ``distributions`` of one name lie in one site directory: that is a duplicate. One that lies
    in a later folder of the import path is in ``shadowed``.

    >>> python = Interpreter(implementation="cpython", version="3.11.7", markers=())
    >>> snapshot = Snapshot(interpreter=python, distributions=())
    >>> snapshot.complete, dict(snapshot.by_name())
    (True, {})
    """

    interpreter: Interpreter
    distributions: tuple[Distribution, ...]
    unreadable: tuple[Unreadable, ...] = ()
    hooks: tuple[StartupHook, ...] = ()
    remnants: tuple[Remnant, ...] = ()
    """What looks like a distribution and is none, sorted by folder."""
    shadowed: tuple[Distribution, ...] = field(default=(), compare=False)
    """Records that are not live, sorted like ``distributions``: an earlier folder of the import
    path has one of the same name, or, in the same folder, an ``.egg-info`` has a ``.dist-info`` of
    the same version beside it. They are not installed, and nothing judges what they require."""
    layout: Layout | None = field(default=None, compare=False)
    """Measured on a live environment; ``None``: not known."""
    provenance: Provenance = field(default=Provenance(), compare=False)
    files: tuple[FileDigest, ...] | None = field(default=None, compare=False)
    """Every file that RECORD did not vouch for when this was taken, sorted by path: of other
    content than listed, or without a digest, or not listed at all. ``None``: they were not read."""
    more: tuple[tuple[str, Json], ...] = field(default=(), compare=False)
    """Fields of a newer minor schema, kept as they came."""

    @property
    def complete(self) -> bool:
        """Whether every part of the environment could be read."""
        return not self.unreadable

    def by_folder(self) -> Mapping[str, Distribution]:
        """Return the distributions by their record's folder."""
        return {distribution.folder: distribution for distribution in self.distributions}

    def by_name(self) -> Mapping[str, tuple[Distribution, ...]]:
        """Group the distributions by normalised name; a name may have several records."""
        groups: dict[str, tuple[Distribution, ...]] = {}
        for distribution in self.distributions:
            groups[distribution.name] = (*groups.get(distribution.name, ()), distribution)
        return groups
