"""Running uv for real. What judges never reaches this file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from envaudit.core.planner import write_requirement
from envaudit.doors import process
from envaudit.model.bundle import Stashed
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
    python: str
    """The environment, for ``--python``."""
    holding: int
    """The lock's descriptor."""

    def carry_out(self, command: Sequence[str], program: int) -> int:
        """Run a judged command, of which the first ``program`` words start uv; its exit code."""
        kept = {name: value for name, value in self.uv.variables.items() if name not in _LOUD}
        kept |= {name: self.variables[name] for name in _LOUD if name in self.variables}
        return self._watch(command[program:], kept)

    def uninstall(self, names: Sequence[str]) -> int:
        """Uninstall ``names``, and return uv's exit code."""
        words = ("pip", "uninstall", "--no-config", "--python", self.python, "--", *names)
        return self._watch(words, self._own())

    def install_stashed(self, folder: str, wheels: Sequence[Stashed]) -> int:
        """Install ``wheels``, which lie in ``folder``, from there alone; uv's exit code.

        Past the cache: what uv keeps of a file that was tampered with must not come back.
        """
        pins = (write_requirement(one.name, f"=={one.version}") for one in wheels)
        return self._watch(
            (
                *("pip", "install", "--no-config", "--offline", "--no-cache", "--no-index"),
                *("--find-links", folder, "--no-deps", "--reinstall", "--python", self.python),
                "--",
                *(pin for pin in pins if pin is not None),
            ),
            self._own(),
        )

    def install_pins(self, pins: Sequence[str], flags: Sequence[str]) -> int:
        """Install ``pins`` from uv's cache or an index, as ``flags`` say; uv's exit code."""
        words = ("pip", "install", *flags, "--no-deps", "--reinstall", "--python", self.python)
        return self._watch((*words, "--", *pins), dict(self.uv.variables))

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
