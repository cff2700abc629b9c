"""Where the keys of a TOML document stand. ``tomllib`` forgets positions; messages need them.

A scanner, not a parser: it runs on text that ``tomllib`` has already accepted, so it only has to
find headers, keys and the items of arrays and inline tables, and to step over strings, comments and
plain values. It costs time linear in the text, and runs only when a line is to be shown.
"""

import contextlib
import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

from envaudit.rules.table import Path

KEY = -1
"""After a key's path: where the key itself stands."""

_HEADER = re.compile(r"(\[\[?)([^\]\n]*)\]\]?")
_NAME = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_KEY = re.compile(rf"({_NAME}(?:[ \t]*\.[ \t]*{_NAME})*)[ \t]*=[ \t]*")
_KEY_PART = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|' r"'''.*?'{3,5}|" r'"(?:[^"\\]|\\.)*"|' r"'[^']*'", re.DOTALL
)
_GAP = re.compile(r"(?:[\s,]+|#[^\n]*)*")
_PLAIN = re.compile(r"[^\s,\]}#]+(?: \d[^\s,\]}#]*)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A place in a text: both numbers count from one."""

    line: int
    column: int


def locate(text: str) -> Mapping[Path, Position]:
    """Return where each table's header, each key's *value* and each array's item stands.

    Where a key itself stands, is under its path and ``KEY``.
    """
    scanner = _Scanner(text)
    with contextlib.suppress(RecursionError):  # what was found until there is found
        scanner.scan()
    return scanner.found


_ESCAPE = re.compile(r"\\(?:u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[ \t]*\r?\n[ \t\r\n]*|.)")
_ONE = re.compile(r"\r\n|.", re.DOTALL)


def inside_string(text: str, start: Position, offset: int) -> Position:
    """Return where character ``offset`` stands of the string value that begins at ``start``.

    An escape stands for one character, or, before a line's end, for none.
    """
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    at = starts[start.line - 1] + start.column - 1
    quote = text[at : at + 1]
    several = text[at : at + 3] == quote * 3
    at += 3 if several else 1
    if several and (opening := re.compile(r"\r?\n").match(text, at)):
        at = opening.end()
    while at < len(text):
        escape = _ESCAPE.match(text, at) if quote == '"' else None
        joins = escape is not None and "\n" in escape[0]
        if offset == 0 and not joins:
            break
        match = escape or _ONE.match(text, at)
        at = match.end() if match else len(text)
        offset -= 0 if joins else 1
    line = bisect_right(starts, at)
    return Position(line=line, column=at - starts[line - 1] + 1)


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._at = 0
        self._table: Path = ()
        self._counts: dict[Path, int] = {}
        self.found: dict[Path, Position] = {}

    def scan(self) -> None:
        while self._skip_gap() < len(self._text):
            if self._text[self._at] == "[" and (header := self._match(_HEADER)):
                self._enter(header)
            elif not self._pair(self._table):
                self._at += 1

    def _skip_gap(self) -> int:
        self._match(_GAP)
        return self._at

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self._text, self._at)
        if match:
            self._at = match.end()
        return match

    def _enter(self, header: re.Match[str]) -> None:
        path: Path = ()
        *parents, last = _parts(header[2]) or ("",)
        for part in parents:
            path = self._inside((*path, part))
        path = (*path, last)
        if header[1] == "[[":
            index = self._counts.get(path, -1) + 1
            self._counts[path] = index
            path = (*path, index)
        self._table = path
        self._note(path, header.start())

    def _inside(self, path: Path) -> Path:
        """A name of an array of tables, in a longer header, means its last table."""
        return (*path, self._counts[path]) if path in self._counts else path

    def _pair(self, table: Path) -> bool:
        """Read a key and its value, if a key stands here."""
        key = self._match(_KEY)
        if key is None:
            return False
        path = (*table, *_parts(key[1]))
        self._note((*path, KEY), key.start())
        self._value(path)
        return True

    def _value(self, path: Path) -> None:
        self._note(path, self._at)
        opening = self._text[self._at : self._at + 1]
        if opening == "[":
            self._items(path)
        elif opening == "{":
            self._pairs(path)
        elif not (opening in {'"', "'"} and self._match(_STRING)):
            self._match(_PLAIN)

    def _items(self, path: Path) -> None:
        self._at += 1
        index = 0
        while self._skip_gap() < len(self._text):
            if self._text[self._at] == "]":
                self._at += 1
                return
            before = self._at
            self._value((*path, index))
            index += 1
            if self._at == before:
                return

    def _pairs(self, path: Path) -> None:
        self._at += 1
        while self._skip_gap() < len(self._text):
            if self._text[self._at] == "}":
                self._at += 1
                return
            if not self._pair(path):
                return

    def _note(self, path: Path, at: int) -> None:
        if path not in self.found:
            line = bisect_right(self._starts, at)
            self.found[path] = Position(line=line, column=at - self._starts[line - 1] + 1)


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _KEY_PART.findall(dotted))
