"""The check ``files-unverifiable``: files of which nothing says what they should be."""

from collections.abc import Iterator
from dataclasses import dataclass

from envaudit.checks.deviations import digests_before
from envaudit.checks.remedies import count, know
from envaudit.model.files import Files
from envaudit.model.finding import Explanation, Finding, Severity
from envaudit.model.inspection import Inspection
from envaudit.model.layout import Scope
from envaudit.model.subject import Subject

CODE = "files-unverifiable"

EXPLANATION = Explanation(
    code=CODE,
    meaning=(
        "Files could not be compared with anything: their distribution has no RECORD by its form "
        "(`.egg-info`), or digests of a kind that Python does not know, or none where the baseline "
        "has none either."
    ),
    why="They are not known to be sound, and are not counted as verified.",
    repair=(
        "`envaudit snapshot --files` records what is there, and later runs compare with that; or "
        "install the distribution again from a wheel."
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesUnverifiable:
    """Judges what no list of files tells. RECORDs that are damaged are another check's."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return an info each for digests of an unknown kind, none in the baseline, and no list."""
        if subject.files is None or subject.files.inspection is None:
            return ()
        inspection = subject.files.inspection
        return (
            *_unknown(subject, inspection),
            *_unrecorded(subject, inspection),
            *_listless(subject, subject.files),
        )


def _unknown(subject: Subject, inspection: Inspection) -> Iterator[Finding]:
    tallies = [tally for tally in inspection.tallies if tally.unknown]
    distributions = subject.snapshot.by_folder()
    if tallies:
        number = count(sum(tally.unknown for tally in tallies), "file")
        names = {name for tally in tallies for name in know(tally.record, distributions).names}
        yield _info(tuple(sorted(names)), f"{number} have digests of a kind that is not known")


def _unrecorded(subject: Subject, inspection: Inspection) -> Iterator[Finding]:
    """Say of how many files a baseline that recorded digests, as RECORD, has none."""
    before = digests_before(subject)
    if before is None:
        return
    numbers = {
        tally.record: number
        for tally in inspection.tallies
        if (number := sum(before.get(one.path) is None for one in tally.unhashed))
    }
    if numbers:
        distributions = subject.snapshot.by_folder()
        names = {name for record in numbers for name in know(record, distributions).names}
        total = sum(numbers.values())
        verb = "has" if total == 1 else "have"
        message = f"{count(total, 'file')} {verb} no digest in RECORD, and none in the baseline"
        yield _info(tuple(sorted(names)), message)


def _listless(subject: Subject, files: Files) -> Iterator[Finding]:
    listed = {manifest.folder for manifest in files.manifests}
    names = {
        record.name
        for record in subject.snapshot.distributions
        if record.scope is Scope.OWN and record.folder not in listed
    }
    if names:
        number = count(len(names), "distribution")
        message = f"{number} of an old form, or linked as a whole, have no digests at all"
        yield _info(tuple(sorted(names)), message)


def _info(names: tuple[str, ...], message: str) -> Finding:
    return Finding(code=CODE, severity=Severity.INFO, distributions=names, message=message)
