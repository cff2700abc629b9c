"""Whether uv can install something without a network: tried in a scratch folder.

A dry run does not tell: it needs metadata alone, which uv keeps without the wheel. So the wheels
are installed, as links into the cache, where nobody looks for them.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from envaudit.model.errors import UnreadableError
from envaudit.uv.binary import Uv
from envaudit.uv.dry_run import NO_BUILD

_SECONDS = 600.0


def find_missing(
    uv: Uv, pins: Sequence[str], flags: Sequence[str], folder: Path, base: Path
) -> str | None:
    """Return why uv has not all of ``pins`` at hand for the interpreter ``base``; ``None``: it has.

    ``folder``: a scratch one, new each time. ``flags``: from where uv may install.
    """
    linking = replace(uv, variables={**uv.variables, "UV_LINK_MODE": "symlink"})
    try:
        answer = linking.run(
            *("pip", "install", "--quiet", "--no-deps", "--offline", NO_BUILD),
            *("--target", str(folder), "--python", str(base)),
            *flags,
            "--",
            *pins,
            seconds=_SECONDS,
        )
    except UnreadableError as error:
        return str(error)
    return None if answer.code == 0 else answer.messages.strip()
