"""An environment on which a change is made over and over, each time from the same state.

Runs with faults, and what has to be true after each: the environment is the one before or the new
one, or ``check`` says that a change was interrupted, and ``restore @interrupted`` undoes it.
"""

import fcntl
import hashlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.kit.environments import hermetic_variables, install, make_environment
from tests.kit.faults import Faulted, FaultServer

KILLED = -9
BACK = ("restore", "@interrupted", "--apply")
_WRITTEN_ANEW = {"RECORD", "uv_cache.json", "INSTALLER", "REQUESTED"}


def contents(environment: Path) -> dict[str, tuple[str, bool]]:
    """Return digest and executability of every file that installers do not write anew."""
    return {
        str(path.relative_to(environment)): (
            hashlib.sha256(path.read_bytes()).hexdigest(),
            bool(path.stat().st_mode & 0o100),
        )
        for folder in ("lib", "bin", "share", "include")
        for path in (environment / folder).rglob("*")
        if path.is_file() and path.name not in _WRITTEN_ANEW and "__pycache__" not in path.parts
    }


@dataclass(slots=True, kw_only=True)
class Stage:
    """A folder with wheels, an environment made of them, and copies of how both stood."""

    folder: Path
    variables: dict[str, str] = field(default_factory=dict)
    before: dict[str, tuple[str, bool]] = field(default_factory=dict)
    """What the environment holds before the change; see ``contents``."""
    start: dict[str, tuple[str, bool]] = field(default_factory=dict)
    """What it holds before each run."""
    _server: FaultServer | None = None

    def __post_init__(self) -> None:
        """Name the variables of every run."""
        self.variables = hermetic_variables(self.folder / "home")
        for folder in ("home", "wheels", "here"):
            (self.folder / folder).mkdir()

    @property
    def environment(self) -> Path:
        """The environment that is changed."""
        return self.folder / "environment"

    @property
    def wheels(self) -> Path:
        """What may be installed."""
        return self.folder / "wheels"

    @property
    def state(self) -> Path:
        """What envaudit keeps."""
        return Path(self.variables["ENVAUDIT_STATE"])

    def furnish(self, *pins: str) -> None:
        """Make the environment, of the wheels."""
        make_environment(self.environment)
        install(self.environment, *pins, index=self.wheels)
        self.keep()
        self.before = contents(self.environment)

    def keep(self) -> None:
        """Keep how things stand, for ``reset``."""
        self.start = contents(self.environment)
        for place, kept in self._kept():
            shutil.rmtree(kept, ignore_errors=True)
            if place.exists():
                shutil.copytree(place, kept, symlinks=True)

    def reset(self) -> None:
        """Let things stand as they were kept."""
        for place, kept in self._kept():
            shutil.rmtree(place, ignore_errors=True)
            if kept.exists():
                shutil.copytree(kept, place, symlinks=True)

    def _kept(self) -> Iterator[tuple[Path, Path]]:
        for place in (self.environment, self.state):
            yield place, self.folder / f"kept-{place.name}"

    def __enter__(self) -> Self:
        """Start what runs envaudit."""
        self._server = FaultServer(folder=self.folder / "here", variables=self.variables)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop it."""
        if self._server is not None:
            self._server.__exit__(kind, error, traceback)

    def run(self, *words: str, kind: str = "none", at: int = 0) -> Faulted:
        """Run envaudit; see ``FaultServer.run``."""
        if self._server is None:
            raise AssertionError("it is used in a `with` block")
        verb, *more = words
        return self._server.run(kind, at, verb, "--python", str(self.environment), *more)

    def apply(self, *asked: str, uv: str = "uv", kind: str = "none", at: int = 0) -> Faulted:
        """Run ``envaudit apply`` of an install from the wheels."""
        if self._server is None:
            raise AssertionError("it is used in a `with` block")
        command = (uv, "pip", "install", "--python", str(self.environment), "--no-index")
        local = ("--find-links", str(self.wheels))
        return self._server.run(kind, at, "apply", "--", *command, *local, *asked)

    def wait(self) -> None:
        """Wait until no uv works on the environment any more: it holds the lock while it lives."""
        for place in self.state.glob("*/change.lock"):
            with place.open() as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)

    def is_interrupted(self) -> bool:
        """Return whether ``check`` says that a change was interrupted."""
        return "error[change-interrupted]" in self.run("check").said

    def demand_whole_or_back(self, found: Faulted, new: dict[str, tuple[str, bool]]) -> str:
        """Judge how a run left things, and return which of the good ends that is.

        ``new``: what the environment holds after the change, if that holds.
        """
        self.wait()
        now = contents(self.environment)
        end = "before" if now == self.before else "new" if now == new else "between"
        assert found.code in {0, 3, 5, 6, KILLED}, found.said
        if found.code == 5:
            assert end == "before", found.said
        if found.code == 3:  # nothing was changed
            assert now == self.start, found.said
        interrupted = self.is_interrupted()
        assert not (interrupted and found.code == 3 and self.start == self.before), found.said
        if interrupted:
            restored = self.run(*BACK)
            assert restored.code == 0, restored.said
            differ = contents(self.environment).items() ^ self.before.items()
            assert not differ, (sorted(differ), restored.said)
            assert not self.is_interrupted()
            return f"interrupted {end}"
        assert end in {"before", "new"}, found.said
        assert found.code != 6, found.said
        return end
