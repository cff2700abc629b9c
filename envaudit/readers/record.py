"""RECORD, the list of what an installer wrote, and the content id made of it.

One wheel gives one content id, whoever installs it: rows outside the site directory (scripts with
rewritten first lines), files that installers write and byte code are left out.
"""

import csv
import hashlib
import io
import posixpath

_LIMIT_ROWS = 2_000_000
_WRITTEN_BY_INSTALLERS = frozenset(
    {"INSTALLER", "REQUESTED", "RECORD", "direct_url.json", "uv_cache.json", "uv_build.json"}
)


class RecordError(Exception):
    """A RECORD that is not the CSV of three columns that the specification describes."""


def content_id(content: bytes, folder: str) -> str:
    """Return the digest of the rows of RECORD that the wheel brought; ``folder``: its dist-info.

    Raises:
        RecordError: a row is not of the specified form, or there are too many.
    """
    rows = []
    for path, digest in _rows(content):
        if path.startswith(("../", "/")) or path.endswith(".pyc"):
            continue
        head, _, name = path.rpartition("/")
        if head == folder and name in _WRITTEN_BY_INSTALLERS:
            continue
        plain = posixpath.normpath(path) if "./" in path or "//" in path else path
        rows.append(f"{plain}\x00{digest}\n")
    joined = "".join(sorted(rows)).encode("utf-8", "surrogateescape")
    return f"sha256:{hashlib.sha256(joined).hexdigest()}"


def _rows(content: bytes) -> list[tuple[str, str]]:
    text = content.decode("utf-8", "surrogateescape")
    rows: list[tuple[str, str]] = []
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            if len(row) != 3 or not row[0]:  # noqa: PLR2004 - path, hash, size
                raise RecordError(f"has no row of three columns at line {reader.line_num}")
            if len(rows) >= _LIMIT_ROWS:
                raise RecordError(f"has more than {_LIMIT_ROWS} rows")
            rows.append((row[0], row[1]))
    except csv.Error as error:
        raise RecordError(f"is not CSV at line {reader.line_num} ({error})") from error
    return rows
