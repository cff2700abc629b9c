"""What of an installed distribution a wheel has to hold, by its RECORD.

Binary distribution format: what lies in the site directory stands at its place, programs stand in
``.data/scripts`` and everything else of the environment in ``.data/data``. Programs of entry points
are left out, since installers generate them; so is what installers write themselves, and byte code.
"""

import configparser
import posixpath
from collections.abc import Iterator
from pathlib import Path

from packaging.version import Version

from envaudit.doors import disk
from envaudit.doors.disk import DiskError, Folder
from envaudit.doors.packing import size_of
from envaudit.model.bundle import Bundle, Member
from envaudit.model.declared import parse_version
from envaudit.model.distribution import Distribution
from envaudit.model.record_name import Form
from envaudit.readers.record import WRITTEN_BY_INSTALLERS
from envaudit.readers.rows import LIMIT_BYTES, Rows, read_rows

_SMALL = 1024 * 1024
_KEPT = frozenset({"direct_url.json"})
"""Written by installers, and yet packed: without it nobody would know where it came from."""
_SECTIONS = ("console_scripts", "gui_scripts")


def read_bundle(root: Path, record: Distribution) -> Bundle | str:
    """Return what a wheel of ``record`` has to hold, or why there can be none: a predicate."""
    refused = _refusal(record)
    if refused is not None:
        return refused
    stem = f"{record.name.replace('-', '_')}-{Version(record.version)}"
    try:
        with disk.open_folder(root) as environment:
            rows = read_rows(
                environment.read_below(f"{record.folder}/RECORD", limit=LIMIT_BYTES), digests=True
            )
            if rows.faults:
                return "has a RECORD that is not in order"
            members = tuple(_members(environment, record, rows, f"{stem}.data"))
            size = sum(size_of(environment, member.path) for member in members)
    except DiskError as error:
        return f"cannot be packed: a file of it {error.reason}"
    except _OutsideError as error:
        return f"lists `{error}`, which lies outside of the environment"
    return Bundle(
        name=record.name,
        version=record.version,
        content_id=record.content_id,
        file=f"{stem}-{_tag(record.tags)}.whl",
        record=f"{record.folder.rpartition('/')[2]}/RECORD",
        members=members,
        size=size,
    )


def _refusal(record: Distribution) -> str | None:
    if record.form is not Form.DIST_INFO or record.folder.startswith("/"):
        return "has no list of its files that a wheel could be made of"
    if record.linked:
        return "is linked into a cache or store, and not installed here"
    if parse_version(record.version) is None:
        return f"has the version `{record.version}`, which no wheel may have"
    return None


class _OutsideError(Exception):
    """A row leads out of the environment: nothing there is read."""


def _members(environment: Folder, record: Distribution, rows: Rows, data: str) -> Iterator[Member]:
    """Yield what is to be packed of what ``rows`` list and is there, each path once."""
    generated = _generated(environment, record)
    own = record.folder.rpartition("/")[2]
    seen: set[str] = set()
    for row, digest, size in zip(rows.paths, rows.digests, rows.sizes, strict=True):
        path = posixpath.normpath(posixpath.join(record.site, row))
        if path.startswith(("../", "/")) or path == "..":
            raise _OutsideError(row)
        if path in seen or path in generated or "/__pycache__/" in path:
            continue
        seen.add(path)
        name = _name(path, record.site, data)
        folder, _, file = name.rpartition("/")
        if folder == own and file in WRITTEN_BY_INSTALLERS - _KEPT:
            continue
        if _is_there(environment, path):
            yield Member(path=path, name=name, digest=digest, size=size)


def _name(path: str, site: str, data: str) -> str:
    if site == ".":
        return path
    if path.startswith(f"{site}/"):
        return path.removeprefix(f"{site}/")
    folder, _, file = path.partition("/")
    if folder == "bin" and "/" not in file:
        return f"{data}/scripts/{file}"
    return f"{data}/data/{path}"


def _is_there(environment: Folder, path: str) -> bool:
    """Return whether an entry is there; one that is gone was gone before, and stays so."""
    folder, _, name = path.rpartition("/")
    try:
        if not folder:
            return environment.has(name)
        with environment.folder_below(folder) as inner:
            return inner.has(name)
    except disk.AbsentError:
        return False


def _generated(environment: Folder, record: Distribution) -> frozenset[str]:
    """Return the paths of the programs that installers generate from entry points."""
    try:
        content = environment.read_below(f"{record.folder}/entry_points.txt", limit=_SMALL)
    except disk.AbsentError:
        return frozenset()
    parser = configparser.ConfigParser(
        delimiters=("=",), strict=False, interpolation=None, allow_no_value=True
    )
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    try:
        parser.read_string(content.decode("utf-8", "replace"))
    except configparser.Error:
        return frozenset()
    return frozenset(
        f"bin/{name}" for section in _SECTIONS if section in parser for name in parser[section]
    )


def _tag(tags: tuple[str, ...]) -> str:
    """Return the tags of a wheel compressed into the one of its file name."""
    parts = [tag.split("-") for tag in tags]
    columns = zip(*(part for part in parts if len(part) == 3), strict=True)  # noqa: PLR2004
    joined = [".".join(dict.fromkeys(column)) for column in columns]
    return "-".join(joined) or "py3-none-any"
