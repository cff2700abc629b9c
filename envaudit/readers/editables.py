"""How an editable distribution is importable, by the files that its build backend wrote (PEP 660).

Every backend has its own way. Some write a ``.pth`` with a folder (``__editable__.N-V.pth`` of
setuptools, ``_editable_impl_N.pth`` of hatchling, ``N.pth`` of poetry-core), some a ``.pth`` that
imports a finder which maps names to places (setuptools' ``__editable___N_V_finder.py`` with its
``MAPPING``, the ``editables`` library with ``map_module``), and meson-python and scikit-build-core
a loader with a build of its own. All are read as text, and none is run.
"""

import re
import urllib.parse
from collections.abc import Iterator, Sequence
from pathlib import Path

from envaudit.doors import disk
from envaudit.doors.disk import DiskError, Folder
from envaudit.model.distribution import Distribution, Editable, EditableKind, Origin
from envaudit.readers.path_files import PathFile
from envaudit.readers.source_tree import read_source_tree

_MODULE_LIMIT = 1024 * 1024
_IMPORTED = re.compile(r"import\s+([A-Za-z_]\w*)")
_STRING = r"""(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")"""
_MAPPING = re.compile(r"^MAPPING\b[^=\n]*=\s*\{([^}]*)\}", re.MULTILINE)
_PAIR = re.compile(rf"({_STRING})\s*:\s*({_STRING})")
_CALL = re.compile(rf"\.map_module\(\s*({_STRING})\s*,\s*({_STRING})\s*\)")


def read_editable(
    site: Folder,
    path: Path,
    names: Sequence[str],
    path_files: Sequence[PathFile],
    found: Distribution,
) -> Editable:
    """Describe the editable to which the files ``names`` of ``site`` (at ``path``) belong.

    ``path_files``: all that are processed there. ``found``: the distribution.
    """
    mine = [file for file in path_files if file.name in names]
    folders = [str(disk.absolute_path(path / line)) for file in mine for line in file.paths]
    modules = sorted(
        {f"{name}.py" for file in mine for line in file.executed for name in _imported(line)}
    )
    mapped: list[str] = []
    used: list[str] = []
    for module in modules:
        text = _read_module(site, module)
        if text is not None:
            used.append(module)
            mapped.extend(_mapped(text))
    source = find_source_tree(found.origin)
    targets = sorted({*folders, *mapped, *([source] if source else [])})
    return Editable(
        kind=_kind(folders=folders, mapped=mapped, executed=any(file.executed for file in mine)),
        files=tuple(sorted({*(file.name for file in mine), *used})),
        targets=tuple(targets),
        dangling=tuple(target for target in targets if not _is_importable(Path(target))),
        tree=None if source is None else read_source_tree(source, found.name),
    )


def guess_files(name: str, version: str, present: Sequence[str]) -> tuple[str, ...]:
    """Return which of the entries ``present`` are named like the ``.pth`` of an editable ``name``.

    For where RECORD does not tell.
    """
    stem = name.replace("-", "_")
    names = {
        f"__editable__.{stem}-{version}.pth",
        f"_editable_impl_{stem}.pth",
        f"_{stem}_editable.pth",
        f"{stem}-editable.pth",
        f"_{stem}.pth",
        f"{stem}.pth",
        f"{name}.pth",
    }
    return tuple(entry for entry in present if entry.lower() in {each.lower() for each in names})


def _kind(*, folders: list[str], mapped: list[str], executed: bool) -> EditableKind:
    if mapped:
        return EditableKind.MAPPING
    if folders:
        return EditableKind.PATH
    return EditableKind.LOADER if executed else EditableKind.UNKNOWN


def _imported(line: str) -> Iterator[str]:
    yield from _IMPORTED.findall(line)


def _read_module(site: Folder, name: str) -> str | None:
    try:
        return site.read(name, limit=_MODULE_LIMIT).decode("utf-8", "surrogateescape")
    except DiskError:
        return None


def _mapped(text: str) -> Iterator[str]:
    """Yield the places that a finder's ``MAPPING`` literal, or ``map_module`` calls, name."""
    for mapping in _MAPPING.finditer(text):
        for _, place in _PAIR.findall(mapping[1]):
            yield from _literal(place)
    for _, place in _CALL.findall(text):
        yield from _literal(place)


def _literal(text: str) -> Iterator[str]:
    """Yield the absolute path that one string literal spells; nothing else is evaluated."""
    import ast

    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return
    if isinstance(value, str) and value.startswith("/"):
        yield str(disk.absolute_path(Path(value)))


def find_source_tree(origin: Origin) -> str | None:
    """Return the folder, or the archive, of this machine that ``direct_url.json`` names."""
    if origin.url is None or not origin.url.startswith("file://"):
        return None
    path = urllib.parse.unquote(urllib.parse.urlsplit(origin.url).path)
    return path.rstrip("/") or None


def _is_importable(path: Path) -> bool:
    """Return whether ``path`` is there: a folder, a module, or a module without its suffix."""
    if disk.is_there(path):
        return True
    try:
        with disk.open_folder(path.parent) as folder:
            return any(name.startswith(f"{path.name}.") for name in folder.names())
    except DiskError:
        return False
