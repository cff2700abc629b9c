"""The environment that is meant, as uv is asked about it, and the uv that is asked."""

from envaudit.commands.surroundings import Surroundings
from envaudit.model.errors import Problem, UnreadableError
from envaudit.model.layout import EnvironmentKind
from envaudit.model.snapshot import Snapshot
from envaudit.readers import host
from envaudit.readers.ground import read_ground
from envaudit.uv.binary import Uv, find_uv
from envaudit.uv.target import Target


def aim(surroundings: Surroundings) -> Target:
    """Return what uv is asked about.

    Raises:
        UnreadableError: there is no environment, or its base interpreter is not there.
    """
    meant = surroundings.meant()
    root = meant.root
    base = read_ground(root, interpreter=meant.interpreter).base
    if base is None:
        raise UnreadableError(
            Problem(
                message=f"the base interpreter of `{root}` is not there, so uv cannot be asked",
                at=str(root / "pyvenv.cfg"),
                hint="rebuild the environment, or repair `home` in its `pyvenv.cfg`",
            )
        )
    return Target(root=root, base=base)


def say_what_starts(snapshot: Snapshot) -> tuple[str, ...]:
    """Say what of the environment itself runs when uv is asked: nothing of a virtual one.

    An interpreter's own prefix has no base that could be started in its place.
    """
    layout = snapshot.layout
    if layout is None or layout.kind not in {EnvironmentKind.PREFIX, EnvironmentKind.CONDA}:
        return ()
    hooks = ", ".join(f"`{hook.path}`" for hook in snapshot.hooks) or "no startup hook"
    return (f"uv starts the interpreter of the environment itself, and with it {hooks}",)


def open_uv(surroundings: Surroundings) -> Uv:
    """Return the uv that is asked; see ``find_uv``."""
    return find_uv(surroundings.variables, surroundings.folder, as_root=host.is_root())
