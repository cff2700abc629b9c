"""What a stash can bring back, and whether an environment has what was stashed."""

from pathlib import Path

from envaudit.doors import disk, ownership
from envaudit.doors.disk import DiskError
from envaudit.doors.packing import digest_file_at, digest_member
from envaudit.model.bundle import Stashed


def find_changed(root: Path, stashed: Stashed) -> tuple[str, ...]:
    """Return the paths that do not hold what was stashed of them."""
    changed: list[str] = []
    try:
        with disk.open_folder(root) as environment:
            for path, digest in stashed.files:
                try:
                    if digest_member(environment, path) != digest:
                        changed.append(path)
                except DiskError:
                    changed.append(path)
    except DiskError:
        return tuple(path for path, _ in stashed.files)
    return tuple(changed)


def is_whole(stashed: Stashed) -> bool:
    """Return whether the wheel is there as it was packed."""
    path = Path(stashed.path)
    if ownership.find_fault_of_state(path.parent.parent, path.parent) is not None:
        return False
    try:
        return digest_file_at(path) == stashed.digest
    except DiskError:
        return False
