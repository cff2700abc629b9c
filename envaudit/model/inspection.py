"""What was found of the contents of files: against RECORD, and of bytecode against its source.

All paths are relative to the environment; a record is the folder of one distribution's metadata.
"""

from dataclasses import dataclass
from enum import StrEnum


class DeviationKind(StrEnum):
    """How a file stands that is not as its RECORD lists it."""

    MODIFIED = "modified"
    IRREGULAR = "irregular"
    """It is no regular file: a link, a folder, a FIFO, a device."""
    UNREADABLE = "unreadable"
    """It is there, and what is in it is not known."""
    EXPOSED = "exposed"
    """Whatever is in it, its permissions are none that an installer gives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviation:
    """One file that is not as a RECORD lists it."""

    path: str
    record: str
    kind: DeviationKind
    reason: str
    """A predicate: "has 12 bytes instead of 10"."""
    listed: str | None = None
    """The digest in RECORD; ``None``: it has none."""
    digest: str | None = None
    """Of what is there, in the spelling of RECORD; ``None``: it was not read."""
    size: int | None = None
    modified: int | None = None
    """When it was written last, in nanoseconds since 1970, as the file system says."""
    lends_rights: bool = False
    """Whether it runs with the rights of its owner or group, whoever starts it."""
    links: int = 1
    """How many names the file has (hard links). uv's cache is one of them in its usual mode."""
    cached: bool = False
    """Whether it is a link into uv's cache (``--link-mode symlink``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDigest:
    """The content of one file, for what cannot be told from RECORD."""

    path: str
    digest: str | None
    """In the spelling of RECORD; ``None``: it could not be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How the files of one record stand."""

    record: str
    installed: int | None = None
    """When its RECORD was written, in nanoseconds since 1970."""
    verified: int = 0
    """Files whose content is the one that RECORD lists."""
    verified_bytes: int = 0
    unverifiable: int = 0
    """Files of which RECORD has no digest, or one of a kind that ``hashlib`` does not know."""
    unknown: int = 0
    """How many of these have one."""
    unhashed: tuple[FileDigest, ...] = ()
    """What is in these, where that was asked for, sorted by path."""
    adapted: int = 0
    """Files that installers and build backends write anew by design, and did."""
    deviations: tuple[Deviation, ...] = ()
    """Sorted by path."""


class BytecodeState(StrEnum):
    """How a ``.pyc`` in ``__pycache__`` stands to its source."""

    UNCHECKED = "unchecked"
    """The interpreter runs it without looking at the source, of which it has the hash."""
    FOREIGN = "foreign"
    """The interpreter runs it, and it was not compiled from the source."""
    PROVEN = "proven"
    """Unchecked, and what the source compiles to."""
    STALE = "stale"
    """It was compiled from another source, and the interpreter sees that: it is not run."""
    ORPHAN = "orphan"
    """It has no source, and is not run without one."""
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bytecode:
    """A ``.pyc`` of which something is to be said."""

    path: str
    state: BytecodeState
    reason: str
    """A predicate."""
    record: str | None = None
    """Whose source it belongs to, or inside of whose package it lies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """Everything that was found."""

    tallies: tuple[Tally, ...] = ()
    """Sorted by record."""
    bytecode: tuple[Bytecode, ...] = ()
    """Sorted by path."""
    read: int = 0
    """How many files were read."""
    known: int = 0
    """How many were not, since they had not changed since they were read by an earlier run."""
    complete: bool = True
    """Whether all was looked at; false if it was interrupted."""

    @property
    def digests(self) -> tuple[FileDigest, ...]:
        """Return what is in every file that RECORD does not vouch for, sorted by path.

        As far as it was asked for, see ``Tally.unhashed``.
        """
        found = {one.path: one for tally in self.tallies for one in tally.unhashed}
        for tally in self.tallies:
            for one in tally.deviations:
                if one.kind is DeviationKind.MODIFIED:
                    found[one.path] = FileDigest(path=one.path, digest=one.digest)
        return tuple(found[path] for path in sorted(found))
