"""Every import contract of ``pyproject.toml`` holds, and catches a violation that is planted."""

import shutil
import sys
import tomllib
from pathlib import Path

import pytest

import envaudit
from tests.kit.environments import Outcome, run

HOUSE = Path(envaudit.__file__).parent
CONFIGURATION = Path(__file__).parents[2] / "pyproject.toml"

# By contract: a file, and the import that must not stand in it.
PLANTS = {
    "the house has floors: imports run downward only, and never sideways": (
        ("model/distribution.py", "import envaudit.core.codec"),
        ("checks/vacuous.py", "import envaudit.rules.compare"),
        ("readers/store.py", "import envaudit.uv.binary"),
        ("doors/disk.py", "import envaudit.readers.store"),
        ("commands/check.py", "import envaudit.cli"),
    ),
    "judges cannot act": (
        ("commands/check.py", "import envaudit.effects.snapshot_file"),
        ("commands/diff.py", "import envaudit.uv.execute"),
        ("commands/why.py", "import envaudit.commands.snapshot"),
        ("commands/judging.py", "import envaudit.effects.report_file"),
        ("commands/verify.py", "import envaudit.effects.report_file"),
    ),
    "fix prints, and changes nothing": (
        ("commands/fix.py", "import envaudit.uv.execute"),
        ("uv/dry_run.py", "import envaudit.uv.execute"),
    ),
    "snapshot keeps a snapshot, and changes nothing else": (
        ("commands/snapshot.py", "import envaudit.uv.binary"),
    ),
    "only effects write": (
        ("commands/demo.py", "import envaudit.doors.disk_write"),
        ("readers/store.py", "import envaudit.doors.disk_write"),
    ),
    "networkx has one owner": (("core/infer.py", "import networkx"),),
    "typer has one owner": (("commands/check.py", "import typer"),),
    "tomlkit has one owner": (("readers/policies.py", "import tomlkit"),),
    "only the door to processes starts one": (("uv/execute.py", "import subprocess"),),
    "nobody imports what slows the start": (("render/text.py", "import rich.text"),),
    "what thinks touches no disk, no clock, no environment variable and no network": (
        ("core/evaluate.py", "import time"),
        ("rules/compare.py", "import os"),
    ),
}


def _lint(folder: Path) -> Outcome:
    script = Path(sys.executable).with_name("lint-imports")
    return run(script, "--no-cache", "--no-logo", "pyproject.toml", folder=folder)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a folder with a copy of the package and of its configuration."""
    shutil.copytree(HOUSE, tmp_path / "envaudit", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(CONFIGURATION, tmp_path)
    return tmp_path


def test_every_contract_has_a_violation_that_is_planted_here() -> None:
    configuration = tomllib.loads(CONFIGURATION.read_text(encoding="utf-8"))
    contracts = configuration["tool"]["importlinter"]["contracts"]

    assert {contract["name"] for contract in contracts} == set(PLANTS)


def test_the_house_keeps_its_contracts(copy: Path) -> None:
    outcome = _lint(copy)

    assert outcome.code == 0, outcome.stdout
    assert f"{len(PLANTS)} kept, 0 broken" in outcome.stdout


@pytest.mark.parametrize(
    ("contract", "name", "planted"),
    [(contract, *plant) for contract, plants in PLANTS.items() for plant in plants],
)
def test_a_planted_import_breaks_the_contract(
    contract: str, name: str, planted: str, copy: Path
) -> None:
    target = copy / "envaudit" / name
    target.write_text(f"{target.read_text(encoding='utf-8')}\n{planted}\n", encoding="utf-8")

    outcome = _lint(copy)

    assert outcome.code != 0
    assert f"{contract} BROKEN" in outcome.stdout
