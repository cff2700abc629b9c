"""One environment on disk to a snapshot. Starts no interpreter, follows no link inside it."""

from pathlib import Path

from envaudit.doors import disk
from envaudit.model.distribution import Distribution, Unreadable
from envaudit.model.snapshot import Provenance, Snapshot
from envaudit.readers.distributions import read_distribution
from envaudit.readers.interpreter import read_interpreter, read_layout

_SUFFIX = ".dist-info"


def read_environment(root: Path, *, contents: bool = True) -> Snapshot:
    """Read the virtual environment at ``root``.

    ``contents``: whether to read each RECORD for its content id, which judging does not need.

    Raises:
        UnreadableError: ``root`` is no virtual environment, or it changed while it was read.
    """
    layout = read_layout(root)
    distributions: list[Distribution] = []
    unreadable: list[Unreadable] = []
    seen: set[Path] = set()
    for where in layout.sites:
        real = disk.real_path(root / where)
        if real in seen or not disk.is_folder(real):
            continue  # lib64 is a link to lib in most environments
        seen.add(real)
        with disk.open_folder(real) as site:
            for name in site.names():
                if name.endswith(_SUFFIX):
                    found, parts = read_distribution(site, name, where, contents=contents)
                    if found is not None:
                        distributions.append(found)
                    unreadable.extend(parts)
    return Snapshot(
        interpreter=read_interpreter(layout),
        distributions=tuple(sorted(distributions, key=lambda record: (record.name, record.folder))),
        unreadable=tuple(sorted(unreadable, key=lambda part: (part.folder, part.part))),
        provenance=Provenance(environment=str(root)),
    )
