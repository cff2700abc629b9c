"""What is in the files of an environment, inspected for any command that wants to know."""

from dataclasses import dataclass, replace
from pathlib import Path

from envaudit.commands.surroundings import Reading, Surroundings
from envaudit.doors import disk
from envaudit.model.errors import EnvauditError, Problem, UsageError
from envaudit.model.files import Files
from envaudit.model.inspection import Inspection
from envaudit.model.report import Kept
from envaudit.model.snapshot import Snapshot
from envaudit.readers import digest_cache, store
from envaudit.readers.inspection import Wish, inspect_files

UNREAD = Problem(
    message="not every file could be read, so nothing is known of the others",
    hint="run envaudit as a user who may read them",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What was found in the files, and what is to be kept for the next run."""

    files: Files
    inspection: Inspection
    whole: bool = True
    """Whether it was not interrupted."""
    remembered: tuple[Kept, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether everything was looked at, and could be read."""
        return self.whole and self.inspection.complete and not self.files.unmeasured

    def problem(self) -> Problem | None:
        """Return why it is not complete; ``None``: it is."""
        if self.complete:
            return None
        if not self.whole:
            return Problem(
                message="it was interrupted before every file was read",
                hint="run it again: what was read is not read a second time",
            )
        return UNREAD


def inspect(
    reading: Reading,
    surroundings: Surroundings,
    wish: Wish,
    *,
    baseline: Snapshot | None = None,
    cache: bool = True,
) -> Outcome:
    """Inspect the files of the environment that was read.

    What RECORD has no digest of is read where ``baseline`` has one, or ``wish`` says so. ``cache``:
    whether what did not change since an earlier run need not be read again.

    Raises:
        UsageError: a record was read, which holds no files.
    """
    if not reading.live or reading.files is None:
        raise UsageError(
            Problem(
                message=f"`{reading.source}` is a record, and holds no files that could be read",
                at=reading.source,
                hint="name the environment itself",
            )
        )
    notes: tuple[str, ...] = ()
    root, shelf = Path(reading.source), None
    if cache:
        try:
            shelf = store.shelf(surroundings.state(), disk.real_path(root))
        except EnvauditError as error:
            notes = (f"every file is read: {error}",)
    known = {} if shelf is None else digest_cache.read_cache(shelf)
    everything = wish.everything or (baseline is not None and baseline.files is not None)
    wish = replace(wish, known=known, everything=everything)
    inspected = inspect_files(root, reading.snapshot, reading.files, wish)
    remembered: tuple[Kept, ...] = ()
    forget = inspected.whole and not wish.names
    seen = inspected.known if forget else {**known, **inspected.known}
    if shelf is not None and digest_cache.differ(known, seen):
        remembered = (Kept(path=shelf / digest_cache.NAME, text=digest_cache.compose_cache(seen)),)
    return Outcome(
        files=inspected.files,
        inspection=inspected.files.inspection or Inspection(complete=False),
        whole=inspected.whole,
        remembered=remembered,
        notes=notes,
    )
