"""What a stash can bring back, and whether an environment has what was stashed."""

from pathlib import Path

from envaudit.doors import disk, ownership
from envaudit.doors.disk import DiskError
from envaudit.doors.packing import digest_file_at, measure_member
from envaudit.doors.tree import list_states
from envaudit.model.bundle import Stashed
from envaudit.model.journal import FileStates


def find_changed(root: Path, stashed: Stashed) -> tuple[str, ...]:
    """Return the paths that do not hold what was stashed of them, or not for the same people."""
    changed: list[str] = []
    modes = dict(stashed.modes)
    try:
        with disk.open_folder(root) as environment:
            for path, digest in stashed.files:
                try:
                    found, mode = measure_member(environment, path)
                    if found != digest or modes.get(path, mode) != mode:
                        changed.append(path)
                except DiskError:
                    changed.append(path)
    except DiskError:
        return tuple(path for path, _ in stashed.files)
    return tuple(changed)


def holds(root: Path, path: str, digest: str) -> bool:
    """Return whether the file ``path`` of the environment at ``root`` has ``digest``."""
    try:
        with disk.open_folder(root) as environment:
            return measure_member(environment, path)[0] == digest
    except DiskError:
        return False


def is_whole(stashed: Stashed) -> bool:
    """Return whether the wheel is there as it was packed."""
    path = Path(stashed.path)
    if ownership.find_fault_of_state(path.parent.parent, path.parent) is not None:
        return False
    try:
        return digest_file_at(path) == stashed.digest
    except DiskError:
        return False


def find_taken(root: Path, aside: Path, before: FileStates) -> tuple[str, ...]:
    """Return the files that lie ``aside``, were in the environment ``before``, and are gone there.

    One that was moved keeps its size and its time; its inode where the file system is the same.
    """
    try:
        with disk.open_folder(aside) as folder:
            found = list_states(folder)
    except DiskError:
        return ()
    return tuple(
        path
        for path, state in sorted(found.items())
        if state
        and before.get(path, "").split()[1:] == state.split()[1:]
        and not disk.has_entry(root / path)
    )
