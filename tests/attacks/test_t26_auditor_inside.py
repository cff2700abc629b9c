"""T26: envaudit inside the environment that it judges says so; outside, a broken one is judged."""

import sys
from pathlib import Path

from envaudit.commands import check
from envaudit.commands.judging import Bench
from tests.kit.builders import snapshot
from tests.kit.commands import ROOT, envaudit, surroundings
from tests.kit.environments import find_site, run
from tests.kit.written import write_environment

INSIDE = "envaudit runs inside the environment that it looks at"
START = (
    "import sys; sys.path[:0] = {path!r}; sys.prefix = {prefix!r}; "
    "from envaudit.__main__ import main; main()"
)


def test_it_says_that_it_runs_inside(tmp_path: Path) -> None:
    """With this interpreter, of which the prefix is said to be the audited environment."""
    environment = write_environment(snapshot("torch==2.9.1"), tmp_path / "environment")
    script = START.format(path=[str(ROOT)], prefix=str(environment))
    for command in (("check",), ("snapshot",), ("why", "torch"), ("fix",)):
        outcome = run(sys.executable, "-c", script, *command, "-p", environment, folder=tmp_path)

        assert f"note: {INSIDE}" in outcome.stderr, command
        assert INSIDE not in outcome.stdout


def test_it_says_nothing_of_the_kind_outside(tmp_path: Path) -> None:
    environment = write_environment(snapshot("torch==2.9.1"), tmp_path / "environment")

    assert check.run(surroundings(environment), Bench()).notes == ()


def test_an_environment_without_packaging_is_judged_from_outside(tmp_path: Path) -> None:
    pins = ("packaging==25.0", "networkx==3.3", "typer==0.28.0")
    environment = write_environment(snapshot(*pins), tmp_path / "environment")
    for name in ("packaging", "networkx", "typer"):
        broken = find_site(environment) / name / "__init__.py"
        broken.write_text("raise ImportError('broken')\n", encoding="utf-8")
    (find_site(environment) / "packaging" / "__init__.py").unlink()

    outcome = envaudit("check", "-p", environment, folder=tmp_path)

    assert outcome.code == 0, outcome.stderr
