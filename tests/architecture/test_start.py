"""What ``check`` pays for at its start: nothing that only other commands need."""

import json
import sys
from pathlib import Path

import pytest

from tests.kit.builders import snapshot
from tests.kit.environments import run
from tests.kit.written import write_environment

# Runs `check` and says which modules it took, and which of ours ask for importlib.metadata
# (networkx does so itself, lazily or not, and that is not ours to change).
PROBE = """\
import builtins, json, sys
askers = set()
original = builtins.__import__
def spy(name, globals=None, locals=None, fromlist=(), level=0):
    asked = {name, *(f"{name}.{item}" for item in fromlist or ())}
    if "importlib.metadata" in asked:
        askers.add((globals or {}).get("__name__", "?"))
    return original(name, globals, locals, fromlist, level)
builtins.__import__ = spy
sys.path.insert(0, PLACE)
from envaudit.cli import run
code = run(["check", "--format", "json", "-o", "report.json", "-q"])
print(json.dumps({"code": code, "modules": sorted(sys.modules), "askers": sorted(askers)}))
"""
HEAVY = (
    "rich",
    "pydantic",
    "tomlkit",
    "uv",
    "asyncio",
    "http",
    "multiprocessing",
    "importlib_metadata",
)
OTHERS = ("commands.demo", "commands.fix", "commands.snapshot", "uv", "doors.process")


@pytest.fixture
def start(tmp_path: Path) -> dict[str, list[str]]:
    """Run ``check`` in an interpreter of its own, and return what it imported."""
    environment = write_environment(snapshot("torch==2.9.1"), tmp_path / "environment")
    place = repr(str(Path(__file__).parents[2]))
    outcome = run(
        sys.executable,
        "-c",
        PROBE.replace("PLACE", place).replace('"-q"', f'"-q", "-p", {str(environment)!r}'),
        folder=tmp_path,
    )
    assert outcome.stdout.startswith('{"code": 0,'), outcome.stderr
    found: dict[str, list[str]] = json.loads(outcome.stdout)
    return found


def test_check_imports_nothing_heavy(start: dict[str, list[str]]) -> None:
    tops = {name.partition(".")[0] for name in start["modules"]}

    assert "networkx" in tops
    assert tops.isdisjoint(HEAVY), tops.intersection(HEAVY)


def test_check_imports_no_other_command(start: dict[str, list[str]]) -> None:
    assert {f"envaudit.{name}" for name in OTHERS}.isdisjoint(start["modules"])


def test_no_module_of_ours_asks_for_importlib_metadata(start: dict[str, list[str]]) -> None:
    assert [name for name in start["askers"] if name.startswith("envaudit")] == []
