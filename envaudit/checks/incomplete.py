"""The check ``distribution-incomplete``: a record that is there and cannot be read."""

from dataclasses import dataclass

from envaudit.model.finding import Explanation, Finding, Severity
from envaudit.model.subject import Subject

CODE = "distribution-incomplete"

EXPLANATION = Explanation(
    code=CODE,
    meaning="A distribution is recorded here, and a part of its record cannot be read.",
    why=(
        "What it requires, and sometimes what it is, cannot be known; the rest of the environment "
        "was judged without it. An install that was killed leaves such records."
    ),
    repair="Reinstall it: `uv pip install --reinstall-package NAME NAME==VERSION`.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Incomplete:
    """Judges what the reader could not read."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return an error for each unreadable part of the environment."""
        return tuple(
            Finding(
                code=CODE,
                severity=Severity.ERROR,
                distributions=(),
                message=f"`{part.part}` of `{part.folder}` {part.reason}",
            )
            for part in subject.snapshot.unreadable
        )
