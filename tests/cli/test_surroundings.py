"""Sane output in any surroundings: terminals, locales, widths, and no home."""

import contextlib
import json
import os
import pty
import subprocess
from pathlib import Path

import pytest

from tests.kit.builders import distribution, snapshot
from tests.kit.commands import COMMAND, start_envaudit
from tests.kit.environments import Outcome, hermetic_variables, run
from tests.kit.written import write_environment

ESCAPE = "\x1b"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """Return an environment with a finding, in a folder with a name beyond ASCII."""
    entry = distribution("needy==1", requires=("missing>=2",))
    return write_environment(snapshot(entry), tmp_path / "umgebung-für-é-中")


def _on_terminal(folder: Path, *words: str | Path, **variables: str) -> str:
    """Run envaudit with a terminal of 60 columns as its standard output; return what it shows."""
    ours, theirs = pty.openpty()
    settings = {**hermetic_variables(folder), "TERM": "xterm", "COLUMNS": "60", **variables}
    command = [str(word) for word in (*COMMAND, *words)]
    with subprocess.Popen(command, stdout=theirs, stderr=theirs, env=settings, cwd=folder):
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # Linux says so when the other side is closed
            while chunk := os.read(ours, 4096):
                shown += chunk
    os.close(ours)
    return shown.decode()


def test_a_terminal_gets_colour(broken: Path, tmp_path: Path) -> None:
    assert ESCAPE in _on_terminal(tmp_path, "check", "-p", broken)


@pytest.mark.parametrize("name", ["NO_COLOR", "TERM"])
def test_a_dumb_terminal_and_no_color_get_none(name: str, broken: Path, tmp_path: Path) -> None:
    shown = _on_terminal(tmp_path, "check", "-p", broken, **{name: "dumb"})

    assert ESCAPE not in shown
    assert "error[requirement-missing]" in shown


def test_no_color_that_is_empty_means_nothing(broken: Path, tmp_path: Path) -> None:
    assert ESCAPE in _on_terminal(tmp_path, "check", "-p", broken, NO_COLOR="")


def test_a_narrow_terminal_gets_every_word_and_help_that_fits(broken: Path, tmp_path: Path) -> None:
    shown = _on_terminal(tmp_path, "check", "-p", broken, NO_COLOR="1")
    assert "`needy 1` requires `missing>=2`, which is not installed" in shown

    told = _on_terminal(tmp_path, "--help")
    assert max(len(line.rstrip()) for line in told.splitlines()) <= 60


def _ask(broken: Path, *, drop: str = "", **variables: str) -> Outcome:
    settings = {**hermetic_variables(broken.parent), **variables}
    settings.pop(drop, None)
    return start_envaudit("check", "-p", broken, variables=settings, folder=broken.parent)


@pytest.mark.parametrize(
    "settings",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "POSIX", "PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
        {"LC_ALL": "xx_YY.nonsense"},
    ],
    ids=str,
)
def test_what_a_locale_cannot_say_is_spelled_out(settings: dict[str, str], broken: Path) -> None:
    outcome = _ask(broken, **settings)

    assert outcome.code == 1, outcome.stderr
    assert "Traceback" not in outcome.stderr
    assert "`needy 1` requires" in outcome.stdout

    nowhere = broken.with_name("nowhere-中")
    told = start_envaudit(
        "check", "-p", nowhere, variables={**hermetic_variables(broken.parent), **settings}
    )
    assert told.code == 3, told.stderr
    assert "nowhere-" in told.stderr


def test_without_a_home_what_needs_none_works(broken: Path) -> None:
    assert _ask(broken, drop="HOME").code == 1


@pytest.mark.parametrize("home", [None, "", "relative"])
def test_without_a_home_the_state_directory_is_asked_for(home: str | None, broken: Path) -> None:
    settings = hermetic_variables(broken.parent)
    del settings["HOME"], settings["ENVAUDIT_STATE"]
    if home is not None:
        settings["HOME"] = home
    outcome = run(
        COMMAND[0],
        "-c",
        "import os; os.geteuid = lambda: 1000\n" + COMMAND[2],
        *("snapshot", "-p", broken),
        variables=settings,
        folder=broken.parent,
    )

    assert outcome.code == 2, outcome.stderr
    assert "there is no `HOME`" in outcome.stderr
    assert "hint: set `ENVAUDIT_STATE`" in outcome.stderr


def test_an_empty_environment_of_variables_is_enough(broken: Path) -> None:
    outcome = start_envaudit("check", "-p", broken, "--format", "json", variables={})

    assert json.loads(outcome.stdout)["exit_code"] == 1
