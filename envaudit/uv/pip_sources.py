"""What pip would have to build, and so run, before it can say what it would install.

Seen with pip 23.2 and 26.3: ``--only-binary :all:`` does not keep pip from building what is named
by a path or a URL.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from envaudit.core.redaction import redact_text
from envaudit.model.errors import Problem, UnreadableError
from envaudit.model.request import Request
from envaudit.uv.requirement_lines import read_lines

_FILES = ("--requirement", "--constraint")
# What these name is not looked at here: it may be anything.
_UNREAD = ("--group", "--requirements-from-script")
_BUILT = ("--editable", "--no-binary")
_ARCHIVES = (
    *(".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz", ".tar.xz", ".txz"),
    *(".tar.lz", ".tlz", ".tar.lzma"),
)
# Longer than what pip calls ambiguous.
_SHORTEST = 5


def demand_wheels(request: Request, folder: Path) -> None:
    """Refuse what pip would have to build to know its name; ``folder``: where pip runs.

    Raises:
        UnreadableError: there is some, or a file that may name some cannot be read.
    """
    for text in _requirements(request, folder):
        if is_source(text):
            raise UnreadableError(
                Problem(
                    message=f"pip would build `{redact_text(text)}` to answer, which runs its code",
                    hint="allow it with `--allow-build`",
                )
            )


def _requirements(request: Request, folder: Path) -> Iterator[str]:
    yield from request.arguments
    for option in (*_BUILT, *_UNREAD):
        yield from (f"{option} {value}" for value in request.values(option))
    for option in _FILES:
        for value in request.values(option):
            yield from read_lines(folder / value)


def is_source(text: str) -> bool:
    """Return whether the requirement, or the line of a requirements file, ``text`` may be built."""
    if text.startswith("-"):
        option = re.split(r"[= ]", text, maxsplit=1)[0]
        begun = len(option) >= _SHORTEST and option.startswith("--")
        return text.startswith("-e") or any(
            name == option or (begun and name.startswith(option)) for name in (*_BUILT, *_UNREAD)
        )
    place = re.split(r"\s--|#|;\s|\s;", text, maxsplit=1)[0].rpartition("@")[2].strip()
    place = re.sub(r"\[[^\]]*\]$", "", place).strip()  # extras
    if "${" in place:  # pip puts a variable in its place
        return True
    if place.endswith(".whl"):
        return False
    return place.startswith(".") or ":" in place or "/" in place or place.endswith(_ARCHIVES)
