"""What was measured of an environment's files, as opposed to what its metadata says.

A stored snapshot has none of it: it is then unmeasured as a whole, the checks of files have nothing
to judge, and one of them says so.
"""

from dataclasses import dataclass
from enum import StrEnum

from envaudit.model.inspection import Inspection


class ManifestState(StrEnum):
    """Whether there is a list of what was installed (RECORD)."""

    READ = "read"
    ABSENT = "absent"
    """No installer can remove or upgrade what has no list."""
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFault:
    """A row of RECORD that is not what the specification describes."""

    line: int
    """Counted from 1."""
    reason: str
    """A predicate: "is blank"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The RECORD of one distribution, and how it stands against the disk. Paths as in ``Files``."""

    folder: str
    """The record it belongs to: ``lib/python3.11/site-packages/x-1.dist-info``."""
    state: ManifestState = ManifestState.READ
    reason: str | None = None
    """Why it is unreadable, or as good as absent, as a predicate."""
    rows: int = 0
    """How many rows could be read, its own and those of byte code included."""
    unhashed: int = 0
    """Rows without a digest, its own and those of byte code left out."""
    faults: tuple[RowFault, ...] = ()
    """The first of the rows that are not in order."""
    fault_count: int = 0
    """How many rows are not in order."""
    missing: tuple[str, ...] = ()
    """What it lists and the disk does not hold, sorted; byte code left out."""
    dangling: tuple[str, ...] = ()
    """What it lists and is a symbolic link to nowhere, sorted."""
    top_level: tuple[str, ...] = ()
    """First path segments inside the site directory, metadata folders left out, sorted."""
    payload: int | None = None
    """How many rows outside of the metadata were compared; measured where a name stands twice."""
    verified: int | None = None
    """How many of them the disk holds as listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One record's claim to a path that another one claims too."""

    folder: str
    """The record."""
    digest: str | None
    """As RECORD spells it: ``sha256=…``; ``None``: it has none."""
    stands: bool | None
    """Whether what is on disk is what this record brought; ``None``: it was not compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contested:
    """A path that several RECORDs claim."""

    path: str
    claims: tuple[Claim, ...]
    """Sorted by record."""

    @property
    def differs(self) -> bool | None:
        """Whether the claims are to different contents; ``None`` where a digest is not there."""
        digests = {claim.digest for claim in self.claims}
        if len(digests - {None}) > 1:
            return True
        return None if None in digests else False


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """Something importable at the top of a site directory."""

    name: str
    """As it is imported."""
    path: str
    """``…/docx`` or ``…/docx.py``."""
    owners: tuple[str, ...] = ()
    """Records that claim it; measured where its name is another's, or the standard library's."""

    @property
    def site(self) -> str:
        """The site directory."""
        return self.path.rpartition("/")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Orphan:
    """Something importable that no RECORD lists: a module, or a folder of them."""

    path: str
    files: int
    """How many importable files it is."""
    extension: bool
    """Whether compiled code is among them: it comes before a module of the same name."""
    hides: str | None = None
    """The listed module that is not imported any more, since this comes first."""
    within: tuple[str, ...] = ()
    """Records that own other files of the same folder; none: it stands at the top by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignExtension:
    """A compiled module that this interpreter does not load, with none beside it that it does.

    It is there for another version or machine.
    """

    path: str
    owners: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """Generated code of one record, and the runtime that it was generated for."""

    folder: str
    runtime: str
    """The distribution that it needs: ``protobuf`` or ``grpcio``."""
    version: str
    """The highest that it was generated for."""
    path: str
    """Where that stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """A namespace package of one import folder that a regular package of another one hides."""

    name: str
    regular: str
    """Where it has an ``__init__.py``."""
    hidden: str
    """Where it has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """Everything that was measured. All paths are relative to the environment."""

    manifests: tuple[Manifest, ...] = ()
    """Sorted by record."""
    contested: tuple[Contested, ...] = ()
    """Sorted by path."""
    modules: tuple[Module, ...] = ()
    """Sorted by path."""
    orphans: tuple[Orphan, ...] = ()
    """Sorted by path."""
    foreign: tuple[ForeignExtension, ...] = ()
    """Sorted by path."""
    generated: tuple[Generated, ...] = ()
    """One a record and runtime, sorted."""
    splits: tuple[Split, ...] = ()
    """Sorted by name."""
    unmeasured: tuple[tuple[str, str], ...] = ()
    """What could not be looked at: a part of the environment, or a record as a whole, and why, as a
    predicate ("cannot be read")."""
    inspection: Inspection | None = None
    """What is in the files; ``None``: they were not read."""
