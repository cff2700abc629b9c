"""How text looks on a terminal, and the one place where what is untrusted becomes harmless.

Everything that comes from an environment (names, versions, paths, uv's words) may hold terminal
escapes. A line is escaped as a whole after it was put together, and only then coloured, so that no
renderer can forget it.
"""

import re
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
# What the log reader of a build service would take for a command, wherever it stands in a line
# (`##[`) or where a line begins, blanks or not (`::`): https://github.com/actions/runner
_WORKFLOW_COMMAND = re.compile(r"^(?P<blank>\s*):(?=:)|#(?=#\[)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """Whether text is coloured."""

    colour: bool = False

    def paint(self, text: str, role: str) -> str:
        """Return ``text`` escaped and, on a terminal, coloured for its ``role``."""
        shown = escape(text)
        return f"{_COLOURS[role]}{shown}{_RESET}" if self.colour else shown


def escape(text: str) -> str:
    """Return ``text`` on one line, with every character that a terminal could obey spelled out.

    Spelled out are control and format characters (bidirectional marks, zero width), surrogates,
    private and unassigned ones, and every separator but the blank; and the first character of what
    a build service would obey.
    """
    shown = text if text.isprintable() else "".join(_spell(character) for character in text)
    if ":" in shown or "#" in shown:
        return _WORKFLOW_COMMAND.sub(_spell_out, shown)
    return shown


def _spell(character: str) -> str:
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode("ascii")


def _spell_out(command: re.Match[str]) -> str:
    blank = command["blank"]
    return "\\x23" if blank is None else f"{blank}\\x3a"
