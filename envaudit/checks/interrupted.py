"""The check ``change-interrupted``: a change that began, and of which nobody knows how it ended."""

from envaudit.model.finding import Explanation, Finding, Severity
from envaudit.model.interruption import write_undoing
from envaudit.model.subject import Subject

CODE = "change-interrupted"

EXPLANATION = Explanation(
    code=CODE,
    meaning=(
        "`envaudit apply`, `restore --apply` or `fix --apply` began to change this environment and "
        "was killed, or could not put it back: its journal tells of no end. Or it is under way: "
        "whoever began it, or uv, still runs."
    ),
    why=(
        "Installs are not transactional. What uv had done by then stands, half installed "
        "distributions included, and metadata may look whole."
    ),
    repair=(
        "`envaudit restore @interrupted` says what leads back to the state before, and with "
        "`--apply` it goes there. Where the state is the one that you want, remove the journal."
    ),
)


class Interrupted:
    """Judges whether a change was left half done."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return one finding if there is such a change."""
        if subject.interruption is None:
            return ()
        begun = subject.interruption.begun
        undoing = write_undoing(subject.interruption.environment)
        if subject.interruption.under_way:
            return (_under_way(begun, subject.interruption.journal),)
        return (
            Finding(
                code=CODE,
                severity=Severity.ERROR,
                distributions=(),
                message=f"a change of this environment that began at {begun} was interrupted",
                evidence=(
                    f"journal: {subject.interruption.journal}",
                    f"by hand: `{undoing}` puts things back",
                ),
            ),
        )


def _under_way(begun: str, journal: str) -> Finding:
    return Finding(
        code=CODE,
        severity=Severity.ERROR,
        distributions=(),
        message=f"a change of this environment that began at {begun} is under way",
        evidence=(f"journal: {journal}", "by hand: wait for its end, and check again"),
    )
