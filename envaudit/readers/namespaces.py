"""Namespace packages that several folders of the import path share, and one of them hides.

A folder without ``__init__.py`` is a portion of a namespace; one with it is a regular package, and
wherever it stands on the import path, Python then looks nowhere else (PEP 420).
"""

from pathlib import Path

from envaudit.doors import disk
from envaudit.doors.disk import DiskError, Kind
from envaudit.model.files import Split
from envaudit.model.snapshot import Snapshot


def find_splits(root: Path, snapshot: Snapshot) -> tuple[Split, ...]:
    """Return the names of which one folder of the import path hides another one's portion."""
    layout = snapshot.layout
    if layout is None or len(layout.sites) < 2:  # noqa: PLR2004 - one folder shares with none
        return ()
    regular: dict[str, str] = {}
    portions: dict[str, list[str]] = {}
    listings = [(site.path, _folders(root / site.path)) for site in layout.sites]
    counts: dict[str, int] = {}
    for _, names in listings:
        for name in names:
            counts[name] = counts.get(name, 0) + 1
    for path, names in listings:
        for name in names:
            if counts[name] > 1:
                if disk.is_file(root / path / name / "__init__.py"):
                    regular.setdefault(name, path)
                else:
                    portions.setdefault(name, []).append(path)
    return tuple(
        Split(name=name, regular=regular[name], hidden=path)
        for name in sorted(regular.keys() & portions.keys())
        for path in portions[name]
    )


def _folders(path: Path) -> tuple[str, ...]:
    try:
        with disk.open_folder(path) as folder:
            kinds = folder.kinds()
    except DiskError:
        return ()
    return tuple(
        name for name, kind in kinds.items() if kind is Kind.FOLDER and name.isidentifier()
    )
