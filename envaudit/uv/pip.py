"""What pip would do: ``pip install --dry-run --report -``, read with care.

pip runs in the environment's own interpreter, startup hooks and all. It builds what is no wheel,
which runs code, so that is refused beforehand; ``--only-binary`` alone does not keep it from source
trees.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from packaging.utils import canonicalize_name

from envaudit.core.redaction import find_secrets, redact_text
from envaudit.core.understand import compose
from envaudit.doors import process
from envaudit.model.distribution import PLANNED, Distribution
from envaudit.model.errors import Problem, UnreadableError
from envaudit.model.plan import Answer, Candidate, Move, Refused, Resolved
from envaudit.model.request import Request
from envaudit.model.snapshot import Snapshot
from envaudit.uv.ask import in_one_line
from envaudit.uv.pip_sources import demand_wheels

_REPLACED = frozenset({"--dry-run", "--report", "--quiet", "--verbose", "--yes", "--log"})
_ASKING = ("--dry-run", "--report", "-", "--quiet", "--no-input", "--disable-pip-version-check")
_WHEELS_ONLY = ("--only-binary", ":all:")
_NO_SOLUTION = re.compile(r"No matching distribution found|ResolutionImpossible")
# Without its index pip finds no distribution either, and that is no word about the command.
_NOT_REACHED = re.compile(r"connection broken by")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pip:
    """The pip that a command starts."""

    program: tuple[str, ...]
    """Its first word is an absolute path."""
    variables: Mapping[str, str]
    folder: Path


def ask_pip(
    pip: Pip,
    request: Request,
    present: Snapshot,
    *,
    seconds: float,
    more: Candidate | None = None,
    build: bool = False,
) -> Answer:
    """Ask pip what ``request``, with what ``more`` adds, would move.

    Raises:
        UnreadableError: pip did not answer in time, or not in the way that is understood, or
            something would have to be built.
    """
    if not build:
        demand_wheels(request, pip.folder)
    options = [*_ASKING, *(() if build else _WHEELS_ONLY)]
    requirements = () if more is None else more.requirements
    if more is not None:
        options += [word for url in more.urls for word in ("--extra-index-url", url)]
    command = compose(request, without=_REPLACED, options=options, arguments=requirements)
    words = command[len(request.program) :]
    answer = process.run(
        (*pip.program, *words), environment=pip.variables, folder=pip.folder, seconds=seconds
    )
    said = redact_text(answer.messages, find_secrets(pip.variables, command)).strip()
    at = pip.program[0]
    if answer.code == 0:
        resolved = _parse(answer.output, present, at)
        return _refuse_doubles(resolved) if request.has("--ignore-installed") else resolved
    unreached = _NOT_REACHED.search(said) is not None
    if _NO_SOLUTION.search(said) and not answer.output.strip() and not unreached:
        return Refused(reason=said)
    raise UnreadableError(
        Problem(
            message=f"pip could not answer (exit code {answer.code}): {in_one_line(said)}", at=at
        )
    )


def _refuse_doubles(resolved: Resolved) -> Answer:
    for move in resolved.moves:
        if move.before is not None and move.before != move.after:
            return Refused(
                reason=f"`--ignore-installed` installs {move.name} {move.after} over {move.before} "
                "without removing that: both would be there"
            )
    return resolved


def _parse(text: str, present: Snapshot, at: str) -> Resolved:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        document = None
    match document:
        case {"version": "1", "install": list(items)}:
            described = tuple(sorted((_read(item, at) for item in items), key=lambda it: it.name))
        case _:
            raise _not_understood(at)
    before = {record.name: record.version for record in present.distributions}
    return Resolved(
        moves=tuple(
            Move(name=record.name, before=before.get(record.name), after=record.version)
            for record in described
        ),
        described=described,
    )


def _read(item: object, at: str) -> Distribution:
    match item:
        case {"metadata": {"name": str(name), "version": str(version)} as metadata}:
            pass
        case _:
            raise _not_understood(at)
    requires = _texts(metadata.get("requires_dist", []), at)
    record = Distribution(
        name=canonicalize_name(name),
        spelling=name,
        version=version,
        folder=f"{PLANNED}{canonicalize_name(name)}",
        requires=requires,
    )
    extras = sorted(map(canonicalize_name, _texts(metadata.get("provides_extra", []), at)))
    return replace(record, extras=tuple(extras))


def _texts(value: object, at: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise _not_understood(at)
    texts = [text for text in value if isinstance(text, str)]
    if len(texts) != len(value):
        raise _not_understood(at)
    return tuple(texts)


def _not_understood(at: str) -> UnreadableError:
    return UnreadableError(
        Problem(
            message="pip's report is of another shape than is understood",
            at=at,
            hint="this pip may be older or newer than envaudit knows: 23.0 is the first that can",
        )
    )
