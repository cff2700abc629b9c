"""A version request, as ``UV_PYTHON`` may hold one: ``3.12``, ``>=3.11``, ``cpython@3.13t``.

It names no environment: it says which of the environments that are found is meant.
"""

import re
from dataclasses import dataclass

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from envaudit.readers.libraries import Library

_REQUEST = re.compile(
    r"(?P<kind>cpython|python|cp|pypy|pp)?[-@]?(?P<version>\d+(?:\.\d+){0,2})?"
    r"(?P<threads>t|\+freethreaded)?(?:-[A-Za-z0-9_.-]+)?"
)
_KINDS = {"cpython": "python", "cp": "python", "python": "python", "pypy": "pypy", "pp": "pypy"}
_COMPACT = re.compile(r"([23])(\d{1,2})")


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonRequest:
    """What is asked of an interpreter."""

    text: str
    kind: str | None = None
    specifier: SpecifierSet
    threads: bool = False

    def admits(self, library: Library) -> bool:
        """Return whether some patch level of ``library`` is what is asked for."""
        if self.kind is not None and library.kind != self.kind:
            return False
        if self.threads and not library.threads:
            return False
        lowest, highest = f"{library.minor}.0", f"{library.minor}.999"
        return self.specifier.contains(lowest) or self.specifier.contains(highest)


def parse_request(text: str) -> PythonRequest | None:
    """Read a version request; ``None``: it is a path or a program's name."""
    if text[:1] in {"<", ">", "=", "!", "~"}:
        try:
            return PythonRequest(text=text, specifier=SpecifierSet(text))
        except InvalidSpecifier:
            return None
    match = _REQUEST.fullmatch(text.lower())
    if match is None or not (match["kind"] or match["version"]):
        return None
    if match["kind"] == "python" and match["version"] in {None, "3"}:
        return None  # `python` and `python3` are programs
    return PythonRequest(
        text=text,
        kind=_KINDS[match["kind"]] if match["kind"] else None,
        specifier=_specifier(match["version"]),
        threads=bool(match["threads"]),
    )


def _specifier(version: str | None) -> SpecifierSet:
    """Return what admits the minor version that is asked for: patch levels are not told apart."""
    if version is None:
        return SpecifierSet()
    version = _COMPACT.sub(r"\1.\2", version) if "." not in version else version
    return SpecifierSet(f"=={'.'.join(version.split('.')[:2])}.*")
