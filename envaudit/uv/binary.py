"""Which uv is asked: the one that was installed beside envaudit, of a version that can answer."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from packaging.version import Version

from envaudit.doors import disk, process
from envaudit.model.errors import Problem, UnreadableError

MINIMUM = Version("0.12.18")
"""The first uv that prints a plan as JSON."""
_VERSION = re.compile(r"uv (\d+\.\d+\.\d+)")
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
        """Run uv with ``arguments`` to its end; see ``process.run``."""
        return process.run(
            (str(self.path), *arguments),
            environment=self.variables,
            folder=self.folder,
            seconds=seconds,
        )


# What would point uv, or the interpreter that it starts, somewhere else than the question does.
_MISLEADING = frozenset(
    {"UV_PYTHON", "UV_PREFIX", "UV_TARGET", "UV_SYSTEM_PYTHON", "VIRTUAL_ENV", "CONDA_PREFIX"}
    | {"PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "UV_DRY_RUN", "UV_QUIET"}
)


def find_uv(variables: Mapping[str, str], folder: Path) -> Uv:
    """Find the uv beside envaudit and make sure that it can answer.

    Raises:
        UnreadableError: there is none, or it is older than ``MINIMUM``.
    """
    path = _beside() or disk.find_program("uv", variables.get("PATH"))
    if path is None:
        raise UnreadableError(
            Problem(
                message="no uv is found, neither beside envaudit nor on `PATH`",
                hint="install uv: `python -m pip install uv`",
            )
        )
    kept = {key: value for key, value in variables.items() if key not in _MISLEADING}
    kept |= {"NO_COLOR": "1", "UV_NO_PROGRESS": "1"}
    answer = process.run(
        (str(path), "--version"), environment=kept, folder=folder, seconds=_SECONDS
    )
    match = _VERSION.match(answer.output)
    if match is None:
        raise UnreadableError(
            Problem(message=f"`{path}` does not say which version of uv it is", at=str(path))
        )
    version = Version(match[1])
    if version < MINIMUM:
        raise UnreadableError(
            Problem(
                message=f"uv {version} prints no plan as JSON; {MINIMUM} is the first that does",
                at=str(path),
                hint="upgrade it: `python -m pip install --upgrade uv`",
            )
        )
    return Uv(path=path, version=version, variables=kept, folder=folder)


def _beside() -> Path | None:
    try:
        from uv import find_uv_bin
    except ImportError:
        return None
    try:
        return Path(find_uv_bin())
    except FileNotFoundError:
        return None
