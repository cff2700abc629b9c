"""The one root of all exceptions: something could not be judged, and the caller is told why."""

from dataclasses import dataclass

from envaudit.exits import Exit


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that stood in the way, as data: one sentence, where, and what to do about it."""

    message: str
    at: str | None = None
    """Where: a path, or ``path:line:column``."""
    hint: str | None = None
    excerpt: str | None = None
    """The offending line and a caret line under it, for text files."""


class EnvauditError(Exception):
    """Could not judge. Carries its problems as data and knows its exit code.

    What is wrong *inside* an audited environment is never raised: it is a finding.
    """

    exit = Exit.UNKNOWN

    def __init__(self, *problems: Problem) -> None:
        """Keep ``problems`` (at least one) for the report's ``errors``."""
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = problems


class UnreadableError(EnvauditError):
    """An environment, a snapshot, a needed file or uv's answer could not be read: exit 3."""


class UsageError(EnvauditError):
    """The call itself is off: an unknown name, a path of the wrong kind, a bad option: exit 2."""

    exit = Exit.USAGE


class PolicyError(EnvauditError):
    """Policies that do not load. Carries every problem of every file at once: exit 2."""

    exit = Exit.USAGE


class BusyError(EnvauditError):
    """Another change is under way, or a lock was not to be had in time: exit 75."""

    exit = Exit.BUSY
