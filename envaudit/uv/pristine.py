"""A distribution as its wheel brings it, in a scratch folder beside nothing else.

This runs an installation, and still changes nothing that anybody has: the folder is a scratch one,
and no source tree is built.
"""

from pathlib import Path

from envaudit.model.errors import UnreadableError
from envaudit.uv.binary import Uv
from envaudit.uv.dry_run import NO_BUILD

_SECONDS = 1800.0


def unpack(
    uv: Uv, pin: str, folder: Path, base: Path, flags: tuple[str, ...], *, cache: bool
) -> str | None:
    """Install ``pin`` alone into the scratch ``folder``, for the interpreter ``base``.

    ``cache``: whether uv may take what it has unpacked before, which may hold the very edits that
    are looked for. Returns what uv says against it; ``None``: it is there.
    """
    try:
        answer = uv.run(
            *("pip", "install", "--quiet", "--no-deps", NO_BUILD, "--link-mode", "copy"),
            *("--target", str(folder), "--python", str(base)),
            *(() if cache else ("--no-cache",)),
            *flags,
            "--",
            pin,
            seconds=_SECONDS,
        )
    except UnreadableError as error:
        return str(error)
    return None if answer.code == 0 else answer.messages.strip()
