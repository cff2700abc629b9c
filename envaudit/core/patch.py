"""What was edited in a file, as a unified diff that ``patch -p1`` applies byte for byte.

Text here is bytes, decoded with ``surrogateescape`` and cut at line feeds alone: a carriage return,
a form feed or a byte that is no UTF-8 is content like any other.
"""

import difflib
from collections.abc import Iterator

_CODING = ("utf-8", "surrogateescape")
_UNENDED = "\n\\ No newline at end of file\n"


def compose_patch(path: str, before: bytes, after: bytes) -> str | None:
    """Return the diff of the file ``path`` (from the folder in which ``patch`` runs).

    ``None``: it cannot be said in this form, since it is no text, or its name holds a tab, a line
    break or something else that is not printed.
    """
    if b"\0" in before or b"\0" in after or not path.isprintable():
        return None
    old, new = _lines(before), _lines(after)
    # A tab ends a name that may hold blanks.
    lines = difflib.unified_diff(old, new, f"a/{path}\t", f"b/{path}\t")
    return "".join(_ended(lines))


def _lines(content: bytes) -> list[str]:
    *ended, rest = content.decode(*_CODING).split("\n")
    return [*(f"{line}\n" for line in ended), *([rest] if rest else [])]


def _ended(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line if line.endswith("\n") else line + _UNENDED
