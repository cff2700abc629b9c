"""The interpreter of an environment, from its files: it is never started.

Markers that belong to the machine (``sys_platform``, ``platform_machine``) are those of the machine
that envaudit runs on: an environment cannot be started on another one.
"""

import platform
import re
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from envaudit.doors import disk
from envaudit.model.errors import Problem, UnreadableError
from envaudit.model.snapshot import Interpreter

_CONFIGURATION_LIMIT = 64 * 1024
_LIBRARY = re.compile(r"(?P<kind>python|pypy)(?P<version>\d+\.\d+)(?P<threads>t?)")
_NUMBERS = re.compile(r"\d+(?:\.\d+)+")
_IMPLEMENTATIONS: Mapping[str, tuple[str, str]] = {
    "python": ("cpython", "CPython"),
    "pypy": ("pypy", "PyPy"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where an environment keeps its distributions, and which interpreter it belongs to."""

    root: Path
    """Absolute; links on the way to it are the user's and are kept as they are."""
    library: str
    """``python3.11``, ``python3.13t``, ``pypy3.10``."""
    configuration: Mapping[str, str]
    """``pyvenv.cfg``, keys in lower case."""

    @property
    def sites(self) -> tuple[str, ...]:
        """Candidate site directories, relative to the root, in import order."""
        return f"lib/{self.library}/site-packages", f"lib64/{self.library}/site-packages"

    @property
    def base(self) -> Path | None:
        """The base interpreter that ``pyvenv.cfg`` names, if it is there."""
        home = self.configuration.get("home")
        if not home:
            return None
        version = self.library.removeprefix("python").removeprefix("pypy")
        names = (self.library, f"python{version}", f"pypy{version}", "python3", "python")
        candidates = (Path(home) / name for name in names)
        return next((path for path in candidates if disk.is_file(path)), None)


def read_layout(root: Path) -> Layout:
    """Read where the environment at ``root`` keeps its distributions.

    Raises:
        UnreadableError: ``root`` is no virtual environment, or has not one library folder.
    """
    try:
        content = disk.read_file(root / "pyvenv.cfg", limit=_CONFIGURATION_LIMIT)
    except disk.DiskError as error:
        raise UnreadableError(
            Problem(
                message=f"`{root}` is no virtual environment: its `pyvenv.cfg` {error.reason}",
                at=str(root),
                hint="name the folder or the interpreter of a virtual environment with `--python`",
            )
        ) from error
    configuration = _parse_configuration(content)
    return Layout(
        root=root, library=_find_library(root, configuration), configuration=configuration
    )


def _parse_configuration(content: bytes) -> Mapping[str, str]:
    values: dict[str, str] = {}
    for line in content.decode("utf-8", "surrogateescape").splitlines():
        key, equals, value = line.partition("=")
        if equals:
            values[key.strip().lower()] = value.strip()
    return values


def _find_library(root: Path, configuration: Mapping[str, str]) -> str:
    try:
        with disk.open_folder(root / "lib") as lib:
            names = tuple(name for name in lib.names() if _LIBRARY.fullmatch(name))
    except disk.DiskError:
        names = ()
    stated = _stated_version(configuration)
    if len(names) > 1 and stated is not None:
        minor = ".".join(stated.split(".")[:2])
        names = tuple(name for name in names if _library_version(name) == minor) or names
    if not names:
        raise UnreadableError(
            Problem(
                message=f"`{root}` has no `lib/pythonX.Y` folder",
                at=str(root / "lib"),
                hint="the environment is damaged, or none: make it anew with `uv venv`",
            )
        )
    if len(names) > 1:
        raise UnreadableError(
            Problem(
                message=f"`{root}` has library folders of several interpreters: {', '.join(names)}",
                at=str(root / "lib"),
            )
        )
    return names[0]


def _library_version(library: str) -> str:
    match = _LIBRARY.fullmatch(library)
    return match["version"] if match else ""


def _stated_version(configuration: Mapping[str, str]) -> str | None:
    """Uv and virtualenv write ``version_info``, the standard library's venv writes ``version``."""
    for key in ("version_info", "version"):
        match = _NUMBERS.match(configuration.get(key, ""))
        if match:
            return ".".join(match[0].split(".")[:3])
    return None


def read_interpreter(layout: Layout) -> Interpreter:
    """Describe the interpreter of ``layout`` without starting it."""
    match = _LIBRARY.fullmatch(layout.library)
    if match is None:  # pragma: no cover - a Layout is made from a name that matches
        raise AssertionError(layout.library)
    minor = match["version"]
    stated = _stated_version(layout.configuration)
    full = stated if stated and stated.startswith(f"{minor}.") else None
    name, platform_name = _IMPLEMENTATIONS[match["kind"]]
    markers = {
        "implementation_name": name,
        "os_name": "posix",
        "platform_machine": platform.machine(),
        "platform_python_implementation": platform_name,
        "platform_system": platform.system(),
        "python_version": minor,
        "sys_platform": sys.platform,
    }
    if full is not None:
        markers["python_full_version"] = full
        if name == "cpython":
            markers["implementation_version"] = full
    return Interpreter(
        implementation=name,
        version=full or minor,
        markers=tuple(sorted(markers.items())),
        tags=(_best_tag(match["kind"], minor, match["threads"]),),
    )


def _best_tag(kind: str, minor: str, threads: str) -> str:
    digits = minor.replace(".", "")
    system = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    prefix = "cp" if kind == "python" else "pp"
    return f"{prefix}{digits}-{prefix}{digits}{threads}-{system}"
