"""The rows of RECORD, tolerantly: a row that is not in order is a fact about it, not the end of it.

An installer reads RECORD to remove what is in it. An unterminated quote makes a plain CSV reader
swallow the rest of the file as one field, and a blank line makes others give up; here each line
then stands for itself, and what is wrong with it is kept.
"""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

from envaudit.model.files import RowFault

LIMIT_BYTES = 256 * 1024 * 1024
LIMIT_ROWS = 2_000_000
_COLUMNS = 3
LIMIT_FAULTS = 20
_ODD = ("\n.", "\n/", "/.", "//")
_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """What RECORD lists, in its order."""

    paths: Sequence[str]
    """As written; undecodable bytes as surrogates."""
    digests: Sequence[str] = ()
    """One for each path, empty where there is none; left out where they were not asked for."""
    sizes: Sequence[str] = ()
    """Like ``digests``, as written."""
    unhashed: int = 0
    """How many rows have no digest, RECORD's own and those of byte code left out."""
    odd: bool = False
    """Whether a path may be another spelling of a path, or lead out of its folder."""
    faults: tuple[RowFault, ...] = ()
    """The first faults."""
    fault_count: int = 0


def read_rows(content: bytes, *, digests: bool) -> Rows:
    """Return the rows of the RECORD ``content``. Nothing is raised, whatever it holds.

    A RECORD as installers write it (no quotes, three columns a line) takes about half a
    microsecond a row; everything else is read by the standard library's CSV reader. ``digests``:
    whether they are wanted.
    """
    try:
        text, faults = content.decode(), []
    except UnicodeDecodeError as error:
        text = content.decode("utf-8", "surrogateescape")
        line = content.count(b"\n", 0, error.start) + 1
        faults = [RowFault(line=line, reason="is not UTF-8")]
    plain = None if faults else _plain_rows(text, digests=digests)
    return plain or _careful_rows(text, faults)


def _plain_rows(text: str, *, digests: bool) -> Rows | None:
    """Read a RECORD that has no quotes, all lines ended, and three columns in each.

    ``None``: it is another one. All the cells are cut at once, since this sees every row there is.
    """
    if '"' in text or "\r" in text or "\0" in text or not text.endswith("\n"):
        return None
    lines = text.count("\n")
    cells = text.replace("\n", ",").split(",")
    sizes = cells[2::_COLUMNS]
    wellformed = ("".join(sizes) + "0").isdigit()
    if lines > LIMIT_ROWS or len(cells) != lines * _COLUMNS + 1 or not wellformed:
        return None
    paths = cells[:-1:_COLUMNS]
    joined = "\n".join(paths)
    odd = joined.startswith(("/", ".")) or any(sign in joined for sign in _ODD)
    if "" in paths:
        return None
    own = text.endswith(".dist-info/RECORD,,\n")
    if not digests and text.count(",,") == own:
        return Rows(paths=paths, odd=odd)
    found = cells[1::_COLUMNS]
    unhashed = _count_unhashed(paths, found)
    return Rows(paths=paths, digests=found, sizes=sizes, unhashed=unhashed, odd=odd)


def _careful_rows(text: str, faults: list[RowFault]) -> Rows:
    rows = _Careful(faults)
    if not rows.read_whole(text):
        rows = _Careful(faults)
        rows.read_line_by_line(text)
    return Rows(
        paths=rows.paths,
        digests=rows.digests,
        sizes=rows.sizes,
        unhashed=_count_unhashed(rows.paths, rows.digests),
        odd=True,
        faults=tuple(rows.faults[:LIMIT_FAULTS]),
        fault_count=len(rows.faults),
    )


def _count_unhashed(paths: Sequence[str], digests: Sequence[str]) -> int:
    return sum(
        not digest and not path.endswith((".pyc", ".dist-info/RECORD"))
        for path, digest in zip(paths, digests, strict=True)
    )


class _Careful:
    """Collects rows and faults."""

    def __init__(self, faults: Sequence[RowFault]) -> None:
        self.paths: list[str] = []
        self.digests: list[str] = []
        self.sizes: list[str] = []
        self.faults = list(faults)

    def read_whole(self, text: str) -> bool:
        """Read ``text`` as one CSV; return false where a quote spans lines or is never closed."""
        reader = csv.reader(io.StringIO(text, newline=""), strict=True)
        before = 0
        try:
            for row in reader:
                if reader.line_num > before + 1:
                    return False
                before = reader.line_num
                if not self._add(row, before):
                    break
        except csv.Error:
            return False
        return True

    def read_line_by_line(self, text: str) -> None:
        lines = _LINE_END.split(text)
        if not lines[-1]:
            del lines[-1]
        for number, line in enumerate(lines, 1):
            try:
                row = next(iter(csv.reader((line,), strict=True)), [])
            except csv.Error as error:
                self.faults.append(RowFault(line=number, reason=f"is not CSV ({error})"))
                continue
            if not self._add(row, number):
                break

    def _add(self, row: list[str], number: int) -> bool:
        """Add one row; return whether there may be more."""
        if len(self.paths) + len(self.faults) >= LIMIT_ROWS:
            reason = f"comes after {LIMIT_ROWS} others, and no more are read"
            self.faults.append(RowFault(line=number, reason=reason))
            return False
        fault = _fault_of(row)
        if fault is None:
            self.paths.append(row[0])
            self.digests.append(row[1])
            self.sizes.append(row[2])
        else:
            self.faults.append(RowFault(line=number, reason=fault))
        return True


def _fault_of(row: list[str]) -> str | None:
    """Return what is wrong with a row, as a predicate."""
    if not row:
        return "is blank"
    if len(row) != _COLUMNS:
        return f"has {len(row)} {'column' if len(row) == 1 else 'columns'} instead of {_COLUMNS}"
    if not row[0]:
        return "names no path"
    if '"' in row[1] + row[2]:
        return "has a quotation mark in its digest or its size"
    if "\n" in row[0] or "\0" in row[0]:
        return "names a path with a line break or a NUL character"
    return None
