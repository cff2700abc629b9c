"""Who looks after an environment or a distribution: conda, the operating system, or an installer.

conda's word is its own file lists (``conda-meta/*.json``), since packages that conda built with pip
say ``pip`` in INSTALLER. Operating systems leave INSTALLER out (Debian) or write their own name.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from envaudit.doors import disk
from envaudit.doors.disk import DiskError
from envaudit.model.distribution import Distribution, Unreadable
from envaudit.model.layout import EnvironmentKind, Owner, Scope
from envaudit.readers.ground import Ground
from envaudit.readers.libraries import find_standard_library

_MARKER = "EXTERNALLY-MANAGED"
_MARKER_LIMIT = 64 * 1024
_CONDA_LIMIT = 64 * 1024 * 1024
_CONDA_META = "conda-meta"
_RECORD = re.compile(rb'"((?:[^"\\/]+/)*[^"\\/]+\.(?:dist-info|egg-info))["/]')
_SYSTEM_INSTALLERS = frozenset({"rpm", "dpkg", "debian", "apt", "apk", "pacman", "portage"})
_SYSTEM_PREFIXES = ("/", "/usr")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ownership:
    """Who looks after an environment, and after what in it."""

    owner: Owner | None = None
    """Of the whole environment."""
    says: str | None = None
    """What ``EXTERNALLY-MANAGED`` says, on one line."""
    libraries: Owner | None = None
    """Of what lies in the interpreter's prefix and has no installer: of the base, in a virtual
    environment."""
    conda: frozenset[str] = frozenset()
    """Records that conda lists, relative to the environment."""
    unreadable: tuple[Unreadable, ...] = ()

    def of(self, distribution: Distribution) -> Owner | None:
        """Return who looks after ``distribution``."""
        if distribution.folder in self.conda or distribution.installer == "conda":
            return Owner.CONDA
        if distribution.installer in _SYSTEM_INSTALLERS:
            return Owner.SYSTEM
        if distribution.installer is not None:
            return None
        if distribution.site.endswith("lib/python3/dist-packages"):
            return Owner.SYSTEM
        mine = self.owner is not None and distribution.scope is Scope.OWN
        return self.libraries if mine or distribution.scope is Scope.BASE else None


def read_ownership(ground: Ground) -> Ownership:
    """Find out who looks after ``ground``."""
    if ground.kind is EnvironmentKind.CONDA:
        records, unreadable = _read_conda(ground.root)
        return Ownership(
            owner=Owner.CONDA, says=_says(ground.root, ground), conda=records, unreadable=unreadable
        )
    if ground.prefix is None:
        return Ownership()
    says = _says(ground.prefix, ground)
    system = str(disk.real_path(ground.prefix)) in _SYSTEM_PREFIXES
    libraries = Owner.SYSTEM if system else Owner.EXTERNAL if says is not None else None
    if ground.kind is EnvironmentKind.PREFIX:
        return Ownership(owner=libraries, says=says, libraries=libraries)
    return Ownership(libraries=libraries)


def _says(prefix: Path, ground: Ground) -> str | None:
    """Return the text of ``EXTERNALLY-MANAGED`` (PEP 668), on one line; empty: it has none."""
    standard = None if ground.library is None else find_standard_library(prefix, ground.library)
    if standard is None:
        return None
    try:
        content = disk.read_file(prefix / standard / _MARKER, limit=_MARKER_LIMIT)
    except disk.AbsentError:
        return None
    except DiskError:
        return ""
    import configparser

    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(content.decode("utf-8", "replace"))
        text = parser.get("externally-managed", "Error", fallback="")
    except (configparser.Error, ValueError):
        text = ""
    return " ".join(text.split())


def _read_conda(root: Path) -> tuple[frozenset[str], tuple[Unreadable, ...]]:
    """Return every record that conda lists, and what of ``conda-meta`` could not be read."""
    records: set[str] = set()
    unreadable: list[Unreadable] = []
    try:
        with disk.open_folder(root / _CONDA_META) as folder:
            for name in folder.names():
                if not name.endswith(".json"):
                    continue
                try:
                    records.update(_records(folder.read(name, limit=_CONDA_LIMIT)))
                except DiskError as error:
                    unreadable.append(
                        Unreadable(folder=_CONDA_META, part=name, reason=error.reason)
                    )
    except DiskError as error:
        unreadable.append(Unreadable(folder=_CONDA_META, part=".", reason=error.reason))
    return frozenset(records), tuple(unreadable)


def _records(content: bytes) -> Iterator[str]:
    """Yield the records in a file list. Looked for, not parsed: such files are megabytes long."""
    for match in _RECORD.finditer(content):
        yield match[1].decode("utf-8", "surrogateescape")
