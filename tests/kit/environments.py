"""Real virtual environments and real uv: offline, with a private cache, and copies for links.

A hard-linked environment shares its files with uv's cache and so with every other environment: an
edit in one test would spread to the next.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from uv import find_uv_bin

SECONDS = 120.0
"""How long a program may take."""
# All that a test may see of the environment of the person or machine that runs it.
_KEPT = frozenset(
    {"PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"}
    | {"PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "SSL_CERT_FILE", "SSL_CERT_DIR"}
    | {"HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy"}
)
_KEPT_PREFIXES = ("PYTEST_", "COV_CORE_", "COVERAGE_")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a program said, and its exit code."""

    code: int
    stdout: str
    stderr: str


def hermetic_variables(home: Path) -> dict[str, str]:
    """Return environment variables that hold nothing of the user's, with ``home`` as HOME.

    No ``UV_*``, ``PIP_*``, ``XDG_*``, ``VIRTUAL_ENV``, ``CONDA_PREFIX``, ``NO_COLOR`` and so on:
    only what programs need to start is kept. envaudit keeps its state below ``home``; uv finds a
    cache there, copies instead of linking, stays offline and downloads no interpreter.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in _KEPT or name.startswith(_KEPT_PREFIXES)
    }
    return kept | {
        "HOME": str(home),
        "COLUMNS": "100",
        "ENVAUDIT_STATE": str(home / "state"),
        "UV_CACHE_DIR": str(home / ".cache" / "uv"),
        "UV_LINK_MODE": "copy",
        "UV_OFFLINE": "1",
        "UV_PYTHON_DOWNLOADS": "never",
    }


def base_interpreter() -> Path:
    """Return the interpreter that runs the tests, outside of any virtual environment."""
    major, minor = sys.version_info[:2]
    return Path(sys.base_prefix, "bin", f"python{major}.{minor}")


def ask_base_interpreter(home: Path) -> Path:
    """Let uv ask the base interpreter what it is, by each of its names, and return uv's cache.

    ``home``: an empty folder, in which the cache is made.
    """
    variables = hermetic_variables(home)
    for name in ("python", "python3", base_interpreter().name):
        found = base_interpreter().with_name(name)
        if found.exists():
            _demand(uv("python", "find", "--no-config", found, variables=variables, folder=home))
    return Path(variables["UV_CACHE_DIR"])


def run(
    *command: str | Path, variables: Mapping[str, str] | None = None, folder: Path | None = None
) -> Outcome:
    """Run ``command`` to its end, without standard input, and return what it said.

    ``variables``: the whole environment of the program; the process's own if not given, which
    ``tests/conftest.py`` has made hermetic. ``folder``: where it runs; if not given, the
    current one.
    """
    completed = subprocess.run(
        [str(word) for word in command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=None if variables is None else dict(variables),
        cwd=folder,
        timeout=SECONDS,
        check=False,
    )
    return Outcome(
        code=completed.returncode,
        stdout=completed.stdout.decode("utf-8", "replace"),
        stderr=completed.stderr.decode("utf-8", "replace"),
    )


def uv(
    *arguments: str | Path, variables: Mapping[str, str] | None = None, folder: Path | None = None
) -> Outcome:
    """Run the uv that is installed beside the tests; see ``run``."""
    return run(find_uv_bin(), *arguments, variables=variables, folder=folder)


def make_environment(path: Path) -> Path:
    """Make an empty virtual environment at ``path``, and return ``path``."""
    _demand(uv("venv", "--quiet", "--no-config", "--python", base_interpreter(), path))
    return path


def copy_venv(made: Path, path: Path) -> Path:
    """Copy the virtual environment ``made`` to ``path``, and return ``path``.

    What ``python -m venv`` wrote of its own place into scripts and ``pyvenv.cfg`` is written anew.
    """
    shutil.copytree(made, path, symlinks=True)
    for file in (path / "pyvenv.cfg", *(path / "bin").iterdir()):
        if not file.is_symlink():
            content = file.read_bytes()
            file.write_bytes(content.replace(bytes(made), bytes(path)))
    return path


def install(
    environment: Path, *requirements: str | Path, index: Path, flags: tuple[str, ...] = ()
) -> None:
    """Install from the wheels in the folder ``index`` alone.

    ``flags`` go to ``uv pip install`` as they are.
    """
    local = ("--offline", "--no-config", "--no-index", "--find-links", index)
    _demand(uv("pip", "install", "--python", environment, *local, *flags, *requirements))


def uninstall(environment: Path, *names: str) -> None:
    """Uninstall distributions."""
    _demand(uv("pip", "uninstall", "--no-config", "--python", environment, *names))


def list_versions(environment: Path) -> dict[str, str]:
    """Return what uv finds installed: versions by normalised name."""
    listed = ("pip", "list", "--no-config", "--format", "json", "--python", environment)
    rows = json.loads(_demand(uv(*listed)).stdout)
    return {row["name"]: row["version"] for row in rows}


def find_site(environment: Path) -> Path:
    """Return the site directory of ``environment``."""
    (found,) = environment.glob("lib/python*/site-packages")
    return found


def _demand(outcome: Outcome) -> Outcome:
    """Return ``outcome`` if the program was content, else fail the test with what it said."""
    if outcome.code != 0:
        raise AssertionError(f"exit {outcome.code}\n{outcome.stdout}{outcome.stderr}")
    return outcome
