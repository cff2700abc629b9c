"""How the files of an environment stand against its RECORDs: measured once, for every check.

Nothing outside of the environment is looked at, whatever a RECORD names. One ``scandir`` a folder
tells what is there; contents are read only of what two RECORDs claim.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from envaudit.doors import disk
from envaudit.doors.disk import DiskError, Folder
from envaudit.doors.tree import Tree, list_tree
from envaudit.model.files import Contested, Files, Manifest, RowFault
from envaudit.model.layout import Scope
from envaudit.model.snapshot import Snapshot
from envaudit.readers.contents import Contents
from envaudit.readers.manifests import Listing, list_manifest, read_digests
from envaudit.readers.modules import (
    SPECIAL,
    Ownership,
    find_foreign,
    find_generated,
    find_modules,
    find_orphans,
)
from envaudit.readers.namespaces import find_splits
from envaudit.readers.rows import LIMIT_FAULTS
from envaudit.readers.unlisted import guess_unlisted

_Noun = TypeVar("_Noun")
_ATTEMPTS = 2
LEFTOVER = ("~", "-")
"""What pip puts before the name of what it is about to remove."""
_BYTE_CODE = ".pyc"
_SKIPPED = frozenset({"__pycache__"})


def measure_files(root: Path, snapshot: Snapshot) -> Files:
    """Measure the files of the environment at ``root``, of which ``snapshot`` has just been read.

    What cannot be looked at is said in the answer; nothing is raised for it.
    """
    try:
        with disk.open_folder(root) as environment:
            parts = [_measure_site(environment, where, snapshot) for where in own_sites(snapshot)]
    except DiskError as error:
        return Files(unmeasured=((".", error.reason),))
    return Files(
        manifests=_joined(part.manifests for part in parts),
        contested=_joined(part.contested for part in parts),
        modules=_joined(part.modules for part in parts),
        orphans=_joined(part.orphans for part in parts),
        foreign=_joined(part.foreign for part in parts),
        generated=_joined(part.generated for part in parts),
        splits=find_splits(root, snapshot),
        unmeasured=_joined(part.unmeasured for part in parts),
    )


def _joined(parts: Iterable[tuple[_Noun, ...]]) -> tuple[_Noun, ...]:
    """Return the parts as one; each of them, and the site directories, are in order."""
    return tuple(one for part in parts for one in part)


def own_sites(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the environment's own site directories, relative to it, no folder twice."""
    if snapshot.layout is not None:
        return tuple(site.path for site in snapshot.layout.sites if site.scope is Scope.OWN)
    folders = [record.folder for record in snapshot.distributions]
    folders += [part.folder for part in snapshot.unreadable]
    return tuple(sorted({folder.rpartition("/")[0] for folder in folders}))


def _measure_site(environment: Folder, where: str, snapshot: Snapshot) -> Files:
    try:
        with environment.folder_below(where) as site:
            for _ in range(_ATTEMPTS):
                before = site.stamp()
                found = _Site(environment, site, where, snapshot).measure()
                if site.stamp() == before:
                    return found
            reason = "changed while it was looked at, and again at the second attempt"
            return Files(unmeasured=((where, reason),))
    except DiskError as error:
        return Files(unmeasured=((where, error.reason),))


class _Site:
    """One site directory, open."""

    def __init__(self, environment: Folder, site: Folder, where: str, snapshot: Snapshot) -> None:
        self._environment = environment
        self._snapshot = snapshot
        self._site = site
        self._where = where
        tree = list_tree(site, _SKIPPED)
        self._tree = tree
        self._there = tree.files | tree.links if tree.links else tree.files
        self._names = site.names()
        self._listings = tuple(
            list_manifest(site, where, name)
            for name in self._names
            if name.endswith(".dist-info")
            and name in tree.folders
            and not name.startswith(LEFTOVER)
        )
        self._claimed = frozenset[str]().union(*(one.inside for one in self._listings))

    def measure(self) -> Files:
        ownership = Ownership(
            where=self._where,
            tree=self._tree,
            names=self._names,
            listings=self._listings,
            claimed=self._claimed,
            guessed=guess_unlisted(self._site, self._where, self._listings, self._snapshot),
        )
        interpreter = self._snapshot.interpreter
        special = [path for path in self._tree.files if path.endswith(SPECIAL)]
        contents = Contents(self._environment, partial(read_digests, self._site, self._where))
        return Files(
            manifests=self._verified(contents),
            contested=self._contested(contents),
            modules=find_modules(ownership, interpreter),
            orphans=find_orphans(ownership),
            foreign=find_foreign(ownership, special, interpreter),
            generated=find_generated(ownership, special, self._site),
            unmeasured=tuple(
                (f"{self._where}/{path}", reason) for path, reason in self._tree.unread
            ),
        )

    def _manifests(self) -> tuple[Manifest, ...]:
        """Return each manifest with what of it the disk does not hold."""
        # Sets of all paths first: most environments are sound, and then no path is looked at alone.
        absent = self._claimed - self._there
        elsewhere = _Elsewhere(self._environment)
        manifests: list[Manifest] = []
        for one in self._listings:
            lacking = absent.intersection(one.inside) if absent else frozenset[str]()
            folders = {path for path in lacking if path.rstrip("/") in self._tree.folders}
            missing = [
                f"{self._where}/{path}"
                for path in lacking - folders
                if not path.endswith(_BYTE_CODE) and not _is_told(path, self._tree)
            ]
            missing += [path for path in one.outside if elsewhere.lacks(path)]
            dangling = self._tree.dangling & lacking
            manifests.append(
                replace(
                    _with_folders(one, folders),
                    missing=tuple(sorted(missing)),
                    dangling=tuple(f"{self._where}/{path}" for path in sorted(dangling)),
                )
            )
        return tuple(manifests)

    def _verified(self, contents: Contents) -> tuple[Manifest, ...]:
        """Return the manifests; those of names that stand twice with how well they verify."""
        twice = {
            record.folder
            for records in self._snapshot.by_name().values()
            for record in records
            if len(records) > 1
        }
        payloads = {
            one.manifest.folder: [
                f"{self._where}/{path}"
                for path in one.inside
                if not path.endswith(_BYTE_CODE) and not path.startswith(f"{one.name}/")
            ]
            for one in self._listings
            if one.manifest.folder in twice
        }
        return tuple(
            replace(
                one,
                payload=len(payloads[one.folder]),
                verified=contents.count_verified(
                    one.folder.rpartition("/")[2], payloads[one.folder]
                ),
            )
            if one.folder in payloads
            else one
            for one in self._manifests()
        )

    def _contested(self, contents: Contents) -> tuple[Contested, ...]:
        """Return what several RECORDs claim, and whose file is on disk."""
        owners = {
            f"{self._where}/{path}": names
            for path, names in _claimed_twice(
                [(one.name, one.inside) for one in self._listings], len(self._claimed)
            ).items()
        }
        owners.update(_claimed_twice([(one.name, one.outside) for one in self._listings]))
        return tuple(
            contents.contest(path, {f"{self._where}/{name}": name for name in names})
            for path, names in sorted(owners.items())
        )


def _with_folders(one: Listing, folders: set[str]) -> Manifest:
    """Return the manifest with a fault for each row that names a folder."""
    faults = tuple(
        RowFault(line=one.inside.index(path) + 1, reason=f"names the folder `{path}`")
        for path in sorted(folders)
    )
    return replace(
        one.manifest,
        faults=(*one.manifest.faults, *faults)[:LIMIT_FAULTS],
        fault_count=one.manifest.fault_count + len(faults),
    )


def _claimed_twice(
    lists: Sequence[tuple[str, Sequence[str]]], distinct: int | None = None
) -> Mapping[str, tuple[str, ...]]:
    """Return the names of the lists that hold a path, for each path that several lists hold.

    ``distinct``: how many different paths there are, where that is known.
    """
    if distinct == sum(len(paths) for _, paths in lists):
        return {}
    seen: set[str] = set()
    twice: set[str] = set()
    for _, paths in lists:
        own = set(paths)
        twice |= seen & own
        seen |= own
    owners: dict[str, tuple[str, ...]] = {}
    for name, paths in lists:
        for path in twice.intersection(paths):
            if not path.endswith(_BYTE_CODE):
                owners[path] = (*owners.get(path, ()), name)
    return owners


def _is_told(path: str, tree: Tree) -> bool:
    """Return whether something else is said of a path: a dangling link, or behind a link."""
    if path in tree.dangling:
        return True
    parents = path.split("/")[:-1]
    return any("/".join(parents[:depth]) in tree.links for depth in range(1, len(parents) + 1))


class _Elsewhere:
    """What lies in the environment and not in a site directory: each folder is listed once."""

    def __init__(self, environment: Folder) -> None:
        self._environment = environment
        self._listings: dict[str, frozenset[str] | None] = {}

    def lacks(self, path: str) -> bool:
        """Return whether ``path`` surely is not there."""
        folder, _, name = path.rpartition("/")
        if folder not in self._listings:
            self._listings[folder] = self._list(folder)
        names = self._listings[folder]
        return names is not None and name not in names

    def _list(self, folder: str) -> frozenset[str] | None:
        """Return the names in ``folder``; ``None``: it cannot be told (a link, or not allowed)."""
        try:
            if not folder:
                return frozenset(self._environment.names())
            with self._environment.folder_below(folder) as opened:
                return frozenset(opened.names())
        except disk.AbsentError:
            return frozenset()
        except DiskError:
            return None
