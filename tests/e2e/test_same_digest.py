"""The same environment gives the same digest, whatever path, time, locale, umask and installer."""

import json
import os
from pathlib import Path

import pytest

from envaudit.core.codec import digest
from envaudit.readers.environment import read_environment
from tests.kit.commands import COMMAND
from tests.kit.environments import install, make_environment, run
from tests.kit.wheels import Wheel, build_wheel

PINS = ("tool==1.0", "library==2.0")


@pytest.fixture
def wheels(index: Path) -> Path:
    """Build two wheels; one has a script, whose first line installers rewrite."""
    build_wheel(
        Wheel(
            "tool",
            "1.0",
            requires=("library>=2",),
            modules={"tool/__init__.py": "def main(): ...\n", "tool/übung.py": "x = 1\n"},
            entry_points={"tool": "tool:main"},
        ),
        index,
    )
    build_wheel(Wheel("library", "2.0", modules={"library.py": "y = 2\n"}), index)
    return index


@pytest.fixture
def pip(venv_with_pip: Path) -> Path:
    """Return an interpreter that has pip: the one that Python brings along, offline."""
    return venv_with_pip / "bin" / "python"


def _by_uv(place: Path, wheels: Path) -> Path:
    environment = make_environment(place)
    install(environment, *PINS, index=wheels)
    return environment


def _by_pip(pip: Path, place: Path, wheels: Path, *flags: str) -> Path:
    environment = make_environment(place)
    words = ("--python", environment / "bin" / "python", "install", "--no-index", "--find-links")
    done = run(pip, "-m", "pip", *words, wheels, "--disable-pip-version-check", *flags, *PINS)
    assert done.code == 0, done.stderr
    return environment


def test_installed_by_pip_and_by_uv_in_other_places_at_other_times(
    wheels: Path, pip: Path, tmp_path: Path
) -> None:
    one = _by_uv(tmp_path / "one", wheels)
    other = _by_pip(pip, tmp_path / "a much longer path" / "other", wheels)
    bare = _by_pip(pip, tmp_path / "bare", wheels, "--no-compile")
    for path in other.rglob("*"):
        os.utime(path, (1, 1), follow_symlinks=False)

    first, second, third = map(read_environment, (one, other, bare))

    assert {record.installer for record in first.distributions} == {"uv"}
    assert {record.installer for record in second.distributions} == {"pip"}
    assert None not in {record.content_id for record in first.distributions}
    assert digest(first) == digest(second) == digest(third)
    assert first == second


@pytest.mark.parametrize(
    "settings",
    ["LC_ALL=C", "LC_ALL=C.UTF-8", "LANG=tr_TR.UTF-8 LC_ALL=", "TZ=Pacific/Kiritimati"],
)
@pytest.mark.parametrize("umask", ["022", "077"])
def test_recorded_under_any_locale_time_zone_and_umask(
    settings: str, umask: str, wheels: Path, tmp_path: Path
) -> None:
    environment = _by_uv(tmp_path / "environment", wheels)
    script = f'umask {umask}; export {settings}; exec "$@"'
    words = (*COMMAND, "snapshot", "--to", "kept.json", "-p", environment)

    done = run("/bin/sh", "-c", script, "sh", *words, folder=tmp_path)

    assert done.code == 0, done.stderr
    kept = json.loads((tmp_path / "kept.json").read_bytes())
    assert kept["digest"] == digest(read_environment(environment))


def test_another_content_under_the_same_version_is_another_digest(
    wheels: Path, tmp_path: Path
) -> None:
    one = _by_uv(tmp_path / "one", wheels)
    build_wheel(Wheel("library", "2.0", modules={"library.py": "y = 3\n"}), wheels)
    other = make_environment(tmp_path / "other")
    install(other, *PINS, index=wheels, flags=("--no-cache",))

    assert digest(read_environment(one)) != digest(read_environment(other))
