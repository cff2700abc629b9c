"""What the checks of file contents have in common: which files of whom deviate, and since when."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from envaudit.checks.remedies import Record, know
from envaudit.model.inspection import Deviation, DeviationKind, Tally
from envaudit.model.subject import Subject

_SECOND = 1_000_000_000
_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """The files of one record that deviate in one way."""

    record: Record
    tally: Tally
    deviations: tuple[Deviation, ...]


def deviating(subject: Subject, kind: DeviationKind) -> Iterator[Case]:
    """Yield the records of which files deviate as ``kind`` says; none if nothing was read."""
    inspection = None if subject.files is None else subject.files.inspection
    if inspection is None:
        return
    distributions = subject.snapshot.by_folder()
    for tally in inspection.tallies:
        found = tuple(one for one in tally.deviations if one.kind is kind)
        if found:
            yield Case(record=know(tally.record, distributions), tally=tally, deviations=found)


def digests_before(subject: Subject) -> Mapping[str, str | None] | None:
    """Return the digests that the baseline recorded, by path; ``None``: it recorded none."""
    files = None if subject.baseline is None else subject.baseline.files
    return None if files is None else {one.path: one.digest for one in files}


def show(case: Case) -> tuple[str, ...]:
    """Return the files of a case as evidence: what is the matter with each, and since when."""
    left = len(case.deviations) - _SHOWN
    more = (f"path: and {left} more",) if left > 0 else ()
    return (*(_show(one, case.tally) for one in case.deviations[:_SHOWN]), *more)


def _show(one: Deviation, tally: Tally) -> str:
    parts = [f"path: {one.path} {one.reason}"]
    if one.modified is not None:
        parts.append(f"written {_time(one.modified)}")
        if tally.installed is not None:
            parts.append(_distance(one.modified - tally.installed))
    return ", ".join(parts)


def _time(nanoseconds: int) -> str:
    """Return a time as RFC 3339 wants it, UTC, to the second."""
    try:
        moment = datetime.fromtimestamp(nanoseconds // _SECOND, UTC)
    except (OverflowError, ValueError, OSError):
        return f"{nanoseconds // _SECOND} seconds after 1970"
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def _distance(nanoseconds: int) -> str:
    """Say how long after the install a file was written."""
    seconds = nanoseconds // _SECOND
    if seconds < 0:
        return "before the install"
    for unit, length in (("day", _DAY), ("hour", _HOUR), ("minute", _MINUTE)):
        if seconds >= length:
            number = seconds // length
            return f"{number} {unit}{'' if number == 1 else 's'} after the install"
    return "within a minute of the install"
