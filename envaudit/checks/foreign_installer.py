"""The check ``foreign-installer``: distributions that another tool than uv and pip looks after."""

from envaudit.checks.remedies import count
from envaudit.model.finding import Explanation, Finding, Severity
from envaudit.model.layout import Owner
from envaudit.model.subject import Subject

CODE = "foreign-installer"

EXPLANATION = Explanation(
    code=CODE,
    meaning="conda, the operating system or another tool installed some of the distributions.",
    why=(
        "Such a tool keeps lists of its own. What uv or pip changes behind its back it later "
        "overwrites, removes in part, or records twice. `envaudit fix` prints no uv command for it."
    ),
    repair="Nothing to repair. Change these distributions with the tool that owns them.",
)
_WHO = {
    Owner.CONDA: "conda",
    Owner.SYSTEM: "the operating system",
    Owner.EXTERNAL: "another tool",
}


class ForeignInstaller:
    """Judges who looks after what."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return an info for each tool that owns distributions here."""
        findings: list[Finding] = []
        for owner in Owner:
            names = {
                record.name for record in subject.snapshot.distributions if record.owner is owner
            }
            if names:
                findings.append(
                    Finding(
                        code=CODE,
                        severity=Severity.INFO,
                        distributions=tuple(sorted(names)),
                        message=f"{_WHO[owner]} looks after {count(len(names), 'distribution')}",
                    )
                )
        return tuple(findings)
