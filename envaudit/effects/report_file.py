"""Files that a report brings: its own text for `-o`, a plan, a patch, what the next run may use."""

from pathlib import Path

from envaudit.doors import disk_write
from envaudit.model.report import Kept


def keep_report(path: Path, text: str) -> None:
    """Write the rendered report to ``path``, whose folder must be there.

    Raises:
        UnreadableError: it cannot be written; what stood there still stands.
    """
    disk_write.sweep(path.parent, path.name)
    disk_write.write_named(path, text.encode("utf-8", "backslashreplace"))


def keep_patch(kept: Kept) -> None:
    """Write a patch, byte for byte what was read.

    Raises:
        UnreadableError: it cannot be written; what stood there still stands.
    """
    disk_write.sweep(kept.path.parent, kept.path.name)
    disk_write.write_named(kept.path, kept.text.encode("utf-8", "surrogateescape"))


def keep_plan(kept: Kept) -> None:
    """Write a plan, for its owner and group alone: whoever may write to it decides what is done.

    Raises:
        UnreadableError: it cannot be written; what stood there still stands.
    """
    disk_write.sweep(kept.path.parent, kept.path.name)
    disk_write.replace_file(kept.path, kept.text.encode("ascii"), private=True)


def keep_state(kept: Kept) -> None:
    """Write what spares the next run work, on an environment's shelf in the state directory.

    Raises:
        UnreadableError: it cannot be written, or others may write there too; what stood there still
            stands.
    """
    disk_write.make_shelf(kept.path.parent.parent, kept.path.parent)
    disk_write.sweep(kept.path.parent, kept.path.name)
    disk_write.replace_file(kept.path, kept.text.encode("ascii"), private=True)
