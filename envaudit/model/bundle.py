"""What of an installed distribution goes into a wheel, so that it can be installed once more."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One file of an environment, and where it stands in the wheel."""

    path: str
    """Relative to the environment."""
    name: str
    """In the archive."""
    digest: str
    """What RECORD says of it, as it spells it: an edited file stays one that RECORD is wrong about.
    Empty: nothing."""
    size: str
    """Likewise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """An installed distribution as a wheel that is still to be written."""

    name: str
    """Normalised."""
    version: str
    content_id: str | None
    file: str
    """The wheel's file name."""
    record: str
    """Where RECORD stands in the archive: its rows are those of what is packed."""
    members: tuple[Member, ...]
    size: int
    """Bytes that are to be copied."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stashed:
    """A wheel that was packed, and can bring back what it was packed from."""

    name: str
    version: str
    content_id: str | None
    path: str
    """Absolute."""
    digest: str
    """``sha256:…`` of the wheel, so that another one in its place is not installed."""
    size: int
    """Bytes of the files in it."""
    files: tuple[tuple[str, str], ...]
    """What was packed: paths relative to the environment, with digests as RECORD spells them."""
    modes: tuple[tuple[str, int], ...] = ()
    """Permission bits of the same paths, where they are known."""
