"""Startup hooks: code that runs at every start of the interpreter. Read as text, and never run.

Executable lines of ``.pth`` files, ``.start`` files (PEP 829, from Python 3.15 on), and the
modules ``sitecustomize`` and, where there is a user site, ``usercustomize``. Every one on the
import path is listed, although of two modules of one name only the first runs. The base
interpreter's standard library is no part of a virtual environment, and not looked at.
"""

import re
from collections.abc import Iterator, Mapping

from envaudit.doors import disk
from envaudit.doors.disk import AbsentError, DiskError, Folder, Kind, LinkError
from envaudit.model.distribution import Unreadable
from envaudit.model.snapshot import StartupHook
from envaudit.readers.path_files import digest
from envaudit.readers.search_path import Place

_LIMIT = 16 * 1024 * 1024
_CUSTOMIZE = re.compile(r"(?P<module>sitecustomize|usercustomize)(?:\.py|\.pyc|\.[\w.-]*so)?")
_INITIAL = "__init__.py"


class Hooks:
    """Collects the startup hooks of one environment."""

    def __init__(self, *, user_site: bool, start_files: bool) -> None:
        """``user_site``: whether ``usercustomize`` is imported; ``start_files``: PEP 829."""
        self._modules = {"sitecustomize", "usercustomize"} if user_site else {"sitecustomize"}
        self._start_files = start_files
        self.found: list[StartupHook] = []
        self.unreadable: list[Unreadable] = []

    def read(self, place: Place, folder: Folder, kinds: Mapping[str, Kind]) -> None:
        """Read the hooks of one folder, of which ``kinds`` are the entries."""
        for file in place.path_files:
            if file.executed:
                self.found.append(
                    StartupHook(
                        path=place.spell(file.name), digest=file.digest, lines=file.executed
                    )
                )
        for name, kind in kinds.items():
            match = _CUSTOMIZE.fullmatch(name)
            if match is not None and match["module"] in self._modules:
                self._read_module(place, folder, name, kind)
            elif name.endswith(".start") and self._start_files and place.site_directory:
                content = self._content(place, folder, name)
                if content is not None:
                    lines = tuple(_entry_points(content))
                    self.found.append(
                        StartupHook(path=place.spell(name), digest=digest(content), lines=lines)
                    )

    def _read_module(self, place: Place, folder: Folder, name: str, kind: Kind) -> None:
        if "." not in name and kind is Kind.FOLDER:
            try:
                with folder.folder(name) as package:
                    content = package.read(_INITIAL, limit=_LIMIT)
            except AbsentError:
                return  # a namespace package runs nothing
            except DiskError as error:
                self._note(place, f"{name}/{_INITIAL}", error.reason)
                return
            self._add(place, f"{name}/{_INITIAL}", content)
        elif "." in name:
            found = self._content(place, folder, name)
            if found is not None:
                self._add(place, name, found)

    def _content(self, place: Place, folder: Folder, name: str) -> bytes | None:
        try:
            try:
                return folder.read(name, limit=_LIMIT)
            except LinkError:
                target = disk.resolve_namesake(place.real / name, depth=1)
                return disk.read_file(target, limit=_LIMIT)
        except AbsentError:
            return None  # a link to nowhere: there is nothing that could run
        except DiskError as error:
            self._note(place, name, error.reason)
            return None

    def _add(self, place: Place, name: str, content: bytes) -> None:
        self.found.append(StartupHook(path=place.spell(name), digest=digest(content)))

    def _note(self, place: Place, part: str, reason: str) -> None:
        self.unreadable.append(Unreadable(folder=place.site.path, part=part, reason=reason))


def _entry_points(content: bytes) -> Iterator[str]:
    for line in content.decode("utf-8", "surrogateescape").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line.rstrip()
