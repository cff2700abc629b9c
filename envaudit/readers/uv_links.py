"""Files that are links into uv's cache (``--link-mode symlink``): the one kind of link followed.

The cache holds an unpacked wheel in a folder of its own, ``…/archive-v0/…``, with the files under
the names that they have in the environment. Where METADATA of a record is a link to such a folder,
a file of the same record may be a link to the same place in it, letter by letter, and to no other.
It is then read from there, folder by folder from the root, and no further link is followed.
"""

from pathlib import Path
from typing import NamedTuple

from envaudit.doors import disk
from envaudit.doors.disk import DiskError, Folder
from envaudit.readers.listed import Listed

_STORE = "archive-v"
_ROOT = Path("/")


class _Store(NamedTuple):
    spelled: str
    """As links spell it."""
    real: str
    """Links resolved."""


class _Place(NamedTuple):
    store: _Store
    inside: str


class UvLinks:
    """Where the records of an environment are linked to."""

    def __init__(self, environment: Folder, listed: Listed) -> None:
        """Find it out when it is asked for the first time."""
        self._environment = environment
        self._listed = listed
        self._stores: dict[int, _Store | None] = {}

    def leads(self, folder: Folder, path: str, name: str) -> bool:
        """Return whether the link ``name`` in ``folder``, listed as ``path``, is one of uv's."""
        place = self._place(path)
        return place is not None and folder.link(name) == f"{place.store.spelled}/{place.inside}"

    def open_parent(self, path: str) -> Folder:
        """Open the folder in uv's cache that the listed file ``path`` is linked to.

        Raises:
            DiskError: it cannot be opened, or a part of it is a link.
        """
        place = self._place(path)
        if place is None:
            raise DiskError("is a symbolic link")
        folder = f"{place.store.real}/{place.inside}".rpartition("/")[0]
        with disk.open_folder(_ROOT) as root:
            return root.folder_below(folder.lstrip("/"))

    def _place(self, path: str) -> "_Place | None":
        folder, _, name = path.rpartition("/")
        number = self._listed.folders[folder][name].record
        record = self._listed.records[number]
        site = record.rpartition("/")[0]
        if site and not path.startswith(f"{site}/"):
            return None
        if number not in self._stores:
            self._stores[number] = self._find_store(record)
        store = self._stores[number]
        inside = path.removeprefix(f"{site}/") if site else path
        return None if store is None else _Place(store, inside)

    def _find_store(self, record: str) -> "_Store | None":
        """Return the folder that a record's own METADATA is linked from."""
        end = f"/{record.rpartition('/')[2]}/METADATA"
        try:
            with self._environment.folder_below(record) as folder:
                target = folder.link("METADATA")
        except DiskError:
            return None
        if target is None or not target.startswith("/") or not target.endswith(end):
            return None
        spelled = target.removesuffix(end)
        real = disk.real_path(Path(spelled))
        return _Store(spelled, str(real)) if real.parent.name.startswith(_STORE) else None
