"""Which environment is meant: what the user says, else what the shell says, else the nearest."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from envaudit.doors import disk
from envaudit.model.errors import Problem, UnreadableError
from envaudit.readers.configuration import NAME
from envaudit.readers.ground import read_ground
from envaudit.readers.python_request import PythonRequest, parse_request

_HINT = "name an environment's folder or its interpreter with `--python`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The environment, or the plain folder, that is meant."""

    root: Path
    """Absolute; links on the way to it are the user's and are kept as they are."""
    interpreter: Path | None = None
    """The interpreter by which it was named."""
    plain: bool = False
    """Whether ``root`` is a plain folder of distributions."""
    importer: "Target | None" = None
    """Of a plain folder: the environment that imports from it, if one was named."""


def locate_environment(python: str | None, variables: Mapping[str, str], folder: Path) -> Target:
    """Return the environment that is meant.

    In this order: ``python`` (an environment's folder or its interpreter), ``UV_PYTHON``, the
    interpreter on ``PATH`` if ``UV_SYSTEM_PYTHON`` is set, ``VIRTUAL_ENV``, ``CONDA_PREFIX``, the
    nearest ``.venv`` from ``folder`` upward. A ``UV_PYTHON`` that is a version request names none:
    as uv does, the first of the others that it admits is taken.

    Raises:
        UnreadableError: nothing is named, or what is named is no environment.
    """
    search_path = variables.get("PATH")
    if python is not None:
        return _named(python, folder, "`--python`", search_path)
    asked = variables.get("UV_PYTHON", "")
    request = parse_request(asked) if asked else None
    if asked and request is None:
        return _named(asked, folder, "the variable `UV_PYTHON`", search_path)
    seen: list[str] = []
    for target, named_by in _candidates(variables, folder, request):
        if request is None:
            return target
        library = read_ground(target.root, interpreter=target.interpreter).library
        if library is not None and request.admits(library):
            return target
        seen.append(f"{named_by} (`{target.root}`) is {'' if library is None else library.name}")
    if request is None:
        message = "no environment is named, and there is no `.venv` here"
    else:
        found = "; ".join(seen) or "no environment is named otherwise, and there is no `.venv` here"
        message = f"`UV_PYTHON` asks for `{request.text}`, a version and no environment: {found}"
    raise UnreadableError(Problem(message=message, hint=_HINT))


def locate_folder(
    site: str, python: str | None, variables: Mapping[str, str], folder: Path
) -> Target:
    """Return the plain folder ``site``; ``python`` names the environment that imports from it.

    Raises:
        UnreadableError: what ``python`` names is no environment.
    """
    importer = None if python is None else locate_environment(python, variables, folder)
    return Target(root=disk.absolute_path(folder / site), plain=True, importer=importer)


def _candidates(
    variables: Mapping[str, str], folder: Path, request: PythonRequest | None
) -> Iterator[tuple[Target, str]]:
    """Yield what the shell names, and then the nearest; the interpreter on ``PATH`` is alone."""
    if variables.get("UV_SYSTEM_PYTHON", "").lower() in {"1", "true", "yes", "on"}:
        yield _on_search_path(variables.get("PATH"), request), "the interpreter on `PATH`"
        return
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if variables.get(name):
            named_by = f"the variable `{name}`"
            yield _at(folder / variables[name], named_by), named_by
    for parent in (folder, *folder.parents):
        if disk.is_folder(parent / ".venv"):
            yield _at(parent / ".venv", "the nearest `.venv`"), "the nearest `.venv`"
            return


def _on_search_path(search_path: str | None, request: PythonRequest | None) -> Target:
    names = ["python3", "python"]
    if request is not None and request.specifier:
        version = str(request.specifier).removeprefix("==").removesuffix(".*")
        names.insert(0, f"{request.kind or 'python'}{version}")
    for name in names:
        found = disk.find_program(name, search_path)
        if found is not None:
            return _at(found, "the interpreter on `PATH`")
    raise UnreadableError(
        Problem(message="`UV_SYSTEM_PYTHON` is set, and no `python3` is on `PATH`", hint=_HINT)
    )


def _named(text: str, folder: Path, named_by: str, search_path: str | None) -> Target:
    """Return what ``text`` names: a path, or a program on the search path."""
    path = folder / text
    if "/" not in text and not disk.has_entry(path):
        found = disk.find_program(text, search_path)
        if found is not None:
            return _at(found, named_by)
        if parse_request(text) is not None:
            raise UnreadableError(
                Problem(
                    message=f"{named_by} is `{text}`, a version, and names no environment",
                    hint=_HINT,
                )
            )
    return _at(path, named_by)


def _at(path: Path, named_by: str) -> Target:
    """Return the environment of a folder or an interpreter, without resolving the user's links.

    An interpreter that is a link to one elsewhere belongs to where it leads, all the way: so does
    Python, which looks for ``pyvenv.cfg`` beside the link alone.
    """
    path = disk.absolute_path(path)
    if disk.is_folder(path):
        return Target(root=path)
    root = path.parent.parent
    if disk.is_file(root / NAME) and disk.has_entry(path):
        return Target(root=root, interpreter=path)  # of a virtual environment, it may be gone
    if not disk.is_file(path):
        what = "no folder and no interpreter" if disk.is_there(path) else "not there"
        raise UnreadableError(
            Problem(message=f"{named_by} names `{path}`, which is {what}", at=str(path), hint=_HINT)
        )
    if path.suffix == ".json":
        raise UnreadableError(
            Problem(
                message=f"{named_by} names `{path}`, which is a snapshot and no environment",
                at=str(path),
                hint="name it without an option: `envaudit check SNAPSHOT`, "
                "`envaudit diff SNAPSHOT`, `envaudit why DIST SNAPSHOT`",
            )
        )
    real = disk.real_path(path)
    if _is_script(real):
        raise UnreadableError(
            Problem(
                message=f"{named_by} names `{path}`, which is a script and no interpreter",
                at=str(path),
                hint="name the interpreter that the script starts",
            )
        )
    return Target(root=real.parent.parent, interpreter=real)


def _is_script(path: Path) -> bool:
    try:
        return disk.head_of_file(path, limit=2) == b"#!"
    except disk.DiskError:
        return False
