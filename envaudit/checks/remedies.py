"""What file checks have in common: whose record it is, and how a distribution is put in order.

An environment's files tell of a record's folder, which is a distribution only where its metadata
could be read. What conda or the operating system looks after gets no command of uv.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from packaging.utils import canonicalize_name

from envaudit.model.declared import parse_version
from envaudit.model.distribution import Distribution
from envaudit.model.finding import Clear, Reinstall, Remedy
from envaudit.model.layout import Owner, Scope
from envaudit.model.record_name import parse_record_name

_NAME = re.compile(r"[a-z0-9]|[a-z0-9][a-z0-9-]*[a-z0-9]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A record as far as it is known."""

    folder: str
    name: str
    """Normalised; empty where nothing tells it."""
    label: str
    """As people name it."""
    version: str | None
    owner: Owner | None = None
    scope: Scope = Scope.OWN

    @property
    def changeable(self) -> bool:
        """Whether it is a Python installer's to change, and the environment's own."""
        return self.owner is None and self.scope is Scope.OWN

    @property
    def names(self) -> tuple[str, ...]:
        """What a finding lists as its distributions."""
        return (self.name,) if self.name else ()


def know(folder: str, distributions: Mapping[str, Distribution]) -> Record:
    """Return what is known of the record ``folder``; ``distributions``: by folder."""
    found = distributions.get(folder)
    if found is not None:
        return Record(
            folder=folder,
            name=found.name,
            label=found.label,
            version=found.version,
            owner=found.owner,
            scope=found.scope,
        )
    base = folder.rpartition("/")[2]
    stated = parse_record_name(base)
    if stated is None or stated.name is None:
        return Record(folder=folder, name="", label=base, version=None)
    return Record(
        folder=folder,
        name=canonicalize_name(stated.name),
        label=f"{stated.name} {stated.version}" if stated.version else stated.name,
        version=stated.version,
    )


def holds_code(record: Record, path: str) -> bool:
    """Return whether an import may hang on the file ``path``: it is no metadata and no script."""
    site = record.folder.rpartition("/")[0]
    inside = f"{site}/" if site else ""
    return path.startswith(inside) and not path.startswith((f"{record.folder}/", "bin/"))


def reinstall(record: Record, *, clean: bool = False) -> tuple[Remedy, ...]:
    """Return what installs a record's distribution once more, at the version that it has.

    ``clean``: whether uv's cache has the same fault.
    """
    if not record.changeable or not _is_pin(record):
        return ()
    return (Reinstall(name=record.name, version=record.version or "", clean=clean),)


def replace_record(record: Record) -> tuple[Remedy, ...]:
    """Return what deletes a record that uv cannot work with, and installs what it recorded.

    Where nothing tells what that was, it is deleted, and nothing installed.
    """
    if not record.changeable:
        return ()
    if not _is_pin(record):
        return (Clear(paths=(record.folder,)),)
    return (Clear(paths=(record.folder,), name=record.name, version=record.version),)


def _is_pin(record: Record) -> bool:
    """Return whether name and version are of the form that a requirement can have."""
    return parse_version(record.version or "") is not None and bool(_NAME.fullmatch(record.name))


def owned(record: Record) -> tuple[str, ...]:
    """Return, as evidence, which tool must repair a record that no Python installer looks after."""
    match record.owner:
        case None:
            return ()
        case Owner.CONDA:
            command = f"`conda install --force-reinstall {record.name}`"
            return (f"owner: conda; {command} repairs it, and uv must not",)
        case Owner.SYSTEM:
            return ("owner: the operating system; its package manager repairs it, and uv must not",)
        case Owner.EXTERNAL:
            return ("owner: whoever marked the environment `EXTERNALLY-MANAGED`, and not uv",)


def some(paths: tuple[str, ...], limit: int = 5) -> tuple[str, ...]:
    """Return the first ``limit`` of ``paths``, and how many more there are, as evidence."""
    left = len(paths) - limit
    more = (f"path: and {left} more",) if left > 0 else ()
    return (*(f"path: {path}" for path in paths[:limit]), *more)


def count(number: int, word: str) -> str:
    """Return a number with its noun: ``1 file``, ``2 files``."""
    return f"{number} {word}{'' if number == 1 else 's'}"
