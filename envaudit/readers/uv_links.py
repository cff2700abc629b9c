"""Files that are links into uv's cache (``--link-mode symlink``): the one kind of link followed.

The cache holds an unpacked wheel in a folder of its own, ``…/archive-v0/…``, with the files under
the names that they have in the environment. Where METADATA of a record is a link to such a folder,
a file of the same record may be a link to the same place in it, letter by letter, or to a file of
its name below ``NAME-VERSION.data`` (scripts, headers), and to no other. It is then read from
there, folder by folder from the root, and no further link is followed.
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


class UvLinks:
    """Where the records of an environment are linked to."""

    def __init__(self, environment: Folder, listed: Listed) -> None:
        """Find it out when it is asked for the first time."""
        self._environment = environment
        self._listed = listed
        self._stores: dict[int, _Store | None] = {}
        self._inside: dict[str, str] = {}
        """Where in its store a file lies, by its path."""

    def leads(self, folder: Folder, path: str, name: str) -> bool:
        """Return whether the link ``name`` in ``folder``, listed as ``path``, is one of uv's."""
        target, store, record = folder.link(name), *self._store_of(path)
        if target is None or store is None or not target.startswith(f"{store.spelled}/"):
            return False
        inside = target.removeprefix(f"{store.spelled}/")
        site, _, metadata = record.rpartition("/")
        spread = f"{metadata.removesuffix('.dist-info')}.data/"
        parts = inside.split("/")
        plain = not {"", ".", ".."}.intersection(parts) and parts[-1] == name
        place = path.removeprefix(f"{site}/") if site else path
        if inside != place and not (plain and inside.startswith(spread)):
            return False
        self._inside[path] = inside
        return True

    def open_parent(self, path: str) -> Folder:
        """Open the folder in uv's cache that the listed file ``path``, which ``leads``, is in.

        Raises:
            DiskError: it cannot be opened, or a part of it is a link.
        """
        store, _ = self._store_of(path)
        if store is None or path not in self._inside:
            raise DiskError("is a symbolic link")
        folder = f"{store.real}/{self._inside[path]}".rpartition("/")[0]
        with disk.open_folder(_ROOT) as root:
            return root.folder_below(folder.lstrip("/"))

    def _store_of(self, path: str) -> tuple["_Store | None", str]:
        """Return where the record that lists ``path`` is linked from, and that record."""
        folder, _, name = path.rpartition("/")
        number = self._listed.folders[folder][name].record
        record = self._listed.records[number]
        if number not in self._stores:
            self._stores[number] = self._find_store(record)
        return self._stores[number], record

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
