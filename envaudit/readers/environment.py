"""One environment on disk to a snapshot. Starts no interpreter, executes no line of a ``.pth``."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from envaudit.doors import disk
from envaudit.doors.disk import DiskError, Stamp
from envaudit.model.distribution import Distribution, Unreadable
from envaudit.model.errors import Problem, UnreadableError
from envaudit.model.layout import EnvironmentKind, Layout, Scope, Site
from envaudit.model.snapshot import Provenance, Snapshot, StartupHook
from envaudit.readers import libraries
from envaudit.readers.configuration import read_birthplace
from envaudit.readers.ground import (
    Ground,
    base_library,
    find_interpreter,
    read_ground,
    read_plain_ground,
)
from envaudit.readers.hooks import Hooks
from envaudit.readers.interpreter import read_interpreter
from envaudit.readers.locate import Target
from envaudit.readers.owners import Ownership, read_ownership
from envaudit.readers.records import Records, split_live
from envaudit.readers.search_path import Place, SearchPath, read_search_path, sees_user_site

_ATTEMPTS = 2
_START_FILES = (3, 15)
"""From this version on, ``site`` processes ``.start`` files (PEP 829)."""


class _ChangedError(Exception):
    """The environment is not what it was when reading began."""


def read_environment(
    root: Path,
    *,
    contents: bool = True,
    interpreter: Path | None = None,
    variables: Mapping[str, str] | None = None,
) -> Snapshot:
    """Read the environment at ``root``: virtual, conda's, or an interpreter's own prefix.

    ``contents``: whether to read each RECORD for its content id, which judging does not need.
    ``interpreter``: the one that was named, where a prefix holds several. ``variables``: those of
    the process that imports; ``PYTHONPATH`` and the user site depend on them. None if not given.

    Raises:
        UnreadableError: ``root`` is no environment, or it changed while it was read, twice.

    >>> import sys
    >>> snapshot = read_environment(Path(sys.prefix))
    >>> snapshot.interpreter.version.startswith(f"{sys.version_info.major}.")
    True
    >>> "packaging" in snapshot.by_name()
    True
    """
    return _read(read_ground(root, interpreter=interpreter), variables or {}, contents=contents)


def read_folder(
    folder: Path,
    *,
    contents: bool = True,
    environment: Path | None = None,
    interpreter: Path | None = None,
) -> Snapshot:
    """Read a plain folder of distributions: ``pip install --target``, a function's layer.

    ``environment``: the root of the one that will import from it, of which only the interpreter
    counts; ``interpreter``: as in ``read_environment``. Without one, the version is told by a path
    ``…/lib/pythonX.Y/site-packages``, or it is unknown, and so is every marker that needs it.

    Raises:
        UnreadableError: there is no such folder, or it changed while it was read, twice.
    """
    if not disk.is_folder(folder):
        raise UnreadableError(
            Problem(
                message=f"`{folder}` is no folder",
                at=str(folder),
                hint="name a folder that holds distributions with `--site`",
            )
        )
    importer = None if environment is None else read_ground(environment, interpreter=interpreter)
    return _read(read_plain_ground(folder, importer), {}, contents=contents)


def read_target(target: Target, variables: Mapping[str, str], *, contents: bool) -> Snapshot:
    """Read what a user means; see ``read_environment`` and ``read_folder``.

    Raises:
        UnreadableError: it is not there or no environment, or it changed while it was read, twice.
    """
    if not target.plain:
        return read_environment(
            target.root,
            contents=contents,
            interpreter=target.interpreter,
            variables=variables,
        )
    importer = target.importer
    return read_folder(
        target.root,
        contents=contents,
        environment=None if importer is None else importer.root,
        interpreter=None if importer is None else importer.interpreter,
    )


def _read(ground: Ground, variables: Mapping[str, str], *, contents: bool) -> Snapshot:
    for _ in range(_ATTEMPTS):
        try:
            return _Reading(ground, variables, contents=contents).snapshot()
        except _ChangedError:
            continue
    raise UnreadableError(
        Problem(
            message=f"`{ground.root}` changed while it was read, and again at the second attempt",
            at=str(ground.root),
            hint="wait until the install that is under way has ended",
        )
    )


class _Reading:
    """One attempt to read an environment."""

    def __init__(self, ground: Ground, variables: Mapping[str, str], *, contents: bool) -> None:
        self._ground = ground
        self._contents = contents
        self._path: SearchPath = read_search_path(ground, variables)
        self._ownership: Ownership = read_ownership(ground)
        library = ground.library
        version = () if library is None else tuple(int(part) for part in library.minor.split("."))
        self._hooks = Hooks(
            user_site=sees_user_site(ground, variables), start_files=version >= _START_FILES
        )
        self._records: list[Records] = []
        self._unreadable: list[Unreadable] = [*self._path.unreadable, *self._ownership.unreadable]
        self._owners: dict[str, str] = {}

    def snapshot(self) -> Snapshot:
        """Read everything.

        Raises:
            _ChangedError: a folder or a record changed meanwhile.
        """
        on_path = frozenset(place.real for place in self._path.places)
        for place in self._standard_library():
            self._read_place(place, on_path, records=False)
        for place in self._path.places:
            self._read_place(place, on_path, records=True)
        found = [
            (part.place, self._owned(record))
            for part in self._records
            for record in part.distributions
        ]
        live, hidden = split_live(found)
        self._unreadable += self._hooks.unreadable
        for part in self._records:
            self._unreadable += part.unreadable
        return Snapshot(
            interpreter=read_interpreter(self._ground),
            distributions=_sorted(live),
            shadowed=_sorted(hidden),
            unreadable=tuple(
                sorted(set(self._unreadable), key=lambda part: (part.folder, part.part))
            ),
            hooks=self._owned_hooks(),
            remnants=tuple(
                sorted(
                    (remnant for part in self._records for remnant in part.remnants),
                    key=lambda remnant: remnant.folder,
                )
            ),
            layout=self._layout(),
            provenance=Provenance(environment=str(self._ground.root)),
        )

    def _owned(self, record: Distribution) -> Distribution:
        owner = self._ownership.of(record)
        return record if owner is None else replace(record, owner=owner)

    def _standard_library(self) -> tuple[Place, ...]:
        """Return the standard library of a prefix, where a customize module may lie."""
        ground = self._ground
        if ground.library is None or ground.kind in {EnvironmentKind.VENV, EnvironmentKind.FOLDER}:
            return ()
        where = libraries.find_standard_library(ground.root, ground.library)
        if where is None:
            return ()
        path = ground.root / where
        return (
            Place(site=Site(path=where, scope=Scope.OWN), path=path, real=disk.real_path(path)),
        )

    def _read_place(self, place: Place, on_path: frozenset[Path], *, records: bool) -> None:
        part = Records(place=place, contents=self._contents, on_path=on_path)
        try:
            if not disk.is_folder(place.real):
                part.read_archive()
                self._records.append(part)
                return
            with disk.open_folder(place.real) as folder:
                before = folder.stamp()
                kinds = folder.kinds()
                known = len(self._hooks.found)
                self._hooks.read(place, folder, kinds)
                if not records:
                    return
                mine = [hook.path for hook in self._hooks.found[known:]]
                prefix = len(place.spell(""))
                part.claimed = frozenset(path[prefix:] for path in mine)
                part.read(folder, kinds)
                self._owners |= {place.spell(name): by for name, by in part.owners.items()}
                after: dict[str, Stamp | None] = {
                    name: folder.stamp_of(name) for name in part.stamps
                }
                if folder.stamp() != before or after != part.stamps:
                    raise _ChangedError
        except DiskError as error:
            self._unreadable.append(
                Unreadable(folder=place.site.path, part="the folder", reason=error.reason)
            )
        self._records.append(part)

    def _owned_hooks(self) -> tuple[StartupHook, ...]:
        return tuple(
            sorted(
                (replace(hook, owner=self._owners.get(hook.path)) for hook in self._hooks.found),
                key=lambda hook: hook.path,
            )
        )

    def _layout(self) -> Layout:
        ground = self._ground
        own = find_interpreter(ground.root)
        sites = tuple(place.site for place in self._path.places)
        layout = Layout(
            kind=ground.kind,
            sites=sites,
            owner=self._ownership.owner,
            owner_says=self._ownership.says,
            interpreter=own,
            interpreter_found=own is None or disk.is_file(ground.root / own),
        )
        if ground.kind is not EnvironmentKind.VENV or ground.configuration is None:
            return layout
        return replace(
            layout,
            base=ground.configuration.base_folder,
            base_found=ground.base is not None,
            base_version=_base_version(ground),
            stated_version=ground.configuration.version,
            stranded=_stranded(ground, frozenset(place.real for place in self._path.places)),
            moved_from=_moved_from(ground),
        )


def _sorted(records: list[Distribution]) -> tuple[Distribution, ...]:
    return tuple(sorted(records, key=lambda record: (record.name, record.folder)))


def _base_version(ground: Ground) -> str | None:
    """Return the version that the base is now, as far as its files tell."""
    library = base_library(ground)
    if library is None:
        return None
    prefix = ground.prefix
    if prefix is None or library != ground.library:
        own = find_interpreter(ground.root)
        prefix = None if own is None else disk.real_path(ground.root / own).parent.parent
    full = None if prefix is None else libraries.read_patch_level(prefix, library)
    return full or library.minor


def _stranded(ground: Ground, on_path: frozenset[Path]) -> tuple[str, ...]:
    """Return the site directories that hold a record, and are not on the import path.

    Of other versions, or a ``lib64`` that is no link to ``lib``, as copies that follow links have.
    """
    found: list[str] = []
    libraries = {*ground.others, *([ground.library] if ground.library is not None else ())}
    candidates = (
        f"{folder}/{library.name}/site-packages"
        for folder in ("lib", "lib64")
        for library in libraries
    )
    seen = set(on_path)
    for where in sorted(candidates):
        real = disk.real_path(ground.root / where)
        if real in seen:
            continue
        seen.add(real)
        try:
            with disk.open_folder(ground.root / where) as folder:
                if any(name.endswith((".dist-info", ".egg-info")) for name in folder.names()):
                    found.append(where)
        except DiskError:
            continue
    return tuple(sorted(found))


def _moved_from(ground: Ground) -> str | None:
    if ground.configuration is None:
        return None
    birthplace = read_birthplace(ground.root, ground.configuration)
    if birthplace is None or disk.same_file(Path(birthplace), ground.root):
        return None
    return birthplace
