"""An interpreter's own library: ``lib/pythonX.Y``, its version, and the site directories beside it.

Read from files alone. ``root`` is the interpreter's prefix: ``/usr``, ``/usr/local``, a conda or
virtual environment.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from envaudit.doors import disk

_NAME = re.compile(r"(?P<kind>python|pypy)(?P<minor>[2-9]\.\d{1,3})(?P<threads>t?)")
_CONDA_PYTHON = re.compile(r"python-(?P<version>\d+\.\d+\.\d+[a-z0-9]*)-[^-]+\.json")
_PATCH_LEVEL = re.compile(rb'^#\s*define\s+PY_VERSION\s+"([0-9][0-9a-zA-Z.]*)\+?"', re.MULTILINE)
_HEADER_LIMIT = 64 * 1024
_SITE_MODULE_LIMIT = 256 * 1024
_LIBRARY_FOLDERS = ("lib", "lib64")


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """Which interpreter a library folder belongs to: ``python3.11``, ``python3.13t``."""

    kind: str
    """``python`` or ``pypy``."""
    minor: str
    """``3.11``."""
    threads: str = ""
    """``t`` for a free-threaded build."""

    @classmethod
    def parse(cls, name: str) -> Self | None:
        """Read a folder's or an interpreter's name; ``None`` where it names no minor version."""
        match = _NAME.fullmatch(name)
        if match is None:
            return None
        return cls(kind=match["kind"], minor=match["minor"], threads=match["threads"])

    @property
    def name(self) -> str:
        """The folder's name."""
        return f"{self.kind}{self.minor}{self.threads}"

    @property
    def order(self) -> tuple[str, tuple[int, ...], str]:
        """By kind, then by version."""
        return self.kind, tuple(int(part) for part in self.minor.split(".")), self.threads


def find_libraries(root: Path) -> tuple[Library, ...]:
    """Return the library folders below ``root``, each once, sorted by version."""
    found: set[Library] = set()
    for folder in _LIBRARY_FOLDERS:
        try:
            with disk.open_folder(root / folder) as opened:
                names = opened.names()
        except disk.DiskError:
            continue
        found.update(library for name in names if (library := Library.parse(name)) is not None)
    return tuple(sorted(found, key=lambda library: library.order))


def find_standard_library(root: Path, library: Library) -> str | None:
    """Return where below ``root`` the standard library lies: ``lib64/python3.11`` on Fedora."""
    candidates = (f"{folder}/{library.name}" for folder in _LIBRARY_FOLDERS)
    return next((path for path in candidates if disk.is_file(root / path / "os.py")), None)


def site_candidates(root: Path, library: Library, *, base: Path | None) -> tuple[str, ...]:
    """Return the site directories that the interpreter would look for, in import order.

    ``base``: the prefix of a virtual environment's interpreter; ``None``: ``root`` is the
    interpreter's own. Debian's interpreter has ``dist-packages``, and in a virtual environment
    ``site-packages`` before them (its ``site.getsitepackages``).
    """
    standard = find_standard_library(base or root, library)
    debian = standard is not None and _is_debian(base or root, standard)
    folders: tuple[str, ...] = _LIBRARY_FOLDERS
    if standard is not None and standard.startswith("lib64/"):
        folders = folders[::-1]  # `sys.platlibdir` comes first
    elif standard is not None:
        folders = folders[:1]  # it is `lib`: nothing is imported from `lib64`
    plain = tuple(f"{folder}/{library.name}/site-packages" for folder in folders)
    if not debian:
        return plain
    packaged = (
        f"local/lib/{library.name}/dist-packages",
        "lib/python3/dist-packages",
        f"lib/{library.name}/dist-packages",
    )
    return packaged if base is None else (*plain, *packaged)


def _is_debian(root: Path, standard: str) -> bool:
    """Return whether the interpreter's own ``site`` module knows ``dist-packages``."""
    if not disk.is_folder(root / "lib/python3/dist-packages"):
        return False
    try:
        return b"dist-packages" in disk.read_file(
            root / standard / "site.py", limit=_SITE_MODULE_LIMIT
        )
    except disk.DiskError:
        return False


def read_patch_level(root: Path, library: Library) -> str | None:
    """Return the whole version (``3.11.7``) by ``patchlevel.h`` or ``conda-meta``, if they tell."""
    header = root / "include" / library.name / "patchlevel.h"
    try:
        match = _PATCH_LEVEL.search(disk.read_file(header, limit=_HEADER_LIMIT))
    except disk.DiskError:
        match = None
    stated = match[1].decode("ascii") if match else _conda_version(root)
    return stated if stated is not None and stated.startswith(f"{library.minor}.") else None


def _conda_version(root: Path) -> str | None:
    try:
        with disk.open_folder(root / "conda-meta") as folder:
            matches = [_CONDA_PYTHON.fullmatch(name) for name in folder.names()]
    except disk.DiskError:
        return None
    return next((match["version"] for match in matches if match), None)
