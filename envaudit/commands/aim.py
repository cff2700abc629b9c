"""The environment that is meant, as uv is asked about it, and the uv that is asked."""

import shlex
from dataclasses import dataclass, replace
from pathlib import Path

from envaudit.commands.surroundings import Surroundings
from envaudit.doors import disk
from envaudit.model.errors import Problem, UnreadableError, UsageError
from envaudit.model.request import Installer, Request
from envaudit.model.snapshot import Snapshot
from envaudit.readers import host
from envaudit.readers.ground import Ground, read_ground
from envaudit.uv.binary import Uv, find_named, find_named_uv, find_uv, refuse_replaceable
from envaudit.uv.pip import Pip
from envaudit.uv.prefix import Prefix


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """What uv is asked about, and what a person should know of that beforehand."""

    prefix: Prefix
    notes: tuple[str, ...]


def aim(surroundings: Surroundings, snapshot: Snapshot) -> Aim:
    """Return what uv is asked about; ``snapshot``: the environment as it was read.

    Raises:
        UnreadableError: there is no environment, or its interpreter is not there.
    """
    target = surroundings.target()
    ground = read_ground(target.root, interpreter=target.interpreter)
    if ground.base is None:
        raise UnreadableError(
            Problem(
                message=f"the interpreter of `{ground.root}` is not there, so uv cannot be asked",
                at=str(ground.root),
                hint="rebuild the environment, or repair `home` in its `pyvenv.cfg`",
            )
        )
    return Aim(prefix=Prefix(root=ground.root, base=ground.base), notes=_starting(ground, snapshot))


def _starting(ground: Ground, snapshot: Snapshot) -> tuple[str, ...]:
    """Say what uv runs of an environment that stands on its own interpreter."""
    return () if ground.configuration is not None else (starts(snapshot, str(ground.base)),)


def starts(snapshot: Snapshot, interpreter: str) -> str:
    """Say what runs when an environment's own interpreter is started.

    Raises:
        UnreadableError: that is not known, so it must not be started.
    """
    for part in snapshot.unreadable:
        if not part.folder.endswith((".dist-info", ".egg-info")):
            raise UnreadableError(
                Problem(
                    message=(
                        "the environment's interpreter is not started, since what runs with it is "
                        f"not known: `{part.part}` of `{part.folder}` {part.reason}"
                    ),
                    hint="repair that, or look at it by hand",
                )
            )
    hooks = ", ".join(f"`{hook.path}`" for hook in snapshot.hooks) or "no startup hook"
    return f"the environment's own interpreter `{interpreter}` is started, and with it {hooks}"


def open_uv(surroundings: Surroundings) -> Uv:
    """Return the uv that is asked; see ``find_uv``."""
    return find_uv(surroundings.variables, surroundings.folder, as_root=host.is_root())


def open_named_uv(surroundings: Surroundings, request: Request) -> Uv:
    """Return the uv that the command names; see ``find_named_uv``."""
    return find_named_uv(
        request.program, surroundings.variables, surroundings.folder, as_root=host.is_root()
    )


def open_pip(surroundings: Surroundings, request: Request) -> Pip:
    """Return the pip that the command names.

    Raises:
        UnreadableError: it is not there, or others may replace it.
    """
    path = _program(surroundings, request)
    refuse_replaceable(path, as_root=host.is_root())
    return Pip(
        program=(str(path), *request.program[1:]),
        variables=surroundings.variables,
        folder=surroundings.folder,
    )


def stand(surroundings: Surroundings, request: Request) -> Path:
    """Return the folder in which the command is carried out: uv can be told to go to another."""
    if request.installer is Installer.PIP:
        return surroundings.folder
    told = (*request.values("--directory"), surroundings.variables.get("UV_WORKING_DIR", ""))
    return surroundings.folder / told[0]


def aim_at(surroundings: Surroundings, request: Request) -> Surroundings:
    """Point the surroundings at the environment that the command itself names.

    Relative paths in the command, and the nearest ``.venv``, count from the folder in which it is
    carried out; what the gate's own ``--python`` says counts from where the gate is.

    Raises:
        UsageError: ``--python`` of the gate and of the command name two.
        UnreadableError: the command's own program is not there.
    """
    named = _named(surroundings, request)
    there = replace(surroundings, folder=stand(surroundings, request))
    if named is None:
        if surroundings.python is not None:
            return surroundings
        if request.has("--system"):
            there = replace(there, variables={**there.variables, "UV_SYSTEM_PYTHON": "1"})
        return _from_where(surroundings, there)
    aimed = _from_where(surroundings, replace(there, python=named))
    if surroundings.python is not None and surroundings.root() != aimed.root():
        raise UsageError(
            Problem(
                message=(
                    f"`--python {surroundings.python}` of the gate and `{named}` of the command "
                    "name two environments"
                ),
                hint="name it once, in the command",
            )
        )
    return aimed


def _from_where(surroundings: Surroundings, there: Surroundings) -> Surroundings:
    """Return ``surroundings`` that mean the environment which is meant ``there``."""
    if there.folder == surroundings.folder:
        return there
    target = there.target()
    return replace(surroundings, python=str(target.interpreter or target.root))


def _named(surroundings: Surroundings, request: Request) -> str | None:
    """Return the environment that the command names, by an option or by its own program."""
    named = request.values("--python")
    if named:
        return named[-1]
    if request.installer is Installer.PIP:
        path = _program(surroundings, request)
        return str(path) if len(request.program) > 1 else _read_interpreter(path)
    if len(request.program) > 1 and not request.has("--system"):
        return str(_program(surroundings, request))  # `python -m uv` prefers its own interpreter
    return None


def _program(surroundings: Surroundings, request: Request) -> Path:
    path = find_named(request.program[0], surroundings.variables, surroundings.folder)
    if path is None:
        shown = shlex.join(request.program)
        raise UnreadableError(
            Problem(
                message=f"the program of the command, `{shown}`, is not there",
                hint="name another one in the command, on `PATH` or by its path",
            )
        )
    return path


_LONGEST_SHEBANG = 4096


def _read_interpreter(script: Path) -> str:
    """Return the interpreter that a script names on its first line, or on the second for ``sh``.

    Installers write the second form where the path is too long or holds a blank:
    https://github.com/pypa/pip/blob/main/src/pip/_vendor/distlib/scripts.py
    """
    try:
        head = disk.head_of_file(script, limit=_LONGEST_SHEBANG).decode("utf-8", "replace")
    except disk.DiskError:
        head = ""
    first, *others = head.splitlines() or [""]
    words = _split(first.removeprefix("#!"))
    if words[:1] == ["/bin/sh"] and others:
        words = _split(others[0].removeprefix("'''exec' "))
    if words and Path(words[0]).is_absolute() and Path(words[0]).name.startswith(("py", "python")):
        return words[0]
    raise UnreadableError(
        Problem(
            message=f"`{script}` does not say by which interpreter it is run",
            at=str(script),
            hint="write `PYTHON -m pip` for `pip` in the command",
        )
    )


def _split(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:
        return []
