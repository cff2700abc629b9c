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

from envaudit.core.digests import agree
from envaudit.doors import disk
from envaudit.doors.disk import DiskError, Folder
from envaudit.doors.packing import digest_member, size_of
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
_NEEDED = ("METADATA", "WHEEL")
"""Without which no installer takes a wheel."""
_ANY = "py3-none-any"
"""The tag of every wheel: what is installed here goes back to here, whatever WHEEL says of where it
may be installed; an installer refuses what it finds built for another interpreter."""


def read_bundle(root: Path, record: Distribution) -> Bundle | str:
    """Return what a wheel of ``record`` has to hold, or why there can be none: a predicate."""
    refused = _refusal(record)
    if refused is not None:
        return refused
    own = record.folder.rpartition("/")[2]
    try:
        with disk.open_folder(root) as environment:
            rows = read_rows(
                environment.read_below(f"{record.folder}/RECORD", limit=LIMIT_BYTES), digests=True
            )
            if rows.faults:
                return "has a RECORD that is not in order"
            members = tuple(_members(environment, record, rows))
            size = sum(size_of(environment, member.path) for member in members)
    except DiskError as error:
        return f"cannot be packed: a file of it {error.reason}"
    except _RefusedError as error:
        return str(error)
    held = {member.name for member in members}
    for name in _NEEDED:
        if f"{own}/{name}" not in held:
            return f"has no `{name}` that its RECORD lists, so that no wheel can be made of it"
    stem = f"{record.name.replace('-', '_')}-{Version(record.version)}"
    return Bundle(
        name=record.name,
        version=record.version,
        content_id=record.content_id,
        file=f"{stem}-{_ANY}.whl",
        record=f"{own}/RECORD",
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


class _RefusedError(Exception):
    """There can be no wheel, or none that would bring everything back; a predicate says why."""


def _members(environment: Folder, record: Distribution, rows: Rows) -> Iterator[Member]:
    """Yield what is to be packed of what ``rows`` list and is there, each path once.

    The folder for what lies elsewhere is named as the metadata folder is, however that is spelled
    (``PyYAML-6.0.dist-info``): under another name an installer takes it for a folder of modules.
    """
    generated = _generated(environment, record)
    own = record.folder.rpartition("/")[2]
    data = f"{own.removesuffix(f'.{Form.DIST_INFO.value}')}.data"
    seen: set[str] = set()
    for row, digest, size in zip(rows.paths, rows.digests, rows.sizes, strict=True):
        path = posixpath.normpath(posixpath.join(record.site, row))
        if path.startswith(("../", "/")) or path == "..":
            raise _RefusedError(f"lists `{row}`, which lies outside of the environment")
        if path in seen or "/__pycache__/" in path:
            continue
        seen.add(path)
        if path in generated:
            _demand_unedited(environment, path, digest)
            continue
        name = _name(path, record.site, data)
        folder, _, file = name.rpartition("/")
        if folder == own and file in WRITTEN_BY_INSTALLERS - _KEPT:
            continue
        if _is_there(environment, path):
            yield Member(path=path, name=name, digest=digest, size=size)


def _demand_unedited(environment: Folder, path: str, digest: str) -> None:
    """Refuse a generated program that was edited: an installer would generate it anew."""
    if not digest.startswith("sha256=") or not _is_there(environment, path):
        return
    if not agree(digest, digest_member(environment, path)):
        raise _RefusedError(
            f"has the program `{path}`, which was edited by hand and would come back as generated"
        )


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
