"""Which environment is meant: what the user says, else what the shell says, else the nearest."""

from collections.abc import Mapping
from pathlib import Path

from envaudit.doors import disk
from envaudit.model.errors import Problem, UnreadableError

_HINT = "name an environment's folder or its interpreter with `--python`"


def locate_environment(python: str | None, variables: Mapping[str, str], folder: Path) -> Path:
    """Return the root of the environment that is meant.

    In this order: ``python`` (an environment's folder or its interpreter), ``UV_PYTHON``, the
    interpreter on ``PATH`` if ``UV_SYSTEM_PYTHON`` is set, ``VIRTUAL_ENV``, ``CONDA_PREFIX``, the
    nearest ``.venv`` from ``folder`` upward.

    Raises:
        UnreadableError: nothing is named, or what is named is no environment.
    """
    if python is not None:
        return _root_of(folder / python, "`--python`")
    if variables.get("UV_PYTHON"):
        return _root_of(folder / variables["UV_PYTHON"], "the variable `UV_PYTHON`")
    if variables.get("UV_SYSTEM_PYTHON", "").lower() in {"1", "true", "yes", "on"}:
        return _system_root(variables)
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if variables.get(name):
            return _root_of(folder / variables[name], f"the variable `{name}`")
    for parent in (folder, *folder.parents):
        if disk.is_folder(parent / ".venv"):
            return _root_of(parent / ".venv", "the nearest `.venv`")
    raise UnreadableError(
        Problem(message="no environment is named, and there is no `.venv` here", hint=_HINT)
    )


def _system_root(variables: Mapping[str, str]) -> Path:
    for name in ("python3", "python"):
        found = disk.find_program(name, variables.get("PATH"))
        if found is not None:
            return _root_of(found, "the interpreter on `PATH`")
    raise UnreadableError(
        Problem(message="`UV_SYSTEM_PYTHON` is set, and no `python3` is on `PATH`", hint=_HINT)
    )


def _root_of(path: Path, named_by: str) -> Path:
    """Return the environment of a folder or an interpreter, without resolving the user's links."""
    path = disk.absolute_path(path)
    if disk.is_folder(path):
        return path
    if not disk.is_file(path):
        raise UnreadableError(
            Problem(
                message=f"{named_by} names `{path}`, which is not there", at=str(path), hint=_HINT
            )
        )
    root = path.parent.parent
    if disk.is_file(root / "pyvenv.cfg"):
        return root
    return disk.real_path(path).parent.parent
