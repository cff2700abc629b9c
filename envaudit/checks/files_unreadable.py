"""The check ``files-unreadable``: a file is there, and what is in it could not be told."""

from dataclasses import dataclass

from envaudit.checks.deviations import deviating, show
from envaudit.checks.remedies import count
from envaudit.model.finding import Explanation, Finding, Severity
from envaudit.model.inspection import DeviationKind
from envaudit.model.subject import Subject

CODE = "files-unreadable"

EXPLANATION = Explanation(
    code=CODE,
    meaning="A listed file could not be read, so that nothing is known of its content.",
    why=(
        "What was not read was not verified. The verdict is then unknown, and never a pass (exit "
        "code 3), unless an error was found elsewhere."
    ),
    repair=(
        "Run envaudit as a user who may read the files. A file that changed while it was read "
        "belongs to an install that is under way: run it again afterwards."
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesUnreadable:
    """Judges what could not be read."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return one finding for each record."""
        return tuple(
            Finding(
                code=CODE,
                severity=Severity.WARNING,
                distributions=case.record.names,
                message=(
                    f"{count(len(case.deviations), 'file')} of `{case.record.label}` "
                    "could not be read"
                ),
                evidence=show(case),
            )
            for case in deviating(subject, DeviationKind.UNREADABLE)
        )
