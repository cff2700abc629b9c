"""Scratch folders, and in them tiny wheels, or a likeness of an environment's records."""

import base64
import hashlib
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from envaudit.doors import disk
from envaudit.model.errors import Problem, UnreadableError

# A zip file cannot say a time before 1980; a fixed one makes equal wheels equal bytes.
_TIME = (1980, 1, 1, 0, 0, 0)


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Yield a new private folder, and remove it with all that is in it.

    Raises:
        UnreadableError: it, or what is to lie in it, cannot be written.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="envaudit-", ignore_cleanup_errors=True) as folder:
            yield Path(folder)
    except OSError as error:
        raise UnreadableError(
            Problem(
                message=f"no scratch file can be written ({error.strerror})",
                at=error.filename,
                hint="make room there, or set `TMPDIR` to another folder",
            )
        ) from error


def write_file(folder: Path, name: str, text: str) -> Path:
    """Write a file into a scratch folder, folders on the way included, and return its path."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@contextmanager
def scratch_likeness(root: Path, sites: Sequence[str], without: AbstractSet[str]) -> Iterator[Path]:
    """Yield a scratch prefix that to uv looks like the environment at ``root`` after a first step.

    It holds the records (``.dist-info`` and its like) of the site directories ``sites``, each file
    of them a link to the real one, but none of the entries ``without`` (relative to ``root``, like
    ``sites``). For dry runs only: nothing may be installed there.
    """
    with scratch_folder() as prefix:
        for where in sites:
            (prefix / where).mkdir(parents=True)
            try:
                with disk.open_folder(root / where) as site:
                    _liken(site, root / where, prefix / where, _entries_without(without, where))
            except disk.DiskError:
                continue  # uv does not see what cannot be read either
        yield prefix


def _entries_without(without: AbstractSet[str], where: str) -> frozenset[str]:
    return frozenset(path.removeprefix(f"{where}/") for path in without)


def _liken(site: disk.Folder, real: Path, scratch: Path, without: frozenset[str]) -> None:
    for name in site.names():
        if name in without or not name.endswith((".dist-info", ".egg-info", ".egg-link")):
            continue
        try:
            with site.folder(name) as record:
                files = record.names()
        except disk.DiskError:  # a file, which is a record too
            (scratch / name).symlink_to(real / name)
            continue
        (scratch / name).mkdir()
        for file in files:
            (scratch / name / file).symlink_to(real / name / file)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheel:
    """What a scratch wheel holds."""

    name: str
    version: str
    requires: tuple[str, ...] = ()
    repository: str | None = None
    modules: Mapping[str, str] = field(default_factory=dict)
    """Source text by path."""


def build_wheel(wheel: Wheel, folder: Path) -> Path:
    """Write ``wheel`` into ``folder``, made if need be, and return its path.

    The format is the binary distribution format of the packaging specifications.
    """
    folder.mkdir(exist_ok=True)
    stem = f"{wheel.name.replace('-', '_')}-{wheel.version}"
    records = f"{stem}.dist-info"
    headers = [f"Metadata-Version: 2.1\nName: {wheel.name}\nVersion: {wheel.version}\n"]
    headers += [f"Requires-Dist: {line}\n" for line in wheel.requires]
    if wheel.repository is not None:
        headers.append(f"Project-URL: Repository, {wheel.repository}\n")
    files = {
        **wheel.modules,
        f"{records}/METADATA": "".join(headers),
        f"{records}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    rows = [_row(path, text) for path, text in files.items()]
    files[f"{records}/RECORD"] = "".join([*rows, f"{records}/RECORD,,\n"])
    target = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(target, "w") as archive:
        for path, text in files.items():
            archive.writestr(zipfile.ZipInfo(path, _TIME), text)
    return target


def _row(path: str, text: str) -> str:
    content = text.encode()
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{path},sha256={digest},{len(content)}\n"
