"""The way back as commands of uv: what is shown is what is run."""

import shlex
from collections.abc import Iterable, Sequence
from pathlib import PurePath

from envaudit.core.planner import write_requirement
from envaudit.model.declared import parse_requirement
from envaudit.model.distribution import Distribution, Origin, OriginKind
from envaudit.model.way import Source, Step, Way

_FROM_STASH = ("--no-config", "--offline", "--no-cache", "--no-index", "--link-mode", "copy")
"""From the stash and nothing else. Past the cache: what uv keeps of a file that was tampered with
must not come back. As copies, whatever `UV_LINK_MODE` says: uv refuses links into no cache."""
_OVER = ("--no-deps", "--reinstall")
_EDITABLE = "--editable"


def write_removal(names: Iterable[str], python: str) -> tuple[str, ...]:
    """Return the words after ``uv`` that uninstall ``names``."""
    return ("pip", "uninstall", "--no-config", "--python", python, "--", *names)


def write_stash_installs(steps: Iterable[Step], python: str) -> tuple[tuple[str, ...], ...]:
    """Return the words after ``uv`` that install what is stashed, one command a folder."""
    folders: dict[str, list[str]] = {}
    for step in steps:
        if step.stashed is not None:
            pin = f"{step.record.name}=={step.record.version}"
            folders.setdefault(str(PurePath(step.stashed.path).parent), []).append(pin)
    return tuple(
        (
            *("pip", "install", *_FROM_STASH, "--find-links", folder, *_OVER),
            *("--python", python, "--", *pins),
        )
        for folder, pins in sorted(folders.items())
    )


def write_uv_installs(
    steps: Iterable[Step], flags: Sequence[str], python: str
) -> tuple[tuple[str, ...], ...]:
    """Return the words after ``uv`` that install the rest; ``flags`` say from where uv may.

    What is in the cache alone is asked for without a network: an index may have forgotten it.
    """
    wanted = [step for step in steps if step.stashed is None and step.requirement is not None]
    cached = [step for step in wanted if step.source is Source.CACHE]
    direct = [step for step in wanted if step.source is Source.ORIGIN]
    others = [step for step in wanted if step.source in {Source.INDEX, Source.UNTRIED}]
    return tuple(
        (*("pip", "install", *flags, *more, *_OVER, "--python", python), *_requirements(group))
        for group, more in ((cached, ("--offline",)), (others, ()), (direct, ()))
        if group
    )


def _requirements(steps: Iterable[Step]) -> tuple[str, ...]:
    """Return what is asked for; editables last, since ``--editable`` takes the word after it."""
    plain, editable = [], []
    for step in steps:
        if step.requirement is None:
            continue
        if step.record.origin.kind is OriginKind.EDITABLE:
            editable += [_EDITABLE, step.requirement]
        else:
            plain.append(step.requirement)
    return (*editable, "--", *plain) if plain else tuple(editable)


def write_commands(
    way: Way, uv: str, flags: Sequence[str], root: PurePath
) -> tuple[tuple[str, ...], ...]:
    """Return the argument lists that go ``way``, in their order; ``uv``: how uv is called."""
    python = str(root)
    commands: list[tuple[str, ...]] = []
    if way.torn:
        commands.append(("rm", "-r", "--", *(str(root / folder) for folder in way.torn)))
    if way.removals:
        commands.append((uv, *write_removal(way.removals, python)))
    commands += [(uv, *words) for words in write_stash_installs(way.steps, python)]
    commands += [(uv, *words) for words in write_uv_installs(way.steps, flags, python)]
    return tuple(commands)


def write_shell(commands: Iterable[Sequence[str]]) -> str:
    """Return the commands as one line, quoted, ready to paste."""
    return " && ".join(shlex.join(command) for command in commands)


def write_reference(record: Distribution) -> str | None:
    """Return what uv is asked for, to have ``record`` once more; ``None``: nothing says what.

    A pin where it came from an index, else the origin that PEP 610 recorded (the value after
    ``--editable`` for an editable one). What an archive or a source tree holds may be another thing
    by now; a commit is a commit.
    """
    origin = record.origin
    if origin.kind is OriginKind.INDEX:
        return write_requirement(record.name, f"=={record.version}")
    url = _address(origin)
    if url is None:
        return None
    if origin.kind is OriginKind.EDITABLE:
        return url if url.startswith("file:///") else None
    reference = parse_requirement(f"{record.name} @ {url}")
    if reference is None or reference.url != url or reference.marker is not None:
        return None
    return f"{record.name} @ {url}"


def _address(origin: Origin) -> str | None:
    """Return the address; of version control uv knows only git."""
    if origin.url is None or any(character.isspace() for character in origin.url):
        return None
    folder = "" if origin.subdirectory is None else f"#subdirectory={origin.subdirectory}"
    match origin.kind:
        case OriginKind.VCS:
            revision = origin.revision
            return None if revision is None else f"git+{origin.url}@{revision}{folder}"
        case OriginKind.ARCHIVE | OriginKind.PATH | OriginKind.EDITABLE | OriginKind.INDEX:
            return f"{origin.url}{folder}"
