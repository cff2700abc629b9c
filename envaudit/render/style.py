"""How text looks on a terminal, and the one place where what is untrusted becomes harmless.

Everything that comes from an environment (names, versions, paths, uv's words) may hold terminal
escapes. A line is escaped as a whole after it was put together, and only then coloured, so that no
renderer can forget it.
"""

import unicodedata
from dataclasses import dataclass

_RESET = "\x1b[0m"
_COLOURS = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "info": "\x1b[1;36m",
    "good": "\x1b[1;32m",
    "strong": "\x1b[1m",
    "faint": "\x1b[2m",
}
# Control, format (bidirectional marks, zero width), surrogate, private, unassigned, and the two
# separators that some terminals break lines at.
_HARMFUL_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """Whether text is coloured."""

    colour: bool = False

    def paint(self, text: str, role: str) -> str:
        """Return ``text`` escaped and, on a terminal, coloured for its ``role``."""
        shown = escape(text)
        return f"{_COLOURS[role]}{shown}{_RESET}" if self.colour else shown


def escape(text: str) -> str:
    """Return ``text`` on one line, with every character that a terminal could obey spelled out."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_spell(character) for character in text)


def _spell(character: str) -> str:
    if unicodedata.category(character) not in _HARMFUL_CATEGORIES:
        return character
    return character.encode("unicode_escape").decode("ascii")
