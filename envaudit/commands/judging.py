"""What the commands that judge have in common: by which policies, and what makes a run fail."""

from collections.abc import Iterable
from dataclasses import dataclass

from envaudit.commands.surroundings import Surroundings
from envaudit.exits import Exit
from envaudit.model.finding import Finding, Severity
from envaudit.model.policy import Policy
from envaudit.model.report import FailOn, Verdict
from envaudit.readers.policies import load_policies


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """By what is judged: the policies asked for, and from when on it fails."""

    paths: tuple[str, ...] = ()
    """Policy files and folders that the user names."""
    builtin: bool = True
    fail_on: FailOn = FailOn.ERROR

    def policies(self, surroundings: Surroundings) -> tuple[Policy, ...]:
        """Load the policies.

        Raises:
            PolicyError: with every problem of every file.
        """
        return load_policies(
            tuple(surroundings.folder / path for path in self.paths), builtin=self.builtin
        )


def verdict_of(findings: Iterable[Finding], fail_on: FailOn) -> tuple[Verdict, Exit]:
    """Return the verdict and the exit code of ``findings``."""
    fatal = {Severity.ERROR, Severity.WARNING} if fail_on is FailOn.WARNING else {Severity.ERROR}
    if not any(finding.severity in fatal and finding.counts for finding in findings):
        return Verdict.PASS, Exit.PASS
    return Verdict.FAIL, Exit.PASS if fail_on is FailOn.NEVER else Exit.FINDINGS
