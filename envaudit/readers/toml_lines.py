"""Where the keys of a TOML document stand. ``tomllib`` forgets positions; messages need them.

A scanner, not a parser: it runs on text that ``tomllib`` has already accepted, so it only has to
find headers and keys and to step over values (strings of four kinds, nested brackets, comments).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from envaudit.rules.table import Path

_HEADER = re.compile(r"(\[\[?)([^\]]*)\]\]?")
_KEY = re.compile(r"""((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=\s*""")
_KEY_PART = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|' r"'''.*?'{3,5}|" r'"(?:[^"\\]|\\.)*"|' r"'[^']*'", re.DOTALL
)
_COMMENT = re.compile(r"#[^\n]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A place in a text: both numbers count from one."""

    line: int
    column: int


def locate(text: str) -> Mapping[Path, Position]:
    """Return where each table's header and each key's *value* stands."""
    scanner = _Scanner(text)
    scanner.scan()
    return scanner.found


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._table: Path = ()
        self._counts: dict[Path, int] = {}
        self.found: dict[Path, Position] = {}

    def scan(self) -> None:
        while self._at < len(self._text):
            if self._match(_COMMENT) or self._text[self._at].isspace():
                self._at += 1
            elif self._text[self._at] == "[" and (header := self._match(_HEADER)):
                self._enter(header)
            elif key := self._match(_KEY):
                path = (*self._table, *_parts(key[1]))
                self.found.setdefault(path, self._position(self._at))
                self._step_over_value()
            else:
                self._at += 1

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
        self.found.setdefault(path, self._position(header.start()))

    def _inside(self, path: Path) -> Path:
        """A name of an array of tables, in a longer header, means its last table."""
        return (*path, self._counts[path]) if path in self._counts else path

    def _step_over_value(self) -> None:
        depth = 0
        while self._at < len(self._text):
            character = self._text[self._at]
            if character in "\"'" and self._match(_STRING):
                continue
            if character == "#" and self._match(_COMMENT):
                continue
            if character in "[{":
                depth += 1
            elif character in "]}":
                depth -= 1
            elif character == "\n" and depth <= 0:
                return
            self._at += 1

    def _position(self, at: int) -> Position:
        return Position(
            line=self._text.count("\n", 0, at) + 1,
            column=at - (self._text.rfind("\n", 0, at) + 1) + 1,
        )


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _KEY_PART.findall(dotted))
