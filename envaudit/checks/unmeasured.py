"""The check ``files-unmeasured``: the checks that look at files had nothing to look at."""

from envaudit.model.finding import Explanation, Finding, Severity
from envaudit.model.subject import Subject

CODE = "files-unmeasured"

EXPLANATION = Explanation(
    code=CODE,
    meaning="Files were not looked at, or not all of them, so checks of files said nothing.",
    why=(
        "A snapshot records distributions, not files: whether files are missing or overwritten can "
        "be seen only in the environment itself. What was not looked at is not known to be sound."
    ),
    repair="Run `envaudit check` on the environment itself.",
)


class Unmeasured:
    """Judges whether files were measured."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return one info for each part that was not measured."""
        return tuple(
            Finding(
                code=CODE,
                severity=Severity.INFO,
                distributions=(),
                message=f"files were not looked at: `{path}` {reason}",
            )
            for path, reason in (subject.files.unmeasured if subject.files else ())
        )
