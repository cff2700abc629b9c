"""``.pth`` files, read as text: paths for the import path, and lines that would be executed.

``site.py`` skips lines that are blank or begin with ``#``, executes those that begin with
``import`` and a blank, and takes every other one for a path, relative to the site directory.
"""

import hashlib
from dataclasses import dataclass

LIMIT = 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_LONGEST = 1000
_EXECUTED = ("import ", "import\t")


@dataclass(frozen=True, slots=True, kw_only=True)
class PathFile:
    """One ``.pth`` file."""

    name: str
    digest: str
    paths: tuple[str, ...]
    """As written, in order."""
    executed: tuple[str, ...]
    """The executable lines, in order; of a longer line the first thousand characters."""


def parse_path_file(name: str, content: bytes) -> PathFile:
    """Parse the ``content`` of the file ``name``."""
    paths: list[str] = []
    executed: list[str] = []
    text = content.removeprefix(_BOM).decode("utf-8", "surrogateescape")
    for line in text.splitlines():  # at every line separator of Unicode, as Python 3.13 does
        if line.startswith("#") or not line.strip():
            continue
        if line.startswith(_EXECUTED):
            executed.append(line.rstrip()[:_LONGEST])
        else:
            paths.append(line.rstrip())
    return PathFile(name=name, digest=digest(content), paths=tuple(paths), executed=tuple(executed))


def digest(content: bytes) -> str:
    """Return the digest of a startup file, as snapshots write digests."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}"
