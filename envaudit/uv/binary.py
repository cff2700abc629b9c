"""Which uv is asked: the one that was installed beside envaudit, of a version that can answer.

Or the one that a user's command names, since what another one would do is not what was asked.
Only where none is beside envaudit, and never for root, the one on ``PATH`` is taken: root's
``PATH`` may come from a user (sudo, cron), and job schedulers start their prologs with none at all.
A uv that others may replace is refused, wherever it was found.
"""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from packaging.version import Version

from envaudit.core.redaction import find_secrets, redact_text
from envaudit.doors import disk, ownership, process
from envaudit.model.errors import Problem, UnreadableError

MINIMUM = Version("0.12.18")
"""The first uv that prints a plan as JSON."""
_VERSION = re.compile(r"uv (\d{1,9}\.\d{1,9}\.\d{1,9})")
_SECONDS = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Uv:
    """A uv that can answer, and the surroundings in which it is asked."""

    path: Path
    version: Version
    variables: Mapping[str, str]
    """The environment that uv gets: the caller's, since indexes and credentials stand there."""
    folder: Path
    """The caller's folder, since uv's configuration is found from there."""

    @property
    def word(self) -> str:
        """How a person calls this uv: ``uv`` if ``PATH`` finds this very one, else its path."""
        found = disk.find_program("uv", self.variables.get("PATH"))
        return "uv" if found is not None and disk.same_file(found, self.path) else str(self.path)

    def run(self, *arguments: str, seconds: float) -> process.Completed:
        """Run uv with ``arguments`` to its end; see ``process.run``.

        What it says on its standard error is shown to people, so secrets are taken out of it.
        """
        completed = process.run(
            (str(self.path), *arguments),
            environment=self.variables,
            folder=self.folder,
            seconds=seconds,
        )
        secrets = find_secrets(self.variables, arguments)
        return replace(completed, messages=redact_text(completed.messages, secrets))


# What would point uv, or the interpreter that it starts, somewhere else than the question does.
_MISLEADING = frozenset(
    {"UV_PYTHON", "UV_PREFIX", "UV_TARGET", "UV_SYSTEM_PYTHON", "VIRTUAL_ENV", "CONDA_PREFIX"}
    | {"PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "UV_DRY_RUN", "UV_QUIET"}
)


def find_uv(
    variables: Mapping[str, str], folder: Path, *, as_root: bool, seconds: float = _SECONDS
) -> Uv:
    """Find the uv beside envaudit and make sure that it can answer.

    ``as_root``: whether envaudit runs as root. ``seconds``: how long uv may take to answer.

    Raises:
        UnreadableError: there is none, others may replace it, or it is older than ``MINIMUM``.
    """
    path = _beside() or (None if as_root else disk.find_program("uv", variables.get("PATH")))
    if path is None:
        where = "beside envaudit" if as_root else "beside envaudit or on `PATH`"
        raise UnreadableError(
            Problem(
                message=f"no uv is found {where}",
                hint="install it beside envaudit: `python -m pip install uv`",
            )
        )
    return _open(path, variables, folder, as_root=as_root, seconds=seconds)


def find_named_uv(
    program: Sequence[str],
    variables: Mapping[str, str],
    folder: Path,
    *,
    as_root: bool,
    seconds: float = _SECONDS,
) -> Uv:
    """Find the uv that a command starts, and make sure that it can answer.

    ``program``: the words that start it: ``uv`` or a path of it, or ``PYTHON -m uv``, of which the
    uv beside that interpreter is asked: the interpreter itself would run startup hooks.

    Raises:
        UnreadableError: there is none, others may replace it, or it is older than ``MINIMUM``.
    """
    path = find_named(program[0], variables, folder)
    if path is not None and len(program) > 1:
        beside = path.parent / "uv"
        path = beside if disk.is_file(beside) else None
    if path is None:
        shown = shlex.join(program)
        raise UnreadableError(
            Problem(
                message=f"the uv of the command, `{shown}`, is not there",
                hint="name another one in the command: `uv` on `PATH`, or its path",
            )
        )
    return _open(path, variables, folder, as_root=as_root, seconds=seconds)


def find_named(name: str, variables: Mapping[str, str], folder: Path) -> Path | None:
    """Return the absolute path of the program that a shell in ``folder`` starts by ``name``."""
    return disk.find_program(str(folder / name) if "/" in name else name, variables.get("PATH"))


def _open(
    path: Path, variables: Mapping[str, str], folder: Path, *, as_root: bool, seconds: float
) -> Uv:
    refuse_replaceable(path, as_root=as_root)
    kept = {key: value for key, value in variables.items() if key not in _MISLEADING}
    kept |= {"NO_COLOR": "1", "UV_NO_PROGRESS": "1"}
    uv = Uv(path=path, version=MINIMUM, variables=kept, folder=folder)
    return replace(uv, version=_read_version(uv, seconds))


def refuse_replaceable(path: Path, *, as_root: bool) -> None:
    """Refuse an installer that others could have replaced by a program of theirs.

    Raises:
        UnreadableError: they could.
    """
    place = ownership.find_open_to_others(path, group=as_root)
    if place is None:
        return
    who = "its group or others" if as_root else "others"
    cure = ("chmod", "go-w" if as_root else "o-w", str(place))
    raise UnreadableError(
        Problem(
            message=f"`{path}` is not started: `{place}` may be written to by {who}",
            at=str(place),
            hint=f"take that permission away, `{shlex.join(cure)}`, or install it elsewhere",
        )
    )


def _read_version(uv: Uv, seconds: float) -> Version:
    match = _VERSION.match(uv.run("--version", seconds=seconds).output)
    if match is None:
        raise UnreadableError(
            Problem(
                message=f"`{uv.path}` does not say which version of uv it is",
                at=str(uv.path),
                hint="install uv anew: `python -m pip install --force-reinstall uv`",
            )
        )
    version = Version(match[1])
    if version < MINIMUM:
        raise UnreadableError(
            Problem(
                message=f"uv {version} prints no plan as JSON; {MINIMUM} is the first that does",
                at=str(uv.path),
                hint="upgrade it: `python -m pip install --upgrade uv`",
            )
        )
    return version


def _beside() -> Path | None:
    try:
        from uv import find_uv_bin
    except ImportError:
        return None
    try:
        return Path(find_uv_bin())
    except FileNotFoundError:
        return None
