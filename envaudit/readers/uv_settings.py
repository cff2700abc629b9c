"""Which configuration uv takes up: its files, its variables. Read, and never believed by us.

Where uv looks was seen with uv 0.13.9 and is described on
uv's page on configuration files: the first folder from the current one
upward with a ``uv.toml`` or a ``pyproject.toml`` that has ``[tool.uv]``, then the user's file, then
the machine's; with ``--config-file`` that file alone, with ``--no-config`` none.
"""

import hashlib
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from envaudit.core.redaction import find_secrets, redact_text
from envaudit.doors import disk, ownership
from envaudit.model.document import Json
from envaudit.model.request import Request
from envaudit.model.uv_settings import UvFile, UvSettings

_NAME = "uv.toml"
_PROJECT = "pyproject.toml"
_LIMIT = disk.MEBIBYTE
_MACHINE = (Path("/etc/xdg/uv"), Path("/etc/uv"))
# They say how, and nothing of what or from where.
_SILENT = frozenset({"UV_NO_PROGRESS", "UV_INTERNAL__PARENT_INTERPRETER"})
_TRUE = frozenset({"1", "true", "t", "yes", "y", "on"})


def read_uv_settings(request: Request, variables: Mapping[str, str], folder: Path) -> UvSettings:
    """Read what applies to ``request``; ``folder``: the one in which uv carries it out."""
    secrets = find_secrets(variables)
    return UvSettings(
        files=tuple(_files(request, variables, folder)),
        variables=tuple(
            (name, redact_text(value, secrets))
            for name, value in sorted(variables.items())
            if name.startswith("UV_") and name not in _SILENT and value
        ),
    )


def _files(request: Request, variables: Mapping[str, str], folder: Path) -> Iterator[UvFile]:
    if request.has("--no-config") or variables.get("UV_NO_CONFIG", "").lower() in _TRUE:
        return
    named = (*request.values("--config-file"), variables.get("UV_CONFIG_FILE", ""))[0]
    if named:
        yield _read(folder / named, "named")
        return
    here = folder / (*request.values("--project"), variables.get("UV_PROJECT", ""))[0]
    here = disk.absolute_path(here)
    for place in (here, *here.parents):
        found = _read_folder(place, "current folder" if place == here else "parent folder")
        if found is not None:
            yield found
            break
    home = variables.get("XDG_CONFIG_HOME") or f"{variables.get('HOME', '')}/.config"
    machine = [
        Path(path) / "uv" for path in variables.get("XDG_CONFIG_DIRS", "").split(":") if path
    ]
    if Path(home).is_absolute() and disk.is_file(Path(home) / "uv" / _NAME):
        yield _read(Path(home) / "uv" / _NAME, "user")
    for place in machine or _MACHINE:
        if disk.is_file(place / _NAME):
            yield _read(place / _NAME, "machine")
            return


def _read_folder(folder: Path, place: str) -> UvFile | None:
    if disk.is_file(folder / _NAME):
        return _read(folder / _NAME, place)
    project = folder / _PROJECT
    if not disk.is_file(project):
        return None
    file = _read(project, place)
    return file if file.options or file.digest is None else None


def _read(path: Path, place: str) -> UvFile:
    fault = None if place == "named" else ownership.find_fault_of_file(path)
    try:
        content = disk.read_file(path, limit=_LIMIT)
        document = tomllib.loads(content.decode())
    except (disk.DiskError, ValueError) as error:
        reason = error.reason if isinstance(error, disk.DiskError) else "is not valid TOML"
        return UvFile(path=str(path), place=place, digest=None, fault=fault or reason)
    if path.name == _PROJECT:
        document = _table(_table(document, "tool"), "uv")
    return UvFile(
        path=str(path),
        place=place,
        digest=hashlib.sha256(content).hexdigest(),
        options=tuple(sorted(_options(document), key=lambda option: option[0])),
        fault=fault,
    )


def _table(document: Mapping[str, object], key: str) -> dict[str, object]:
    match document.get(key):
        case dict() as table:
            return table
        case _:
            return {}


def _options(document: Mapping[str, object]) -> Iterator[tuple[str, Json]]:
    for key, value in document.items():
        if key == "pip" and isinstance(value, dict):
            yield from ((f"pip.{name}", _shown(inner)) for name, inner in value.items())
        else:
            yield key, _shown(value)


def _shown(value: object) -> Json:
    """Return a TOML value as JSON, without secrets; a date becomes its text."""
    match value:
        case bool() | int() | float():
            return value
        case str():
            return redact_text(value)
        case list():
            return [_shown(item) for item in value]
        case dict():
            return {str(key): _shown(item) for key, item in value.items()}
        case _:
            return str(value)
