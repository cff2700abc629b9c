"""What an uninstall would move: no installer prints a plan for it, the names are the plan.

uv and pip look at the names alone: a version, an extra or a marker beside one changes nothing
(measured: ``small==7`` removes 1.0, and a marker that does not hold removes it too).
"""

from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from envaudit.core.redaction import redact_text
from envaudit.model.errors import Problem, UnreadableError
from envaudit.model.plan import Move
from envaudit.model.request import Request
from envaudit.model.snapshot import Snapshot
from envaudit.uv.requirement_lines import read_lines


def moves_of_uninstall(request: Request, present: Snapshot, folder: Path) -> tuple[Move, ...]:
    """Return what ``request``, given in ``folder``, would remove of what is ``present``.

    Raises:
        UnreadableError: a requirements file cannot be read, or a line names no distribution.
    """
    names = {_name(text) for text in _named(request, folder)}
    return tuple(
        Move(name=record.name, before=record.version, after=None)
        for record in present.distributions
        if record.name in names
    )


def _named(request: Request, folder: Path) -> Iterator[str]:
    yield from request.arguments
    for option in ("--requirements", "--requirement"):
        for value in request.values(option):
            for line in read_lines(folder / value, constraints=False):
                # Hashes stand behind a requirement; lines of options name nothing.
                requirement = line.partition(" --")[0].strip()
                if not requirement.startswith("--"):
                    yield requirement


def _name(text: str) -> str:
    try:
        return canonicalize_name(Requirement(text).name)
    except InvalidRequirement as error:
        raise UnreadableError(
            Problem(
                message=f"`{redact_text(text)}` does not say by a name what is to be uninstalled",
                hint="name what is to be uninstalled in the command",
            )
        ) from error
