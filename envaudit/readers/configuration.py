"""``pyvenv.cfg``, which makes a folder a virtual environment."""

import re
from dataclasses import dataclass
from pathlib import Path

from envaudit.doors import disk

NAME = "pyvenv.cfg"
_LIMIT = 64 * 1024
_NUMBERS = re.compile(r"\d{1,4}(?:\.\d{1,4})+")
_ACTIVATE = re.compile(rb"""^\s*(?:export\s+)?VIRTUAL_ENV=(['"]?)(/[^'"\n]*)\1\s*$""", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """What ``pyvenv.cfg`` says."""

    base_folder: str | None
    """The folder of the base interpreter: the key ``home``."""
    system_site: bool
    """Whether the base's site directories are visible. Without the key they are: so it is in
    ``site.py``, although everybody writes the key."""
    version: str | None
    """The interpreter's version when the environment was made: ``3.11.7``, ``3.11``."""
    relocatable: bool
    made_at: str | None
    """Where it was made, as its ``command`` line says (the standard library's ``venv``)."""


def read_configuration(root: Path) -> Configuration | None:
    """Read ``pyvenv.cfg`` of ``root``; ``None`` where there is none.

    Raises:
        DiskError: it is there and cannot be read.
    """
    try:
        return parse_configuration(disk.read_file(root / NAME, limit=_LIMIT))
    except disk.AbsentError:
        return None


def parse_configuration(content: bytes) -> Configuration:
    """Parse a ``pyvenv.cfg``; lines that are none are passed over, and the last of a key counts."""
    values: dict[str, str] = {}
    for line in content.decode("utf-8", "surrogateescape").splitlines():
        key, equals, value = line.partition("=")
        if equals:
            values[key.strip().lower()] = value.strip()
    return Configuration(
        base_folder=values.get("home") or None,
        system_site=values.get("include-system-site-packages", "true").lower() == "true",
        version=_version(values.get("version_info")) or _version(values.get("version")),
        relocatable=values.get("relocatable", "").lower() == "true",
        made_at=_target(values.get("command", "")),
    )


def _version(text: str | None) -> str | None:
    """Uv and virtualenv write ``version_info``, the standard library's venv writes ``version``."""
    match = _NUMBERS.match(text or "")
    return ".".join(match[0].split(".")[:3]) if match else None


def _target(command: str) -> str | None:
    """Return the last word of ``/usr/bin/python3 -m venv /srv/app``, if it is a path."""
    import shlex

    try:
        words = shlex.split(command)
    except ValueError:
        return None
    return words[-1] if len(words) > 1 and words[-1].startswith("/") else None


def read_birthplace(root: Path, configuration: Configuration) -> str | None:
    """Return where the environment says it was made; ``None``: it does not, or need not care."""
    if configuration.relocatable:
        return None
    try:
        match = _ACTIVATE.search(disk.read_file(root / "bin" / "activate", limit=_LIMIT))
    except disk.DiskError:
        match = None
    if match is None:
        return configuration.made_at
    return match[2].decode("utf-8", "surrogateescape")
