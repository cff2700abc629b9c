"""The check ``files-unverifiable``: files of which nothing says what they should be."""

from collections.abc import Iterator
from dataclasses import dataclass

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
        "(`.egg-info`), or digests of a kind that Python does not know."
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
        """Return one info for digests of an unknown kind, and one for lists that are not there."""
        if subject.files is None or subject.files.inspection is None:
            return ()
        unknown = _unknown(subject, subject.files.inspection)
        return (*unknown, *_listless(subject, subject.files))


def _unknown(subject: Subject, inspection: Inspection) -> Iterator[Finding]:
    tallies = [tally for tally in inspection.tallies if tally.unknown]
    distributions = subject.snapshot.by_folder()
    if tallies:
        number = count(sum(tally.unknown for tally in tallies), "file")
        names = {name for tally in tallies for name in know(tally.record, distributions).names}
        yield _info(tuple(sorted(names)), f"{number} have digests of a kind that is not known")


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
