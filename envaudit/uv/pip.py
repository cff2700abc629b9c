"""What pip would do: ``pip install --dry-run --report -``, read with care.

pip runs in the environment's own interpreter, startup hooks and all. It builds what is no wheel,
which runs code, so that is refused beforehand; ``--only-binary`` alone does not keep it from source
trees.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from packaging.utils import canonicalize_name

from envaudit.core.redaction import find_secrets, redact_text
from envaudit.core.understand import compose
from envaudit.doors import disk, process
from envaudit.model.distribution import PLANNED, Distribution
from envaudit.model.errors import Problem, UnreadableError
from envaudit.model.plan import Answer, Candidate, Move, Refused, Resolved
from envaudit.model.request import Request
from envaudit.model.snapshot import Snapshot

_REPLACED = frozenset({"--dry-run", "--report", "--quiet", "--verbose", "--yes", "--log"})
_ASKING = ("--dry-run", "--report", "-", "--quiet", "--no-input", "--disable-pip-version-check")
_WHEELS_ONLY = ("--only-binary", ":all:")
_NO_SOLUTION = re.compile(r"No matching distribution found|ResolutionImpossible")
_LIMIT = disk.MEBIBYTE
_DEEPEST = 8


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
        _demand_wheels(request, pip.folder)
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
        return _parse(answer.output, present, at)
    if _NO_SOLUTION.search(said) and not answer.output.strip():
        return Refused(reason=said)
    raise UnreadableError(
        Problem(message=f"pip could not answer (exit code {answer.code}): {said}", at=at)
    )


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


def _demand_wheels(request: Request, folder: Path) -> None:
    """Refuse what pip would have to build to know its name."""
    for text in _requirements(request, folder):
        if _is_source(text):
            raise UnreadableError(
                Problem(
                    message=f"pip would build `{redact_text(text)}` to answer, which runs its code",
                    hint="allow it with `--allow-build`",
                )
            )


def _requirements(request: Request, folder: Path) -> Iterator[str]:
    yield from request.arguments
    for option in ("--editable", "--no-binary"):
        yield from (f"{option} {value}" for value in request.values(option))
    for option in ("--requirement", "--constraint"):
        for value in request.values(option):
            yield from _lines(folder / value, depth=0)


def _lines(path: Path, *, depth: int) -> Iterator[str]:
    """Yield the requirements of a file, and of those that it names."""
    try:
        text = disk.read_file(path, limit=_LIMIT).decode("utf-8", "replace")
    except disk.DiskError as error:
        raise UnreadableError(
            Problem(message=f"`{path}` {error.reason}", at=str(path), hint="name a readable file")
        ) from error
    for line in text.replace("\\\n", " ").splitlines():
        words = line.split(" #")[0].strip()
        match = re.match(r"(?:-r|--requirement|-c|--constraint)[= ]*(\S+)", words)
        if match is None:
            if words and not words.startswith("#"):
                yield words
        elif depth < _DEEPEST:
            yield from _lines(path.parent / match[1], depth=depth + 1)


def _is_source(text: str) -> bool:
    if text.startswith(("-e", "--editable", "--no-binary")):
        return True
    if text.startswith("-"):
        return False
    place = text.rpartition(" @ ")[2].partition(";")[0].strip().partition("#")[0]
    if place.endswith(".whl"):
        return False
    return "://" in place or "/" in place or place in {".", ".."}
