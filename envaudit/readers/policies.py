"""Policies from TOML files: the built-in pack and the files that a user names.

A file that does not load is told with everything that is wrong in it, and so is every other file of
the same call: whoever writes policies wants one list, not one mistake a run.
"""

from collections.abc import Sequence
from pathlib import Path

from envaudit.doors import disk
from envaudit.model.errors import PolicyError, Problem
from envaudit.model.policy import Policy
from envaudit.readers.policy_file import LIMIT, parse_policy

_ROOM = disk.real_path(Path(__file__)).parent.parent


def builtin_pack() -> Path:
    """Return the folder of the built-in pack: inside the package, or at a checkout's root."""
    inside = _ROOM / "policies"
    return inside if disk.is_folder(inside) else _ROOM.parent / "policies"


def load_policies(paths: Sequence[Path] = (), *, builtin: bool = True) -> tuple[Policy, ...]:
    """Load the built-in pack, unless told not to, and then ``paths``: files, or folders of them.

    Raises:
        PolicyError: with every problem of every file.
    """
    files: list[tuple[Path, str]] = []
    problems: list[Problem] = []
    if builtin:
        pack = builtin_pack()
        files += [(path, f"policies/{path.name}") for path in _files_of(pack, problems)]
    for path in paths:
        found = _files_of(path, problems) if disk.is_folder(path) else (path,)
        files += [(file, str(file)) for file in found]
    policies = [_load(path, shown, problems) for path, shown in files]
    if problems:
        raise PolicyError(*problems)
    return tuple(policy for policy in policies if policy is not None)


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


def _load(path: Path, shown: str, problems: list[Problem]) -> Policy | None:
    try:
        content = disk.read_file(path, limit=LIMIT)
    except disk.DiskError as error:
        problems.append(
            Problem(
                message=f"policy `{shown}` {error.reason}",
                at=shown,
                hint="name an existing policy file with `--policy`",
            )
        )
        return None
    return parse_policy(content, shown, problems)
