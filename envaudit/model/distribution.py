"""One installed distribution as found on disk, where it came from, and what could not be read."""

from dataclasses import dataclass, field
from enum import StrEnum

from envaudit.model.document import Json
from envaudit.model.layout import Owner, Scope
from envaudit.model.record_name import Form, RecordName, parse_record_name


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


class EditableKind(StrEnum):
    """By what an editable distribution is importable."""

    PATH = "path"
    """A ``.pth`` line puts a folder on the import path (all backends, for a ``src`` layout)."""
    MAPPING = "mapping"
    """A finder module maps import names to places (setuptools)."""
    LOADER = "loader"
    """A loader that a program wrote, and that cannot be read without running it (meson-python)."""
    UNKNOWN = "unknown"
    """Nothing was found that would make it importable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Editable:
    """How a distribution is importable from a source tree (PEP 660, or ``setup.py develop``)."""

    kind: EditableKind
    files: tuple[str, ...] = ()
    """The ``.pth``, finder and loader files, relative to the environment, sorted."""
    targets: tuple[str, ...] = ()
    """Absolute paths that it is imported from, sorted: folders of a ``.pth``, modules of a mapping,
    and the source tree of ``direct_url.json``."""
    dangling: tuple[str, ...] = ()
    """Those of ``targets`` that are not there."""
    tree: "Tree | None" = None
    """What the source tree declares by now, where it does. Not stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """What a source tree's ``pyproject.toml`` declares statically, under its own name."""

    path: str
    """The folder, absolute."""
    version: str | None
    """``None``: it is computed when the tree is built."""
    requires: tuple[str, ...] | None
    """As written; ``None``: computed."""


PLANNED = "(planned)/"
"""What the folder of a distribution begins with that a plan would bring."""


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
    """The record, relative to the environment: ``lib/python3.11/site-packages/x-1.dist-info``.

    Absolute where it lies outside of it."""
    form: Form = Form.DIST_INFO
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
    scope: Scope = field(default=Scope.OWN, compare=False)
    """By what it is on the import path: only what is the environment's own can be changed there."""
    owner: Owner | None = field(default=None, compare=False)
    """Which tool looks after it; ``None``: a Python installer. uv must not be told to change what
    another tool owns."""
    editable: Editable | None = field(default=None, compare=False)
    """``None``: its modules lie in the environment."""
    linked: bool = field(default=False, compare=False)
    """Whether its record is a link into a cache or store (uv's ``--link-mode symlink``): it breaks
    when that is cleaned."""
    more: tuple[tuple[str, Json], ...] = field(default=(), compare=False)
    """Fields of a newer minor schema, kept as they came."""

    @property
    def planned(self) -> bool:
        """Whether it would be there after a plan: what its files tell is then not known."""
        return self.folder.startswith(PLANNED)

    @property
    def label(self) -> str:
        """The distribution as people name it: ``torch 2.9.1``."""
        return f"{self.spelling} {self.version}"

    @property
    def stated(self) -> RecordName | None:
        """What the record's own file name states: may be another name and version (``label``)."""
        return parse_record_name(self.folder.rpartition("/")[2])

    @property
    def site(self) -> str:
        """The site directory that holds the record, spelled like ``folder``."""
        return self.folder.rpartition("/")[0] or "."


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A part of the environment that is there and could not be read. Never dropped."""

    folder: str
    """Where, relative to the environment."""
    part: str
    """Which file or directory of it."""
    reason: str
    """One sentence, lower case."""


class RemnantKind(StrEnum):
    """Why an entry of a site directory is no distribution, although it looks like one."""

    LEFTOVER = "leftover"
    """``~…``: what pip renamed to remove it and left when it was stopped. Record or modules."""
    FILE = "file"
    """A ``.dist-info`` that is a file."""
    DANGLING = "dangling"
    """A link to nowhere: the record, or what an ``.egg-link`` names."""
    UNREACHABLE = "unreachable"
    """An egg that no ``.pth`` file puts on the import path."""
    NAMELESS = "nameless"
    """A record of which neither the file name nor the content tells name and version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remnant:
    """An entry of a site directory that looks like a distribution, or was one, and is none.

    uv and pip pass over all of these; ``importlib.metadata`` returns some as live distributions.
    """

    folder: str
    """The entry, relative to the environment."""
    kind: RemnantKind
    name: str | None = None
    """The normalised name in its metadata, if it has one, else the one that its file name tells."""
    version: str | None = None
