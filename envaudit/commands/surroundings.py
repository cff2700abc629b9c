"""Where a command runs, and what it was asked about: environments and snapshots by any name."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from envaudit.core import codec
from envaudit.doors import disk
from envaudit.model.errors import Problem, UsageError
from envaudit.model.files import Files
from envaudit.model.report import EnvironmentSummary
from envaudit.model.snapshot import Snapshot
from envaudit.readers import host, store
from envaudit.readers.environment import read_target
from envaudit.readers.files import measure_files
from envaudit.readers.locate import Target, locate_environment, locate_folder

_WHAT_TO_NAME = (
    "name an environment, a snapshot file, a stored name, `@last` or `@-2` (the one before it); "
    "`envaudit snapshot --list` lists what is kept"
)
_INSIDE = (
    "envaudit runs inside the environment that it looks at, and what breaks that can break "
    "envaudit too: install it outside, `uv tool install uv-envaudit`"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The shell's part of every call: variables, current folder, and the environment meant."""

    variables: Mapping[str, str]
    folder: Path
    python: str | None = None
    """What ``--python`` says."""
    site: str | None = None
    """What ``--site`` says: a plain folder instead of an environment."""
    day: date | None = None
    """The day to judge by; ``None``: today."""

    def today(self) -> date:
        """Return the day on which dated rules and waivers are judged (UTC)."""
        return self.day or host.now().date()

    def target(self) -> Target:
        """Return the environment that is meant, or the plain folder.

        Raises:
            UnreadableError: none is named, or what is named is none.
        """
        if self.site is not None:
            return locate_folder(self.site, self.python, self.variables, self.folder)
        return locate_environment(self.python, self.variables, self.folder)

    def root(self) -> Path:
        """Return the root of the environment that is meant; see ``target``."""
        return self.target().root

    def beside(self, reading: "Reading") -> "Surroundings":
        """Return the surroundings in which ``@last`` means a snapshot of what was read.

        A stored snapshot has no shelf: there it stays the environment that is meant.
        """
        path = reading.snapshot.provenance.environment
        return replace(self, python=path, site=None) if reading.live and path else self

    def state(self) -> Path:
        """Return the state directory; see ``store.state_directory``."""
        return store.state_directory(self.variables, root_user=host.is_root())

    def shelf(self) -> Path:
        """Return the folder of the state directory that is this environment's, however named."""
        return store.shelf(self.state(), disk.real_path(self.root()))

    @property
    def set_variables(self) -> frozenset[str]:
        """Names of the variables that are set and not empty."""
        return frozenset(name for name, value in self.variables.items() if value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A snapshot, and where it came from."""

    snapshot: Snapshot
    source: str
    """What was read: an environment's path, a snapshot's file, or its name."""
    live: bool
    """Whether it is an environment as it stands, and no record of one."""
    files: Files | None = None
    """How its files stand; of a record they are unmeasured. ``None``: nobody asked."""
    notes: tuple[str, ...] = ()
    """What a person should know beside the answer."""

    def summary(self, *, contents: bool) -> EnvironmentSummary:
        """Return what a report says of it. ``contents``: whether content ids were measured."""
        return EnvironmentSummary(
            path=self.snapshot.provenance.environment,
            source=self.source,
            python=self.snapshot.interpreter.label,
            distributions=len(self.snapshot.distributions),
            digest=codec.digest(self.snapshot) if contents else None,
        )


def read_subject(
    reference: str | None,
    surroundings: Surroundings,
    *,
    contents: bool = False,
    files: bool = False,
) -> Reading:
    """Read what ``reference`` names; ``None`` means the environment of ``surroundings``.

    In this order: ``@last`` and its like, an environment's folder, a snapshot's file, an
    interpreter, a name in the committed store. ``contents``: whether a live environment's RECORDs
    are read for content ids. ``files``: whether its files are measured, which only judging needs.

    Raises:
        EnvauditError: nothing of that name is there, or it cannot be read.
    """
    if reference is None:
        return _read_live(surroundings.target(), surroundings, contents=contents, files=files)
    if store.is_by_age(reference):
        path = store.find_by_age(reference, surroundings.shelf())
        return _read_record(path, str(path))
    path = surroundings.folder / reference
    if reference and disk.is_folder(path):
        target = Target(root=disk.absolute_path(path))
        return _read_live(target, surroundings, contents=contents, files=files)
    if disk.is_file(path):
        if path.suffix == ".json":
            return _read_record(path, reference)
        target = locate_environment(reference, surroundings.variables, surroundings.folder)
        return _read_live(target, surroundings, contents=contents, files=files)
    if "/" in reference or reference.endswith(".json"):
        raise UsageError(
            Problem(message=f"`{reference}` is not there", at=str(path), hint=_WHAT_TO_NAME)
        )
    if not store.is_name(reference):
        raise UsageError(
            Problem(
                message=f"`{reference}` names no snapshot and no environment", hint=_WHAT_TO_NAME
            )
        )
    named = store.committed_path(surroundings.folder, reference)
    if not disk.is_file(named):
        raise UsageError(
            Problem(
                message=f"no snapshot is called `{reference}`",
                at=str(named),
                hint=f"take it with `envaudit snapshot --name {reference}`",
            )
        )
    return _read_record(named, reference)


def _read_record(path: Path, source: str) -> Reading:
    unmeasured = ((source, "is a record, which holds none"),)
    return Reading(
        snapshot=store.read_snapshot(path),
        source=source,
        live=False,
        files=Files(unmeasured=unmeasured),
    )


def _read_live(
    target: Target, surroundings: Surroundings, *, contents: bool, files: bool
) -> Reading:
    snapshot = read_target(target, surroundings.variables, contents=contents)
    return Reading(
        snapshot=snapshot,
        source=str(target.root),
        live=True,
        files=measure_files(target.root, snapshot) if files else None,
        notes=(_INSIDE,) if host.runs_inside(target.root) else (),
    )
