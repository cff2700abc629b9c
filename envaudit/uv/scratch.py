"""Scratch folders, and the tiny wheels that stand in for real distributions in them."""

import base64
import hashlib
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

# A zip file cannot say a time before 1980; a fixed one makes equal wheels equal bytes.
_TIME = (1980, 1, 1, 0, 0, 0)


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Yield a new private folder, and remove it with all that is in it."""
    with tempfile.TemporaryDirectory(prefix="envaudit-") as folder:
        yield Path(folder)


def write_file(folder: Path, name: str, text: str) -> Path:
    """Write a file into a scratch folder, folders on the way included, and return its path."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


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
