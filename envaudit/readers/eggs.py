"""The forms of record from before ``.dist-info``: ``.egg-info``, ``.egg``, ``.egg-link``.

Their requirements are not in the headers but in ``requires.txt``: lines below ``[extra:marker]``.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from packaging.utils import canonicalize_name

from envaudit.doors import disk
from envaudit.doors.disk import DiskError
from envaudit.model.distribution import Distribution
from envaudit.model.record_name import Form, parse_record_name
from envaudit.readers import metadata
from envaudit.readers.record_files import RecordFiles

_HEADERS = "EGG-INFO/PKG-INFO"
_REQUIRES = "EGG-INFO/requires.txt"
_REQUIRES_LIMIT = 1024 * 1024
_ZIP_LIMIT = 64 * 1024 * 1024
_SECTION = re.compile(r"\[(?P<extra>[^:\]]*)(?::(?P<marker>.*))?\]")


def read_egg_info(files: RecordFiles, form: Form) -> Distribution | None:
    """Read an ``.egg-info`` or ``EGG-INFO`` folder; see ``read_distribution``."""
    headers = files.headers("PKG-INFO")
    if headers is None:
        return None
    return _distribution(
        files, form, "PKG-INFO", headers, files.optional("requires.txt", limit=_REQUIRES_LIMIT)
    )


def read_egg_info_file(files: RecordFiles, name: str) -> Distribution | None:
    """Read the ``.egg-info`` file ``name`` of distutils: headers alone."""
    headers = files.headers(name)
    if headers is None:
        return None
    return _distribution(files, Form.EGG_INFO_FILE, name, headers, None)


def read_zipped_egg(files: RecordFiles, name: str) -> Distribution | None:
    """Read a zipped egg, bounded in every member that is looked at."""
    from envaudit.doors.archive import read_members

    limits = {_HEADERS: metadata.HEAD_LIMIT, _REQUIRES: _REQUIRES_LIMIT}
    try:
        members = read_members(files.read(name, limit=_ZIP_LIMIT), limits)
    except DiskError as error:
        files.note(name, error.reason)
        return None
    if _HEADERS not in members:
        files.note(name, f"has no `{_HEADERS}`")
        return None
    headers = files.parse(name, members[_HEADERS])
    if headers is None:
        return None
    return _distribution(files, Form.EGG_ZIP, name, headers, members.get(_REQUIRES))


def read_egg_link(content: bytes) -> Path | None:
    """Return the folder that an ``.egg-link`` names on its first line; ``None``: it names none."""
    line = content.decode("utf-8", "surrogateescape").split("\n", 1)[0].strip()
    return disk.absolute_path(Path(line)) if line.startswith("/") else None


def find_egg_info(names: tuple[str, ...], stem: str) -> str | None:
    """Return which of ``names`` is the ``.egg-info`` of the distribution ``stem``."""
    wanted = canonicalize_name(stem)
    for name in names:
        stated = parse_record_name(name)
        if stated is None or stated.form is not Form.EGG_INFO or stated.name is None:
            continue
        if canonicalize_name(stated.name) == wanted:
            return name
    return None


def _distribution(
    files: RecordFiles,
    form: Form,
    part: str,
    headers: metadata.Headers,
    requires: bytes | None,
) -> Distribution | None:
    identity = files.identity(part, headers)
    if identity is None:
        return None
    spelling, version = identity
    lines = tuple(parse_requires(requires)) if requires is not None else ()
    named = {canonicalize_name(extra) for extra in _extras(requires or b"")}
    return Distribution(
        name=canonicalize_name(spelling),
        spelling=spelling,
        version=version,
        folder=files.where,
        form=form,
        requires=metadata.requirement_lines(lines or headers.get("requires-dist", ())),
        extras=tuple(sorted({*named, *metadata.extras(headers)})),
        requires_python=metadata.single(headers, "requires-python"),
        repositories=metadata.repositories(headers),
        linked=files.linked,
    )


def parse_requires(content: bytes) -> Iterator[str]:
    """Yield the lines of a ``requires.txt`` as ``Requires-Dist`` would have them."""
    condition = ""
    for line in _lines(content):
        section = _SECTION.fullmatch(line)
        if section is None:
            yield _conditioned(line, condition)
            continue
        marker, extra = (section["marker"] or "").strip(), section["extra"].strip()
        parts = [f"({marker})" if extra else marker] if marker else []
        parts += [f'extra == "{extra}"'] if extra else []
        condition = " and ".join(parts)


def _conditioned(line: str, condition: str) -> str:
    requirement, semicolon, marker = line.partition(";")
    if not condition:
        return line
    if semicolon:
        condition = f"({marker.strip()}) and {condition}"
    return f"{requirement.strip()} ; {condition}"


def _extras(content: bytes) -> Iterator[str]:
    for line in _lines(content):
        section = _SECTION.fullmatch(line)
        if section is not None and section["extra"].strip():
            yield section["extra"].strip()


def _lines(content: bytes) -> Iterator[str]:
    for line in content.decode("utf-8", "surrogateescape").splitlines():
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            yield stripped
