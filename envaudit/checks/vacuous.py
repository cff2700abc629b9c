"""The checks ``environment-empty`` and ``policy-none``: a pass that says less than it seems to."""

from envaudit.model.finding import Explanation, Finding, Severity
from envaudit.model.subject import Subject

EXPLANATIONS = (
    Explanation(
        code="environment-empty",
        meaning="The environment holds no distribution.",
        why="Nothing can be wrong with nothing: the pass says that there was nothing to judge.",
        repair="If you expected distributions, name the environment with `--python`.",
    ),
    Explanation(
        code="policy-none",
        meaning="No policy was in force; only the built-in checks judged.",
        why="What metadata does not say is known to policies alone.",
        repair="Leave out `--no-builtin-policies`, or name policies with `--policy`.",
    ),
)


class Vacuous:
    """Judges whether there was anything to judge, and to judge by."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return an info for an empty environment, and one where no rule was in force."""
        findings: list[Finding] = []
        if not subject.installed:
            findings.append(_info("environment-empty", "the environment holds no distribution"))
        if not subject.rules:
            findings.append(_info("policy-none", "no policy was in force"))
        return tuple(findings)


def _info(code: str, message: str) -> Finding:
    return Finding(code=code, severity=Severity.INFO, distributions=(), message=message)
