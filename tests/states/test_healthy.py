"""What is sound stays quiet: no error and no warning, whoever installed it."""

import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from envaudit.core.codec import decode
from tests.kit.commands import ROOT
from tests.kit.environments import install, make_environment, run
from tests.kit.repairing import loud
from tests.kit.wheels import Wheel, build_wheel
from tests.kit.written import write_environment

WHEELS = (
    Wheel(
        "web",
        "1.0",
        modules={"web/__init__.py": "", "web/templates/index.html": "<p>", "web/_c.abi3.so": ""},
        requires=("google-api", "google-auth"),
        entry_points={"web": "web:main"},
    ),
    Wheel("google-api", "1.0", modules={"google/api/__init__.py": "", "google/api/x_pb2.py": ""}),
    Wheel("google-auth", "1.0", modules={"google/auth/__init__.py": ""}),
    Wheel("backports.zoneinfo", "1.0", modules={"backports/zoneinfo/__init__.py": ""}),
    Wheel("typing_extensions", "4.12.2", modules={"typing_extensions.py": ""}),
    Wheel("Odd.Name", "1!2.0+local.1", modules={"odd_name.py": "", "a,b/__init__.py": ""}),
)
NAMES = ("web", "backports-zoneinfo", "typing-extensions", "odd-name")


@pytest.fixture
def wheels(index: Path) -> Path:
    for wheel in WHEELS:
        build_wheel(wheel, index)
    return index


def test_what_uv_installed_is_quiet(environment: Path, wheels: Path) -> None:
    install(environment, *NAMES, index=wheels)

    assert loud(environment) == {}


@pytest.mark.skipif(find_spec("pip") is None, reason="needs pip beside the tests")
def test_what_pip_installed_is_quiet(environment: Path, wheels: Path) -> None:
    pip = (sys.executable, "-m", "pip", "--python", environment / "bin" / "python")
    done = run(*pip, "install", "--no-index", "--find-links", wheels, *NAMES)
    assert done.code == 0, done.stderr

    assert loud(environment) == {}


def test_what_was_imported_once_is_quiet(environment: Path, wheels: Path) -> None:
    install(environment, *NAMES, index=wheels)
    run(environment / "bin" / "python", "-c", "import web, google.api, typing_extensions")

    assert loud(environment) == {}


def test_an_empty_environment_is_quiet(tmp_path: Path) -> None:
    assert loud(make_environment(tmp_path / "empty")) == {}


@pytest.mark.parametrize("name", ["vllm-0.16.0", "vllm-0.17.0"])
def test_the_two_real_environments_written_out_are_quiet(name: str, tmp_path: Path) -> None:
    taken = decode((ROOT / "snapshots" / f"{name}.json").read_text(), at=name)
    records = tuple(replace(one, content_id=one.label) for one in taken.distributions)
    written = write_environment(replace(taken, distributions=records), tmp_path / name)

    assert {key for key in loud(written) if "python-changed" not in key} == set()
