"""The environment that is meant, as uv is asked about it."""

from envaudit.commands.surroundings import Surroundings
from envaudit.model.errors import Problem, UnreadableError
from envaudit.readers.interpreter import read_layout
from envaudit.uv.target import Target


def aim(surroundings: Surroundings) -> Target:
    """Return what uv is asked about.

    Raises:
        UnreadableError: there is no environment, or its base interpreter is not there.
    """
    root = surroundings.root()
    base = read_layout(root).base
    if base is None:
        raise UnreadableError(
            Problem(
                message=f"the base interpreter of `{root}` is not there, so uv cannot be asked",
                at=str(root / "pyvenv.cfg"),
                hint="rebuild the environment, or repair `home` in its `pyvenv.cfg`",
            )
        )
    return Target(root=root, base=base)
