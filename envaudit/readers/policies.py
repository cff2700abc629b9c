"""Policies from TOML files: the built-in pack and the files that a user names.

A file that does not load is told with everything that is wrong in it, and so is every other file of
the same call: whoever writes policies wants one list, not one mistake a run.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from envaudit.doors import disk
from envaudit.model.errors import PolicyError, Problem
from envaudit.model.policy import Policy
from envaudit.readers.policy_file import LIMIT, parse_policy
from envaudit.readers.skim import skim_policy

_ROOM = disk.real_path(Path(__file__)).parent.parent


def builtin_pack() -> Path:
    """Return the folder of the built-in pack: inside the package, or at a checkout's root."""
    inside = _ROOM / "policies"
    return inside if disk.is_folder(inside) else _ROOM.parent / "policies"


def is_builtin(path: Path) -> bool:
    """Return whether ``path`` (without links) is a file of the built-in pack."""
    return path.parent == disk.real_path(builtin_pack())


def load_policies(
    paths: Sequence[Path] = (), *, builtin: bool = True, installed: frozenset[str] | None = None
) -> tuple[Policy, ...]:
    """Load the built-in pack, unless told not to, and then ``paths``: files, or folders of them.

    ``installed``: with it, rules of the pack that no such name concerns are not read further.

    Raises:
        PolicyError: with every problem of every file.

    >>> [policy.name for policy in load_policies() if policy.name == "flashinfer"]
    ['flashinfer']
    >>> load_policies(builtin=False)
    ()
    """
    problems: list[Problem] = []
    policies: list[Policy | None] = []
    for path in _files_of(builtin_pack(), problems) if builtin else ():
        shown = f"policies/{path.name}"
        content = _read(path, shown, problems)
        if content is not None:
            policies.append(_parse_builtin(content, shown, installed, problems))
    for path in dict.fromkeys(disk.real_path(file) for file in _files(paths, problems)):
        if builtin and is_builtin(path):
            continue  # it judges already
        content = _read(path, str(path), problems)
        if content is not None:
            policies.append(parse_policy(content, str(path), problems))
    if problems:
        raise PolicyError(*problems)
    return tuple(policy for policy in policies if policy is not None)


def _parse_builtin(
    content: bytes, shown: str, installed: frozenset[str] | None, problems: list[Problem]
) -> Policy | None:
    policy = (
        parse_policy(content, shown, problems)
        if installed is None
        else skim_policy(content, shown, installed, problems)
    )
    return None if policy is None else replace(policy, builtin=True)


def _files(paths: Iterable[Path], problems: list[Problem]) -> Iterator[Path]:
    """Yield the files that ``paths`` name, and those in the folders that they name."""
    for path in paths:
        if disk.is_folder(path):
            yield from _files_of(path, problems)
        else:
            yield path


def _files_of(folder: Path, problems: list[Problem]) -> tuple[Path, ...]:
    try:
        with disk.open_folder(folder) as opened:
            names = [name for name in opened.names() if name.endswith(".toml")]
    except disk.DiskError as error:
        problems.append(Problem(message=f"policy folder `{folder}` {error.reason}", at=str(folder)))
        return ()
    if not names:
        problems.append(
            Problem(
                message=f"policy folder `{folder}` holds no `.toml` file",
                at=str(folder),
                hint="name a policy file, or a folder with some",
            )
        )
    return tuple(folder / name for name in names)


def _read(path: Path, shown: str, problems: list[Problem]) -> bytes | None:
    try:
        return disk.read_file(path, limit=LIMIT)
    except disk.DiskError as error:
        absent = isinstance(error, disk.AbsentError)
        hint = "correct its name, or begin it with `envaudit policy add`" if absent else None
        problems.append(Problem(message=f"policy `{shown}` {error.reason}", at=shown, hint=hint))
        return None
