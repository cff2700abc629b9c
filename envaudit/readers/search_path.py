"""The folders that an environment's interpreter imports from, in import order, by files alone.

The order of ``site.py``: ``PYTHONPATH``; the standard library (no distributions there); in a
virtual environment its own site directories, then, where the base is visible, the user site and the
base's; elsewhere the user site, then the own site directories. After each site directory come the
folders that its ``.pth`` files name, files in sorted order. The same folder is there once: what
counts is where it really is, and the first to name it wins.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from envaudit.doors import disk
from envaudit.model.distribution import Unreadable
from envaudit.model.layout import EnvironmentKind, Scope, Site
from envaudit.readers.ground import Ground
from envaudit.readers.libraries import Library, site_candidates
from envaudit.readers.path_files import LIMIT, PathFile, parse_path_file

_MAXIMUM_SITES = 10_000
_PARTS = ("site-packages", "dist-packages")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One entry of the import path."""

    site: Site
    path: Path
    """Absolute, as the interpreter would spell it."""
    real: Path
    """The same with every link resolved."""
    path_files: tuple[PathFile, ...] = ()
    """The ``.pth`` files that are processed there."""
    site_directory: bool = False
    """Whether startup files are processed there: of folders that ``.pth`` files name, none are."""

    def spell(self, name: str) -> str:
        """Return how the entry ``name`` is written in a snapshot."""
        return name if self.site.path == "." else f"{self.site.path}/{name}"


@dataclass(slots=True)
class SearchPath:
    """The import path being put together."""

    root: Path
    real_root: Path
    places: list[Place] = field(default_factory=list)
    unreadable: list[Unreadable] = field(default_factory=list)
    _seen: set[Path] = field(default_factory=set)

    def spell(self, path: Path) -> str:
        """Return how ``path`` is written in a snapshot: relative where it lies inside."""
        for base, candidate in ((self.root, path), (self.real_root, disk.real_path(path))):
            if candidate.is_relative_to(base):
                return str(candidate.relative_to(base))
        return str(path)

    def add(self, path: Path, scope: Scope, *, named_by: str | None = None) -> Place | None:
        """Append ``path`` if it is there and new; return its place if so."""
        if not disk.is_there(path):
            return None
        real = disk.real_path(path)
        if real in self._seen:
            return None
        self._seen.add(real)
        if len(self._seen) > _MAXIMUM_SITES:
            if len(self._seen) == _MAXIMUM_SITES + 1:
                reason = f"names the {_MAXIMUM_SITES + 1}th folder, more than are read"
                self.unreadable.append(
                    Unreadable(folder=named_by or ".", part="the import path", reason=reason)
                )
            return None
        site = Site(path=self.spell(path), scope=scope, named_by=named_by)
        place = Place(site=site, path=path, real=real)
        self.places.append(place)
        return place

    def add_site(self, path: Path, scope: Scope) -> None:
        """Append a site directory, and what its ``.pth`` files name."""
        place = self.add(path, scope)
        if place is None or not disk.is_folder(path):
            return
        files = tuple(self._path_files(place))
        at = self.places.index(place)
        self.places[at] = replace(place, path_files=files, site_directory=True)
        for file in files:
            named_by = place.spell(file.name)
            for line in file.paths:
                self.add(disk.absolute_path(path / line), Scope.PATH_FILE, named_by=named_by)

    def _path_files(self, place: Place) -> Iterator[PathFile]:
        try:
            with disk.open_folder(place.real) as folder:
                for name in folder.names():
                    if not name.endswith(".pth"):
                        continue
                    try:
                        yield parse_path_file(name, folder.read(name, limit=LIMIT))
                    except disk.LinkError:
                        yield from self._linked(place, name)
                    except disk.DiskError as error:
                        self._note(place, name, error.reason)
        except disk.DiskError as error:
            self._note(place, ".", error.reason)

    def _linked(self, place: Place, name: str) -> Iterator[PathFile]:
        """Read a ``.pth`` that is a link into a cache or store."""
        try:
            target = disk.resolve_namesake(place.real / name, depth=1)
            yield parse_path_file(name, disk.read_file(target, limit=LIMIT))
        except disk.AbsentError:
            return  # to nowhere: the interpreter passes over it
        except disk.DiskError as error:
            self._note(place, name, error.reason)

    def _note(self, place: Place, part: str, reason: str) -> None:
        self.unreadable.append(Unreadable(folder=place.site.path, part=part, reason=reason))


def read_search_path(ground: Ground, variables: Mapping[str, str]) -> SearchPath:
    """Return the import path of ``ground``, as a process with these ``variables`` would have it."""
    path = SearchPath(root=ground.root, real_root=disk.real_path(ground.root))
    if ground.kind is EnvironmentKind.FOLDER or ground.library is None:
        if ground.root.name in _PARTS:
            path.add_site(ground.root, Scope.OWN)
        else:
            path.add(ground.root, Scope.OWN)  # on the path by name: its `.pth` are not processed
        return path
    for entry in variables.get("PYTHONPATH", "").split(":"):
        if entry.startswith("/"):  # a relative or empty one is another folder in every process
            path.add(Path(entry), Scope.VARIABLE)
    own = [(ground.root / where, Scope.OWN) for where in _own(ground, ground.library)]
    user = [(folder, Scope.USER) for folder in _user_site(ground, ground.library, variables)]
    base = [(folder, Scope.BASE) for folder in _base(ground, ground.library)]
    inherited = [*user, *base]
    sites = [*inherited, *own] if ground.configuration is None else [*own, *inherited]
    for folder, scope in sites:
        path.add_site(folder, scope)
    return path


def _base(ground: Ground, library: Library) -> tuple[Path, ...]:
    """Return the site directories of the base that a virtual environment sees."""
    configuration, prefix = ground.configuration, ground.prefix
    if configuration is None or not configuration.system_site or prefix is None:
        return ()
    return tuple(prefix / where for where in site_candidates(prefix, library, base=None))


def _own(ground: Ground, library: Library) -> tuple[str, ...]:
    """Return the own candidates; of several spellings of one folder the one below ``lib``."""
    base = None
    if ground.configuration is not None:
        base = ground.prefix or Path(ground.configuration.base_folder or "/")
    chosen: dict[Path, str] = {}
    for where in site_candidates(ground.root, library, base=base):
        real = disk.real_path(ground.root / where)
        if real not in chosen or where.startswith("lib/"):
            chosen[real] = where  # a key that is there keeps its place
    return tuple(chosen.values())


def sees_user_site(ground: Ground, variables: Mapping[str, str]) -> bool:
    """Return whether the user site is on the import path, and ``usercustomize`` imported."""
    if variables.get("PYTHONNOUSERSITE"):
        return False
    return ground.configuration is None or ground.configuration.system_site


def _user_site(ground: Ground, library: Library, variables: Mapping[str, str]) -> tuple[Path, ...]:
    base = variables.get("PYTHONUSERBASE", "")
    home = variables.get("HOME", "")
    if not base and home:
        base = f"{home}/.local"
    if not base.startswith("/") or not sees_user_site(ground, variables):
        return ()
    return (Path(base) / "lib" / library.name / "site-packages",)
