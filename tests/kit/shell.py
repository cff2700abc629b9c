"""envaudit as a shell starts it, and commands as the command line calls them."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from envaudit.commands.surroundings import Surroundings
from tests.kit.environments import Outcome, run

CHECKOUT = Path(__file__).parents[2]


def envaudit(
    *arguments: str | Path,
    folder: Path | None = None,
    variables: Mapping[str, str] | None = None,
) -> Outcome:
    """Run ``python -m envaudit`` of this checkout; see ``run``."""
    surroundings = dict(os.environ if variables is None else variables)
    surroundings["PYTHONPATH"] = str(CHECKOUT)
    return run(sys.executable, "-m", "envaudit", *arguments, variables=surroundings, folder=folder)


def surroundings(
    python: Path | None = None, *, folder: Path | None = None, **variables: str
) -> Surroundings:
    """Return the surroundings of a call: this process's, and what is given."""
    return Surroundings(
        variables={**os.environ, **variables},
        folder=Path.cwd() if folder is None else folder,
        python=None if python is None else str(python),
    )
