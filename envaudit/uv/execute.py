"""Running uv for real. What judges never reaches this file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from envaudit.doors import process
from envaudit.uv.binary import Uv

_SECONDS = 1800.0
_LOUD = ("NO_COLOR", "UV_NO_PROGRESS")
# What is installed from the stash is decided by envaudit: of uv's variables only how, not what.
_KEPT = frozenset({"UV_LINK_MODE", "UV_LOCK_TIMEOUT", "UV_PYTHON_DOWNLOADS"})


def execute(uv: Uv, *arguments: str) -> process.Completed:
    """Run uv with ``arguments`` to its end.

    Raises:
        UnreadableError: it cannot be started, or runs for over half an hour.
    """
    return uv.run(*arguments, seconds=_SECONDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """Runs uv, and lets it hold the lock of the environment as long as it lives."""

    uv: Uv
    variables: Mapping[str, str]
    """The caller's: whether uv shows progress and colour is theirs to say."""
    root: Path
    """The environment."""
    python: str
    """The same, for ``--python``."""
    holding: int
    """The lock's descriptor."""

    def carry_out(self, words: Sequence[str]) -> int:
        """Run uv with the ``words`` of a judged command, and return its exit code."""
        kept = {name: value for name, value in self.uv.variables.items() if name not in _LOUD}
        kept |= {name: self.variables[name] for name in _LOUD if name in self.variables}
        return self._watch(words, kept)

    def run(self, words: Sequence[str]) -> int:
        """Run uv with ``words``, configured as the caller has it, and return its exit code."""
        return self._watch(words, self.uv.variables)

    def run_alone(self, words: Sequence[str]) -> int:
        """Run uv with ``words``, past what configures it, and return its exit code.

        What is installed is envaudit's to say then; of uv's variables only those count that say
        how, not what.
        """
        return self._watch(words, self._own())

    def _own(self) -> dict[str, str]:
        return {
            name: value
            for name, value in self.uv.variables.items()
            if not name.startswith("UV_") or name in _KEPT
        }

    def _watch(self, words: Sequence[str], variables: Mapping[str, str]) -> int:
        return process.watch(
            (str(self.uv.path), *words),
            environment=variables,
            folder=self.uv.folder,
            holding=self.holding,
        )
