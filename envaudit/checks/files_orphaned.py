"""The check ``files-orphaned``: importable files that no distribution brought."""

from collections.abc import Mapping

from envaudit.checks.remedies import count, know
from envaudit.model.distribution import Distribution
from envaudit.model.files import Orphan
from envaudit.model.finding import Clear, Explanation, Finding, Severity
from envaudit.model.subject import Subject

CODE = "files-orphaned"

EXPLANATION = Explanation(
    code=CODE,
    meaning="A module can be imported here, and no distribution's RECORD lists it.",
    why=(
        "An install that was killed leaves modules without a record; an upgrade by two tools "
        "leaves a compiled module of the old version, which Python prefers to new source. "
        "Nothing will ever upgrade or remove such a file. It may also be somebody's own work, or "
        "have been planted."
    ),
    repair=(
        "Find out what it is. If it is not yours, remove it by name, and reinstall what it lies in."
    ),
)


_OF_THE_SYSTEM = "lib/python3/dist-packages/"
"""Debian's, which fills it with much that has no RECORD: its own database tells what that is."""


class FilesOrphaned:
    """Judges importable files without an owner."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return an error for what Python prefers to a distribution's own code, else a warning."""
        if subject.files is None:
            return ()
        distributions = subject.snapshot.by_folder()
        lost = frozenset(subject.baseline.by_name() if subject.baseline else ()) - frozenset(
            subject.installed
        )
        return tuple(_judge(orphan, distributions, lost) for orphan in subject.files.orphans)


def _judge(
    orphan: Orphan, distributions: Mapping[str, Distribution], lost: frozenset[str]
) -> Finding:
    records = [know(folder, distributions) for folder in orphan.within]
    inside = " and ".join(f"`{record.label}`" for record in records[:3])
    what = f" ({count(orphan.files, 'module')})" if orphan.files > 1 else ""
    message = f"no distribution brought `{orphan.path}`{what}"
    if records:
        message += f", which lies in the package of {inside}"
    base = orphan.path.rpartition("/")[2].partition(".")[0].lower().replace("_", "-")
    compiled = bool(records) and orphan.extension
    error = compiled or (bool(records) and orphan.hides is not None)
    alone = Severity.WARNING
    if not records and orphan.path.startswith(_OF_THE_SYSTEM):
        alone = Severity.INFO
    return Finding(
        code=CODE,
        severity=Severity.ERROR if error else alone,
        distributions=tuple(sorted({record.name for record in records if record.name})),
        message=message,
        evidence=() if orphan.hides is None else (f"hides: {orphan.hides}",),
        # What may be somebody's own work is not offered to be deleted.
        remedies=(Clear(paths=(orphan.path,)),) if compiled or base in lost else (),
    )
