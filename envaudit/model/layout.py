"""Where an environment keeps its distributions, what it stands on, and who looks after it.

All of it is measured from files, and none of it is part of what a snapshot *is*: it is outside
equality and outside the digest, since most of it are absolute paths of one machine.
"""

from dataclasses import dataclass
from enum import StrEnum


class EnvironmentKind(StrEnum):
    """What sort of environment it is."""

    VENV = "venv"
    """A virtual environment: it has a ``pyvenv.cfg``."""
    PREFIX = "prefix"
    """An interpreter's own prefix: a container's ``/usr/local``, a system's ``/usr``."""
    CONDA = "conda"
    """A prefix with a ``conda-meta`` folder."""
    FOLDER = "folder"
    """A plain folder with distributions in it, named with ``--site``."""


class Owner(StrEnum):
    """Which tool looks after an environment or a distribution, if it is no Python installer."""

    CONDA = "conda"
    SYSTEM = "system"
    """The operating system's package manager."""
    EXTERNAL = "external"
    """Somebody who put an ``EXTERNALLY-MANAGED`` file there (PEP 668); its text says who."""


class Scope(StrEnum):
    """By what a folder comes to be on the import path."""

    OWN = "own"
    """A site directory of the environment itself. Installers write here, and nowhere else."""
    BASE = "base"
    """A site directory of the base interpreter (``include-system-site-packages``)."""
    USER = "user"
    """The user site."""
    VARIABLE = "variable"
    """An entry of ``PYTHONPATH``."""
    PATH_FILE = "path-file"
    """A line of a ``.pth`` file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One folder (or zipped egg) that the interpreter imports from, beside its own library."""

    path: str
    """Relative to the environment where it lies inside (``.``: the environment itself)."""
    scope: Scope
    named_by: str | None = None
    """The ``.pth`` file that names it, spelled like ``path``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """One environment's layout, as its files tell it."""

    kind: EnvironmentKind
    sites: tuple[Site, ...] = ()
    """In import order; each folder once, under its first spelling; only what is there."""
    owner: Owner | None = None
    """Who looks after the whole environment; ``None``: the Python installer that is run on it."""
    owner_says: str | None = None
    """What ``EXTERNALLY-MANAGED`` wants users to be told, on one line."""
    interpreter: str | None = None
    """The environment's own interpreter, relative to it; ``None``: there is no such entry."""
    interpreter_found: bool = True
    """Whether ``interpreter`` leads to a file: false where it is a link to nowhere."""
    base: str | None = None
    """``home`` of ``pyvenv.cfg``: the folder of the base interpreter."""
    base_found: bool = True
    """Whether an interpreter is in ``base``."""
    base_version: str | None = None
    """The version of the base interpreter as its files tell it now: ``3.11.9`` or ``3.11``."""
    stated_version: str | None = None
    """The version that ``pyvenv.cfg`` states: of the interpreter when the environment was made."""
    stranded: tuple[str, ...] = ()
    """Site directories of other interpreter versions that hold records: nothing imports them."""
    moved_from: str | None = None
    """Where a virtual environment says that it was made, if that is another folder than this."""
