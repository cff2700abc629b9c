"""T21: `sudo` keeps the caller's HOME and XDG variables: nothing is read from there, or left there.

uv's own cache is uv's: it lies where UV_CACHE_DIR says.
"""

import os
from pathlib import Path

import pytest

from tests.kit.commands import envaudit


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """Return somebody else's home, with what would switch rules off or lead elsewhere."""
    home = tmp_path / "foreign"
    for folder in (home / ".config", home / "xdg"):
        (folder / "envaudit").mkdir(parents=True)
        for name in ("envaudit.toml", "envaudit/envaudit.toml"):
            (folder / name).write_text("builtin-policies = false\n")
    (home / "envaudit.toml").write_text("builtin-policies = false\n")
    return home


def listing(home: Path) -> list[str]:
    return sorted(str(path) for path in home.rglob("*"))


def test_a_foreign_home_decides_nothing_and_stays_as_it_was(
    healthy: Path, wheels: Path, foreign: Path
) -> None:
    before = listing(foreign)
    variables = {
        **os.environ,
        "HOME": str(foreign),
        "XDG_STATE_HOME": str(foreign / "xdg"),
        "XDG_CONFIG_HOME": str(foreign / "xdg"),
        "XDG_DATA_HOME": str(foreign / "xdg"),
        "SUDO_USER": "somebody",
    }
    local = ("--no-index", "--find-links", wheels)
    words = ("--", "uv", "pip", "install", "-p", healthy, *local, "vllm==0.17.0")
    assert envaudit("gate", *words, variables=variables).code == 1
    started = envaudit("exec", "-p", healthy, "--", "echo", "up", variables=variables)
    assert started.stdout == "up\n"
    assert listing(foreign) == before


def test_a_configuration_of_uv_in_a_foreign_home_is_shown(
    healthy: Path, foreign: Path, wheels: Path
) -> None:
    """Uv itself believes it; who reads the report can see that it does."""
    file = foreign / "xdg" / "uv" / "uv.toml"
    file.parent.mkdir()
    file.write_text(f'no-index = true\nfind-links = ["{wheels}"]\n')
    file.chmod(0o666)
    variables = {**os.environ, "HOME": str(foreign), "XDG_CONFIG_HOME": str(foreign / "xdg")}
    words = ("--", "uv", "pip", "install", "-p", healthy, "vllm==0.17.0")
    answered = envaudit("gate", *words, variables=variables)
    assert answered.code == 1
    assert f"uv is configured by `{file}`, found in the user" in answered.stderr
