"""Environments as an attacker, or an accident, leaves them; and programs that pretend to be uv."""

from pathlib import Path

from tests.kit.builders import snapshot
from tests.kit.commands import ROOT
from tests.kit.environments import find_site
from tests.kit.written import write_environment


def write_record(environment: Path, name: str, files: dict[str, bytes]) -> Path:
    """Write the record ``name`` (``x-1.dist-info``) with ``files`` as they are, and return it."""
    folder = find_site(environment) / name
    folder.mkdir()
    for file, content in files.items():
        (folder / file).write_bytes(content)
    return folder


def empty_environment(folder: Path) -> Path:
    """Write an environment without a distribution."""
    return write_environment(snapshot(), folder)


def metadata(name: str, version: str, *more: str) -> bytes:
    """Return METADATA with ``name`` and ``version`` as they are, and ``more`` header lines."""
    lines = ("Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *more)
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


def write_program(path: Path, *lines: str) -> Path:
    """Write a shell script that may be started, and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in ("#!/bin/sh", *lines)), encoding="utf-8")
    path.chmod(0o755)
    return path


def pretend_uv(folder: Path, program: Path | None) -> dict[str, str]:
    """Return variables under which ``program`` is the uv that is installed beside envaudit.

    ``None``: under which it finds none there. It is a module ``uv`` that comes before the real one.
    """
    body = "raise FileNotFoundError" if program is None else f"return {str(program)!r}"
    (folder / "uv").mkdir(parents=True)
    (folder / "uv" / "__init__.py").write_text(
        f"def find_uv_bin():\n    {body}\n", encoding="utf-8"
    )
    return {"PYTHONPATH": f"{folder}:{ROOT}"}
