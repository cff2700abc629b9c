"""envaudit as a program of its own: started as a shell would start it, or as if it were."""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from envaudit.commands.surroundings import Surroundings
from tests.kit.environments import Outcome, run
from tests.kit.forks import ForkServer

ROOT = Path(__file__).resolve().parents[2]
"""The checkout."""
_BYTE_CODE = ROOT / ".pytest_cache" / "d" / "byte_code"
"""Where the tests keep that of the programs they start: uv and some machines keep none anywhere,
and compiling envaudit and what it imports takes longer than most commands."""
_START = f"""\
import sys
sys.dont_write_bytecode, sys.pycache_prefix = False, {str(_BYTE_CODE)!r}
sys.path.insert(0, {str(ROOT)!r})
"""
COMMAND = (sys.executable, "-c", f"{_START}from envaudit.__main__ import main\nmain()\n")
"""What starts the checkout's own envaudit, installed or not, with nothing in ``PYTHONPATH``."""
FORKS = ForkServer(sys.executable, "-c", f"{_START}from tests.kit.forks import serve\nserve()\n")


def envaudit(
    *arguments: str | Path, variables: Mapping[str, str] | None = None, folder: Path | None = None
) -> Outcome:
    """Run ``envaudit`` with ``arguments`` to its end, forked if it may be; see ``start_envaudit``.

    Where a test is about how envaudit starts, let it call that.
    """
    settled = os.environ if variables is None else variables
    if not FORKS.may_fork(settled):
        return start_envaudit(*arguments, variables=variables, folder=folder)
    words = [str(argument) for argument in arguments]
    return FORKS.run(words, variables=settled, folder=Path.cwd() if folder is None else folder)


def start_envaudit(
    *arguments: str | Path, variables: Mapping[str, str] | None = None, folder: Path | None = None
) -> Outcome:
    """Start ``envaudit`` with ``arguments`` as a shell does; see ``environments.run``."""
    return run(*COMMAND, *arguments, variables=variables, folder=folder)


def ask(*arguments: str | Path, folder: Path | None = None) -> dict[str, Any]:
    """Run ``envaudit`` with ``--format json`` and return the envelope."""
    command, *rest = arguments
    answer: dict[str, Any] = json.loads(
        envaudit(command, "--format", "json", *rest, folder=folder).stdout
    )
    return answer


def introduced(report: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """Return code and distributions of each error that an envelope says is new."""
    return [
        (item["code"], item["distributions"])
        for item in report["findings"]
        if item["introduced"] and item["severity"] == "error"
    ]


def surroundings(
    python: Path | None = None, *, folder: Path | None = None, **variables: str
) -> Surroundings:
    """Return the surroundings of a call: this process's, and what is given."""
    return Surroundings(
        variables={**os.environ, **variables},
        folder=Path.cwd() if folder is None else folder,
        python=None if python is None else str(python),
    )
