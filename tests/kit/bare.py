"""Environments made by hand, file by file: no interpreter, no installer, every odd state."""

from dataclasses import dataclass
from pathlib import Path

from envaudit.model.distribution import Distribution
from envaudit.model.snapshot import Snapshot
from envaudit.readers.environment import read_environment
from tests.kit.environments import base_interpreter


@dataclass(frozen=True, slots=True, kw_only=True)
class Bare:
    """One environment of Python 3.11, and its first site directory."""

    root: Path
    site: Path

    def put(self, path: str, content: str | bytes = "") -> Path:
        """Write a file at ``path`` below the site directory."""
        return put(self.site / path, content)

    def record(self, folder: str, headers: str = "", **files: str) -> Path:
        """Write the ``.dist-info`` folder ``folder`` with METADATA and further files.

        Without ``headers`` METADATA says what the folder's name says.
        """
        name, _, version = folder.removesuffix(".dist-info").partition("-")
        text = headers or f"Name: {name}\nVersion: {version}\n"
        self.put(f"{folder}/METADATA", f"Metadata-Version: 2.1\n{text}")
        for file, content in files.items():
            self.put(f"{folder}/{file.replace('_json', '.json')}", content)
        return self.site / folder

    def read(self, **variables: str) -> Snapshot:
        """Read it as a process with these variables would."""
        return read_environment(self.root, variables=variables)

    def only(self) -> Distribution:
        """Read it, and return its one distribution."""
        (found,) = self.read().distributions
        return found


def put(path: Path, content: str | bytes = "") -> Path:
    """Write a file, its folders made if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def make_venv(root: Path, *lines: str, library: str = "python3.11") -> Bare:
    """Make a virtual environment; ``lines``: further ones of its ``pyvenv.cfg``."""
    text = "".join(
        f"{line}\n"
        for line in (
            f"home = {base_interpreter().parent}",
            "version_info = 3.11.7",
            "include-system-site-packages = false",
            *lines,
        )
    )
    put(root / "pyvenv.cfg", text)
    site = root / "lib" / library / "site-packages"
    site.mkdir(parents=True)
    return Bare(root=root, site=site)


def make_prefix(
    root: Path, *, library: str = "python3.11", where: str | None = None, debian: bool = False
) -> Bare:
    """Make an interpreter's own prefix; ``where``: its site directory, relative to it."""
    where = where or f"lib/{library}/site-packages"
    put(root / "lib" / library / "os.py")
    put(root / "lib" / library / "site.py", "# dist-packages\n" if debian else "# site-packages\n")
    put(root / "bin" / library, b"\x7fELF")
    (root / "bin" / "python3").symlink_to(library)
    (root / where).mkdir(parents=True, exist_ok=True)
    return Bare(root=root, site=root / where)
