"""RECORD, the list of what an installer wrote, and the content id made of it.

One wheel gives one content id, whoever installs it: rows outside the site directory (scripts with
rewritten first lines), files that installers write and byte code are left out.
"""

import hashlib
import posixpath

from envaudit.readers.rows import read_rows

WRITTEN_BY_INSTALLERS = frozenset(
    {"INSTALLER", "REQUESTED", "RECORD", "direct_url.json", "uv_cache.json", "uv_build.json"}
)

_OUTSIDE = ("../", "/")


class RecordError(Exception):
    """A RECORD that is not the CSV of three columns that the specification describes."""


def content_id(content: bytes, folder: str) -> str:
    """Return the digest of the rows of RECORD that the wheel brought; ``folder``: its dist-info.

    Raises:
        RecordError: a row is not of the specified form, or there are too many.
    """
    listed = read_rows(content, digests=True)
    for fault in listed.faults:
        raise RecordError(f"is not in order: line {fault.line} {fault.reason}")
    excluded = {f"{folder}/{name}" for name in WRITTEN_BY_INSTALLERS}
    plain = map(_normalise, listed.paths) if listed.odd else listed.paths
    rows = [
        f"{path}\x00{digest}\n"
        for path, digest in zip(plain, listed.digests, strict=True)
        if path not in excluded and not path.endswith(".pyc") and not path.startswith(_OUTSIDE)
    ]
    joined = "".join(sorted(rows)).encode("utf-8", "surrogateescape")
    return f"sha256:{hashlib.sha256(joined).hexdigest()}"


def _normalise(path: str) -> str:
    """Return another spelling of a path in the way a wheel spells it."""
    return posixpath.normpath(path) if "./" in path or "//" in path else path
