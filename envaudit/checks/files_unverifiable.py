"""The check ``files-unverifiable``: of some files, RECORD does not say what they should be."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from envaudit.checks.remedies import count, know, reinstall
from envaudit.model.distribution import Distribution
from envaudit.model.files import Files, Manifest, ManifestState
from envaudit.model.finding import Explanation, Finding, Severity
from envaudit.model.inspection import Inspection
from envaudit.model.layout import Scope
from envaudit.model.subject import Subject

CODE = "files-unverifiable"
_SHOWN = 5

EXPLANATION = Explanation(
    code=CODE,
    meaning=(
        "Files could not be compared with anything: their distribution has no RECORD, one that is "
        "not in order, or one without digests."
    ),
    why=(
        "Such files are not known to be sound, and are not counted as verified. A RECORD that is "
        "damaged also keeps installers from removing or upgrading its distribution."
    ),
    repair=(
        "Reinstall the distribution where its RECORD is damaged. Where a wheel has no digests, "
        "`envaudit snapshot --files` records them, and later runs compare with that."
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesUnverifiable:
    """Judges what the lists of files do not tell."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return one finding for each record that is not in order, and one for all other files."""
        if subject.files is None or subject.files.inspection is None:
            return ()
        inspection = subject.files.inspection
        chosen = {tally.record for tally in inspection.tallies}
        distributions = subject.snapshot.by_folder()
        findings = [
            _finding(manifest, said, distributions)
            for manifest in subject.files.manifests
            if (said := _fault(manifest)) is not None
            and (manifest.folder in chosen or manifest.state is not ManifestState.READ)
        ]
        findings += _unhashed(inspection, distributions)
        findings += _listless(subject, subject.files)
        return tuple(findings)


def _fault(manifest: Manifest) -> str | None:
    """Return what is wrong with a whole RECORD, as a predicate."""
    match manifest.state:
        case ManifestState.ABSENT:
            return "is not there"
        case ManifestState.UNREADABLE:
            return manifest.reason or "cannot be read"
        case ManifestState.READ if manifest.fault_count:
            return f"is not in order in {count(manifest.fault_count, 'line')}"
        case ManifestState.READ:
            return None if manifest.rows else "is empty"


def _finding(manifest: Manifest, said: str, distributions: Mapping[str, Distribution]) -> Finding:
    record = know(manifest.folder, distributions)
    return Finding(
        code=CODE,
        severity=Severity.WARNING if record.owner is None else Severity.INFO,
        distributions=record.names,
        message=f"RECORD of `{record.label}` {said}, so its files cannot all be verified",
        evidence=tuple(f"line {fault.line}: {fault.reason}" for fault in manifest.faults[:_SHOWN]),
        remedies=reinstall(record),
    )


def _unhashed(
    inspection: Inspection, distributions: Mapping[str, Distribution]
) -> Iterator[Finding]:
    """Yield one info for all rows without a digest."""
    tallies = [tally for tally in inspection.tallies if tally.unverifiable]
    if not tallies:
        return
    number = count(sum(tally.unverifiable for tally in tallies), "file")
    names = {name for tally in tallies for name in know(tally.record, distributions).names}
    yield Finding(
        code=CODE,
        severity=Severity.INFO,
        distributions=tuple(sorted(names)),
        message=f"{number} of {count(len(tallies), 'distribution')} have no digest in RECORD",
    )


def _listless(subject: Subject, files: Files) -> Iterator[Finding]:
    """Yield one info for all distributions that, by their form, have no RECORD at all."""
    listed = {manifest.folder for manifest in files.manifests}
    names = {
        record.name
        for record in subject.snapshot.distributions
        if record.scope is Scope.OWN and record.folder not in listed
    }
    if names:
        number = count(len(names), "distribution")
        yield Finding(
            code=CODE,
            severity=Severity.INFO,
            distributions=tuple(sorted(names)),
            message=f"{number} of an old form, or linked as a whole, have no digests at all",
        )
