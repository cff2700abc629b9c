"""The checks ``record-missing`` and ``record-malformed``: the list of a distribution's files."""

from collections.abc import Iterator, Mapping

from envaudit.checks.remedies import Record, count, know, owned, reinstall, replace_record
from envaudit.model.distribution import Distribution
from envaudit.model.files import Manifest, ManifestState
from envaudit.model.finding import Explanation, Finding, Severity
from envaudit.model.subject import Subject

EXPLANATIONS = (
    Explanation(
        code="record-missing",
        meaning="A distribution has no RECORD, the list of its files, or rows without a digest.",
        why=(
            "What has no list cannot be uninstalled or upgraded: uv and pip refuse, or leave two "
            "records of one distribution. Rows without a digest cannot be verified. Operating "
            "systems and conda ship distributions like that on purpose."
        ),
        repair=(
            "Reinstall the same version first, `uv pip install --reinstall-package NAME "
            "NAME==VERSION`; only then change to another one."
        ),
    ),
    Explanation(
        code="record-malformed",
        meaning="Rows of RECORD, the list of a distribution's files, are not in order.",
        why=(
            "uv cannot install or uninstall such a distribution, and Python fails to list its "
            "files. A row that leads out of the environment would delete a stranger's file when "
            "it is uninstalled; envaudit does not look at what it names."
        ),
        repair="Remove the record by hand, `rm -r PATH`, and install the distribution again.",
    ),
)


class RecordList:
    """Judges whether each distribution has a list of its files, and a sound one."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return one finding for each list that is missing, unreadable or not in order."""
        if subject.files is None:
            return ()
        distributions = subject.snapshot.by_folder()
        return tuple(
            finding
            for manifest in subject.files.manifests
            for finding in _judge(manifest, know(manifest.folder, distributions), distributions)
        )


def _judge(
    manifest: Manifest, record: Record, distributions: Mapping[str, Distribution]
) -> Iterator[Finding]:
    if manifest.state is ManifestState.ABSENT:
        if manifest.folder in distributions:  # else its METADATA is what is said to be missing
            has = "no RECORD" if manifest.reason is None else f"a RECORD that {manifest.reason}"
            yield Finding(
                code="record-missing",
                severity=Severity.WARNING if record.changeable else Severity.INFO,
                distributions=record.names,
                message=f"`{record.label}` has {has}: no installer can remove or upgrade it",
                evidence=owned(record),
                remedies=reinstall(record),
            )
    elif manifest.state is ManifestState.UNREADABLE:
        yield _malformed(record, f"RECORD of `{record.label}` {manifest.reason}", ())
    elif manifest.fault_count:
        rows = tuple(f"line {fault.line}: {fault.reason}" for fault in manifest.faults[:5])
        message = f"{count(manifest.fault_count, 'row')} in RECORD of `{record.label}`"
        verb = "is" if manifest.fault_count == 1 else "are"
        yield _malformed(record, f"{message} {verb} not in order", rows)
    if manifest.unhashed:
        verb, pronoun, was = (
            ("has", "it", "was") if manifest.unhashed == 1 else ("have", "they", "were")
        )
        yield Finding(
            code="record-missing",
            severity=Severity.INFO,
            distributions=record.names,
            message=(
                f"{count(manifest.unhashed, 'file')} of `{record.label}` {verb} no digest in "
                f"RECORD, so nothing can tell whether {pronoun} {was} changed"
            ),
        )


def _malformed(record: Record, message: str, rows: tuple[str, ...]) -> Finding:
    return Finding(
        code="record-malformed",
        severity=Severity.ERROR,
        distributions=record.names,
        message=message,
        evidence=(*rows, *owned(record)),
        remedies=replace_record(record),
    )
