"""What the commands that judge have in common: by which policies, and what makes a run fail."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from envaudit.commands.surroundings import Surroundings
from envaudit.core.rulebook import configured
from envaudit.exits import Exit
from envaudit.model.configuration import Configuration
from envaudit.model.errors import Problem
from envaudit.model.finding import Finding, Severity
from envaudit.model.policy import Policy
from envaudit.model.report import FailOn, Verdict
from envaudit.readers.policies import load_policies
from envaudit.readers.settings import read_configurations


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """What judges: the policies in force, and the configurations that made them so."""

    policies: tuple[Policy, ...]
    configurations: tuple[Configuration, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """By what is judged: the policies asked for, and from when on it fails."""

    paths: tuple[str, ...] = ()
    """Policy files and folders that the user names."""
    builtin: bool = True
    fail_on: FailOn = FailOn.ERROR
    configuration: str | None = None
    """The configuration file that the user names."""

    def policies(self, surroundings: Surroundings) -> tuple[Policy, ...]:
        """Load the policies; see ``law``."""
        return self.law(surroundings).policies

    def law(self, surroundings: Surroundings, *, installed: frozenset[str] | None = None) -> Law:
        """Load the configurations and the policies that they and the user name.

        ``installed``: names to which judging is limited, so that rules of the pack about others are
        not read further; ``None``: everything is read.

        Raises:
            PolicyError: with every problem of every file.
        """
        configurations = self.configurations(surroundings)
        paths = [Path(path) for item in configurations for path in item.policies]
        policies = load_policies(
            (*paths, *(surroundings.folder / path for path in self.paths)),
            builtin=self.builtin and all(item.builtin for item in configurations),
            installed=installed,
        )
        return Law(policies=configured(policies, configurations), configurations=configurations)

    def configurations(self, surroundings: Surroundings) -> tuple[Configuration, ...]:
        """Read the configurations in force, the machine's first.

        Raises:
            PolicyError: the one that was named cannot be read, or one is not of the stated form.
        """
        named = self.configuration
        return read_configurations(
            surroundings.folder, None if named is None else surroundings.folder / named
        )


def fatal(findings: Iterable[Finding], fail_on: FailOn) -> tuple[Finding, ...]:
    """Return the findings that decide about the verdict."""
    severities = {Severity.ERROR}
    if fail_on is FailOn.WARNING:
        severities.add(Severity.WARNING)
    return tuple(item for item in findings if item.severity in severities and item.counts)


def conclude(
    findings: Iterable[Finding], fail_on: FailOn, *, unread: Problem | None = None
) -> tuple[Verdict, Exit, tuple[Problem, ...]]:
    """Return verdict, exit code and errors; ``unread``: why not all that was wished for was read.

    What was not read does not pass, and takes nothing from a failure.
    """
    if fatal(findings, fail_on):
        return Verdict.FAIL, Exit.PASS if fail_on is FailOn.NEVER else Exit.FINDINGS, ()
    if unread is None:
        return Verdict.PASS, Exit.PASS, ()
    return Verdict.UNKNOWN, Exit.UNKNOWN, (unread,)
