"""What ``uv sync`` would do to a project's environment, which uv chooses by itself.

``--python`` is never added: with another interpreter uv would plan another environment.
"""

import json
from dataclasses import dataclass, replace
from pathlib import Path

from envaudit.core.understand import compose
from envaudit.model.errors import Problem, UnreadableError
from envaudit.model.plan import Answer, Refused, Resolved
from envaudit.model.request import Request
from envaudit.uv.ask import ASKING, BUILDS, REPLACED, refusal
from envaudit.uv.binary import Uv
from envaudit.uv.dry_run import NO_BUILD, read_moves

_KEPT = frozenset({"--python"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Synced:
    """What ``uv sync`` would do."""

    answer: Answer
    environment: Path | None = None
    """``None``: uv refuses before it has chosen one."""
    action: str = "check"
    """What becomes of the environment itself: ``check`` (it stays), ``create``, ``replace``."""


def ask_project(uv: Uv, request: Request, *, seconds: float, build: bool) -> Synced:
    """Ask what ``request`` would do. uv starts the environment's interpreter for that.

    Raises:
        UnreadableError: uv did not answer in time, or not in the way that is understood, or a
            source tree would have to be built.
    """
    options = [*ASKING, *(() if build else (NO_BUILD,))]
    without = REPLACED - _KEPT if build else REPLACED - _KEPT | BUILDS
    command = compose(request, without=without, options=options)
    answer = uv.run(*command[len(request.program) :], seconds=seconds)
    if not answer.output.strip():
        return Synced(answer=refusal(uv, answer, build=build))
    synced = _parse(answer.output, at=str(uv.path))
    if answer.code != 0:  # an outdated lockfile under `--locked` and the like
        return replace(synced, answer=Refused(reason=answer.messages.strip()))
    return synced


def _parse(text: str, *, at: str) -> Synced:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        document = None
    match document:
        case {
            "schema": {"version": "preview"} as schema,
            "dry_run": True,
            "target": "project",
            "sync": {
                "environment": {"path": str(path)},
                "action": str(action),
                "changes": list(changes),
            },
        }:
            moves = read_moves({"schema": schema, "changes": changes, "dry_run": True}, at=at)
            return Synced(answer=Resolved(moves=moves), environment=Path(path), action=action)
        case _:
            raise UnreadableError(
                Problem(
                    message="uv's plan for the project is of another shape than is understood",
                    at=at,
                    hint="this uv may be newer than envaudit knows: report it with its version",
                )
            )
