"""The check ``files-missing``: RECORD lists what is not on disk."""

from collections.abc import Mapping

from envaudit.checks.remedies import Record, count, holds_code, know, owned, reinstall, some
from envaudit.model.distribution import Distribution
from envaudit.model.files import Manifest
from envaudit.model.finding import Explanation, Finding, Severity
from envaudit.model.layout import Owner
from envaudit.model.subject import Subject

CODE = "files-missing"

EXPLANATION = Explanation(
    code=CODE,
    meaning="Files that an installed distribution brought are not there any more.",
    why=(
        "Importing what is missing fails. Neither `pip check` nor `uv pip check` looks at files, "
        "and installing the same version again does nothing: to uv it is installed. An install "
        "that was killed, a full disk, or uninstalling another distribution with the same files "
        "leaves this."
    ),
    repair="Reinstall it: `uv pip install --reinstall-package NAME NAME==VERSION`.",
)


class FilesMissing:
    """Judges what the existence pass did not find."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return one finding for each record of which something is missing."""
        if subject.files is None:
            return ()
        distributions = subject.snapshot.by_folder()
        return tuple(
            finding
            for manifest in subject.files.manifests
            if (finding := _judge(manifest, distributions)) is not None
        )


def _judge(manifest: Manifest, distributions: Mapping[str, Distribution]) -> Finding | None:
    record = know(manifest.folder, distributions)
    # That METADATA is not there is said by `distribution-incomplete`.
    missing = tuple(path for path in manifest.missing if path != f"{manifest.folder}/METADATA")
    absent = (*missing, *manifest.dangling)
    if not absent:
        return None
    how = "is not there" if len(absent) == 1 else "are not there"
    if manifest.dangling:
        how += f", {len(manifest.dangling)} of them a link to nowhere"
    return Finding(
        code=CODE,
        severity=_severity(absent, record),
        distributions=record.names,
        message=(f"of the {count(manifest.rows, 'file')} of `{record.label}`, {len(absent)} {how}"),
        evidence=(*some(absent), *owned(record)),
        remedies=reinstall(record),
    )


def _severity(absent: tuple[str, ...], record: Record) -> Severity:
    """Return error where an import may fail: what is in no metadata folder and no script.

    Operating systems move and leave out scripts, and keep the RECORD of before: there only modules
    count.
    """
    if record.owner is Owner.SYSTEM:
        absent = tuple(path for path in absent if path.endswith((".py", ".so")))
        if not absent:
            return Severity.INFO
    return Severity.ERROR if any(holds_code(record, path) for path in absent) else Severity.WARNING
