"""What an environment stands on: which interpreter it belongs to, and where that one is.

Four sorts: a virtual environment (``pyvenv.cfg``), an interpreter's own prefix (a container's
``/usr/local``, a system's ``/usr``), a conda prefix, and a plain folder of distributions.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from envaudit.doors import disk
from envaudit.model.errors import Problem, UnreadableError
from envaudit.model.layout import EnvironmentKind
from envaudit.readers.configuration import NAME, Configuration, read_configuration
from envaudit.readers.libraries import Library, find_libraries, find_standard_library

_INTERPRETERS = ("python", "python3", "pypy", "pypy3")
_HINT = "name an environment's folder or its interpreter with `--python`"
_SITE_FOLDER = re.compile(r"(?:site|dist)-packages")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Which interpreter imports from an environment, and from where it was told."""

    root: Path
    """Absolute; links on the way to it are the user's and are kept as they are."""
    kind: EnvironmentKind
    library: Library | None
    """``None``: nothing tells which interpreter will import from a plain folder."""
    configuration: Configuration | None = None
    """Of a virtual environment."""
    prefix: Path | None = None
    """The prefix of the interpreter that runs: of the base of a virtual environment, else the
    environment itself. ``None`` where it is not there."""

    @property
    def base(self) -> Path | None:
        """The interpreter to name to uv: the base of a virtual environment, else its own.

        ``None`` where it is not there.
        """
        if self.library is None:
            return None
        folder = self.root / "bin"
        if self.configuration is not None:
            if self.configuration.base_folder is None:
                return None
            folder = Path(self.configuration.base_folder)
        names = (self.library.name, f"{self.library.kind}{self.library.minor}", *_INTERPRETERS)
        return next((path for name in names if disk.is_file(path := folder / name)), None)

    @property
    def others(self) -> tuple[Library, ...]:
        """Library folders of a virtual environment that are not its interpreter's."""
        if self.kind is not EnvironmentKind.VENV:
            return ()
        return tuple(found for found in find_libraries(self.root) if found != self.library)


def find_interpreter(root: Path) -> str | None:
    """Return the environment's own interpreter, relative to it: a file or a link, maybe broken."""
    names = (*_INTERPRETERS, *(library.name for library in find_libraries(root)))
    candidates = (f"bin/{name}" for name in names)
    return next((path for path in candidates if disk.has_entry(root / path)), None)


def read_ground(root: Path, *, interpreter: Path | None = None) -> Ground:
    """Find what the environment at ``root`` stands on; ``interpreter``: the one that was named.

    Raises:
        UnreadableError: ``root`` is no environment, or it is not to be told of which interpreter.
    """
    try:
        configuration = read_configuration(root)
    except disk.DiskError as error:
        raise UnreadableError(
            Problem(message=f"`{NAME}` of `{root}` {error.reason}", at=str(root / NAME))
        ) from error
    if configuration is not None:
        return _virtual(root, configuration)
    libraries = [
        library
        for library in find_libraries(root)
        if find_standard_library(root, library) is not None
    ]
    if not libraries:
        raise UnreadableError(
            Problem(
                message=(
                    f"`{root}` is no environment: it has neither a `{NAME}` "
                    "nor a `lib/pythonX.Y` with a standard library"
                ),
                at=str(root),
                hint=f"{_HINT}, or a plain folder of distributions with `--site`",
            )
        )
    named = _named_library(interpreter) or _own_library(root)
    conda = disk.is_folder(root / "conda-meta")
    return Ground(
        root=root,
        kind=EnvironmentKind.CONDA if conda else EnvironmentKind.PREFIX,
        library=_choose(root, libraries, named),
        prefix=root,
    )


def read_plain_ground(folder: Path, environment: Ground | None) -> Ground:
    """Describe the plain folder ``folder``; ``environment``: the one that will import from it.

    Without one, a folder ``…/lib/pythonX.Y/site-packages`` says it by its own path.
    """
    parts = folder.parts
    library = None if environment is None else environment.library
    if library is None and _SITE_FOLDER.fullmatch(parts[-1]) and len(parts) > 1:
        library = Library.parse(parts[-2])
    return Ground(
        root=folder,
        kind=EnvironmentKind.FOLDER,
        library=library,
        configuration=None if environment is None else environment.configuration,
        prefix=None if environment is None else environment.prefix,
    )


def _virtual(root: Path, configuration: Configuration) -> Ground:
    libraries = find_libraries(root)
    if not libraries:
        raise UnreadableError(
            Problem(
                message=f"`{root}` has no `lib/pythonX.Y` folder",
                at=str(root / "lib"),
                hint="the environment is damaged: make it anew with `uv venv`",
            )
        )
    stated = ".".join((configuration.version or "").split(".")[:2])
    stated_libraries = [library for library in libraries if library.minor == stated]
    library = _choose(root, stated_libraries or libraries, _own_library(root))
    return Ground(
        root=root,
        kind=EnvironmentKind.VENV,
        library=library,
        configuration=configuration,
        prefix=_base_prefix(root, configuration, library),
    )


def _choose(root: Path, libraries: Iterable[Library], named: Library | None) -> Library:
    libraries = tuple(libraries)
    if named is not None:
        libraries = tuple(found for found in libraries if found == named) or libraries
    if len(libraries) > 1:
        names = ", ".join(library.name for library in libraries)
        raise UnreadableError(
            Problem(
                message=f"`{root}` has library folders of several interpreters: {names}",
                at=str(root / "lib"),
                hint="name the interpreter that is meant with `--python`",
            )
        )
    return libraries[0]


def _named_library(interpreter: Path | None) -> Library | None:
    """Tell the version by the name of an interpreter, or of the file that it is a link to."""
    if interpreter is None:
        return None
    real = disk.real_path(interpreter)
    return Library.parse(interpreter.name) or Library.parse(real.name)


def _own_library(root: Path) -> Library | None:
    own = find_interpreter(root)
    return None if own is None else _named_library(root / own)


def base_library(ground: Ground) -> Library | None:
    """Return which version the base interpreter is *now*: ``bin/python`` may lead to another one.

    ``None`` where the base is not there, or no name tells.
    """
    own = find_interpreter(ground.root)
    found = None if own is None else Library.parse(disk.real_path(ground.root / own).name)
    if found is not None and disk.is_file(ground.root / (own or "")):
        return found
    return _named_library(ground.base)


def _base_prefix(root: Path, configuration: Configuration, library: Library) -> Path | None:
    """Return the base interpreter's prefix: where its standard library is found."""
    candidates: list[Path] = []
    if configuration.base_folder is not None and configuration.base_folder.startswith("/"):
        candidates = [
            Path(configuration.base_folder).parent,
            disk.real_path(Path(configuration.base_folder)).parent,
        ]
    own = find_interpreter(root)
    if own is not None:
        candidates.append(disk.real_path(root / own).parent.parent)
    return next(
        (path for path in candidates if find_standard_library(path, library) is not None), None
    )
