"""The environment that is meant, as uv is asked about it, and the uv that is asked."""

from dataclasses import dataclass

from envaudit.commands.surroundings import Surroundings
from envaudit.model.errors import Problem, UnreadableError
from envaudit.model.snapshot import Snapshot
from envaudit.readers import host
from envaudit.readers.ground import Ground, read_ground
from envaudit.uv.binary import Uv, find_uv
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
    if ground.configuration is not None:
        return ()
    hooks = ", ".join(f"`{hook.path}`" for hook in snapshot.hooks) or "no startup hook"
    return (f"uv starts the environment's own interpreter `{ground.base}`, and with it {hooks}",)


def open_uv(surroundings: Surroundings) -> Uv:
    """Return the uv that is asked; see ``find_uv``."""
    return find_uv(surroundings.variables, surroundings.folder, as_root=host.is_root())
