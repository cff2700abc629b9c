"""What uv would do: ``uv pip install --dry-run --output-format json``, read with care.

With ``--no-build``, since a dry run of a source tree executes its code.
"""

import json
import re
from collections.abc import Sequence

from packaging.utils import canonicalize_name

from envaudit.model.declared import parse_version
from envaudit.model.errors import Problem, UnreadableError
from envaudit.model.plan import Answer, Move, Refused, Resolved
from envaudit.uv.binary import Uv
from envaudit.uv.prefix import Prefix

_SECONDS = 300.0
_NO_SOLUTION = 1
NO_BUILD = "--no-build"
# The grammar of the core metadata specification.
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")


def ask_install(
    uv: Uv,
    requirements: Sequence[str],
    flags: Sequence[str],
    prefix: Prefix,
    *,
    seconds: float = _SECONDS,
) -> Answer:
    """Ask uv what installing ``requirements`` with the caller's ``flags`` would move.

    Raises:
        UnreadableError: uv did not answer, or not in the way that is understood.
    """
    answer = uv.run(
        *("pip", "install", "--dry-run", "--output-format", "json", "--quiet", NO_BUILD),
        *prefix.options,
        *flags,
        "--",
        *requirements,
        seconds=seconds,
    )
    if answer.code == _NO_SOLUTION and not answer.output.strip():
        return Refused(reason=answer.messages.strip())
    if answer.code != 0:
        raise UnreadableError(
            Problem(
                message=f"uv could not answer (exit code {answer.code}): {answer.messages.strip()}",
                at=str(uv.path),
            )
        )
    return Resolved(moves=parse_moves(answer.output, at=str(uv.path)))


def parse_moves(text: str, *, at: str) -> tuple[Move, ...]:
    """Read uv's JSON plan; see ``read_moves``.

    Raises:
        UnreadableError: it is not the plan that is understood; nothing is guessed.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _not_understood(at, "is something else") from error
    return read_moves(document, at=at)


def read_moves(document: object, *, at: str) -> tuple[Move, ...]:
    """Return the moves of a plan; rows of one name are joined into one move.

    Raises:
        UnreadableError: it is not the plan that is understood; nothing is guessed.
    """
    match document:
        case {"schema": {"version": "preview"}, "changes": list(rows), "dry_run": True}:
            pass
        case _:
            raise _not_understood(at, "is of another shape")
    before: dict[str, str] = {}
    after: dict[str, str | None] = {}
    for row in rows:
        name, version, action = _row(row, at)
        if action == "installed":
            if name in after:
                raise _not_understood(at, f"installs `{name}` twice, and is another one")
            after[name] = version
        else:
            before[name] = version or ""
    return tuple(
        Move(
            name=name,
            before=before.get(name),
            after=after.get(name),
            known=name not in after or after[name] is not None,
        )
        for name in sorted(before.keys() | after.keys())
    )


def _row(row: object, at: str) -> tuple[str, str | None, str]:
    match row:
        case {
            "name": str(name),
            "version": str(version),
            "action": "installed" | "uninstalled" as action,
        } if _NAME.fullmatch(name) and parse_version(version) is not None:
            return canonicalize_name(name), version, action
        case {"version": _}:
            raise _not_understood(at, "has a row of another shape")
        case {"name": str(name), "action": "installed" | "uninstalled" as action} if (
            _NAME.fullmatch(name)
        ):
            return canonicalize_name(name), None, action
        case _:
            raise _not_understood(at, "has a row of another shape")


def _not_understood(at: str, what: str) -> UnreadableError:
    return UnreadableError(
        Problem(
            message=f"uv's plan {what} than the JSON that is understood",
            at=at,
            hint="this uv may be newer than envaudit knows: report it with the version of uv",
        )
    )


def ask_uninstall(uv: Uv, names: Sequence[str], prefix: Prefix) -> Answer:
    """Ask uv whether it would uninstall ``names``. uv tells no plan here: the names are the plan.

    Raises:
        UnreadableError: uv did not answer.
    """
    answer = uv.run(
        *("pip", "uninstall", "--dry-run", "--quiet"),
        *prefix.options,
        "--",
        *names,
        seconds=_SECONDS,
    )
    if answer.code != 0:
        return Refused(reason=answer.messages.strip())
    return Resolved(moves=())
