"""Commands on environments of other layouts, and on plain folders."""

import os
from pathlib import Path

import pytest

from tests.kit.bare import make_prefix, make_venv, put
from tests.kit.commands import ask, envaudit
from tests.kit.environments import make_environment
from tests.kit.wheels import Wheel, build_wheel

NEEDY = (
    "Name: needy\nVersion: 1\nRequires-Dist: six>=1\nRequires-Dist: tomli; python_version < '3'\n"
)


def test_a_plain_folder_is_judged(tmp_path: Path) -> None:
    put(tmp_path / "layer/needy-1.dist-info/METADATA", NEEDY)

    answer = ask("check", "--site", tmp_path / "layer")

    codes = {finding["code"] for finding in answer["findings"]}
    assert answer["exit_code"] == 1
    assert {"requirement-missing", "requirement-unknown"} <= codes
    assert answer["environment"]["python"] == "unknown"


def test_a_plain_folder_is_judged_for_a_named_interpreter(tmp_path: Path) -> None:
    bare = make_venv(tmp_path / "bare")
    put(tmp_path / "layer/needy-1.dist-info/METADATA", NEEDY)

    answer = ask("check", "--site", tmp_path / "layer", "--python", bare.root)

    assert "requirement-unknown" not in {finding["code"] for finding in answer["findings"]}
    assert answer["environment"]["python"] == "3.11.7"


def test_a_plain_folder_is_recorded_and_compared(tmp_path: Path) -> None:
    layer = tmp_path / "layer"
    put(layer / "needy-1.dist-info/METADATA", NEEDY)
    state = {**os.environ, "ENVAUDIT_STATE": str(tmp_path / "state")}

    assert envaudit("snapshot", "--site", layer, variables=state).code == 0
    put(layer / "six-1.dist-info/METADATA", "Name: six\nVersion: 1\n")
    drift = envaudit("diff", "--site", layer, variables=state)

    assert drift.code == 4
    assert drift.stdout.startswith("added")


def test_one_environment_has_one_shelf_however_it_is_named(tmp_path: Path) -> None:
    bare = make_venv(tmp_path / "bare")
    (tmp_path / "current").symlink_to(bare.root)
    state = {**os.environ, "ENVAUDIT_STATE": str(tmp_path / "state")}

    assert envaudit("snapshot", "--python", bare.root, variables=state).code == 0

    assert envaudit("diff", "--python", tmp_path / "current", variables=state).code == 0


def test_fix_names_the_owner_and_prints_no_command(tmp_path: Path) -> None:
    prefix = make_prefix(tmp_path / "opt")
    put(
        prefix.root / "lib/python3.11/EXTERNALLY-MANAGED",
        "[externally-managed]\nError=Ask the keeper.\n",
    )
    prefix.record("needy-1.dist-info", NEEDY)

    outcome = envaudit("fix", "--python", prefix.root)

    assert outcome.code == 1
    assert "it says: Ask the keeper." in outcome.stdout
    assert "uv pip install" not in outcome.stdout


@pytest.mark.parametrize("variable", ["UV_PYTHON", "VIRTUAL_ENV", "CONDA_PREFIX"])
def test_the_shell_names_the_environment(tmp_path: Path, variable: str) -> None:
    bare = make_venv(tmp_path / "bare")
    bare.record("six-1.16.0.dist-info")

    variables = {**os.environ, variable: str(bare.root)}
    outcome = envaudit("check", "--fail-on", "never", variables=variables)

    assert outcome.code == 0, outcome.stderr
    assert "in 1 distribution," in outcome.stdout


@pytest.fixture
def canary(tmp_path: Path, index: Path) -> tuple[Path, Path]:
    """Return a real environment where every way to run code at startup leaves a mark, and that."""
    root, mark = make_environment(tmp_path / "environment"), tmp_path / "mark"
    (site,) = root.glob("lib/python*/site-packages")
    code = f"open({str(mark)!r}, 'w').close()"
    put(site / "canary.pth", f"import os; {code}\n")
    put(site / "sitecustomize.py", f"{code}\n")
    put(site / "usercustomize.py", f"{code}\n")
    put(site / "needy-1.dist-info/METADATA", NEEDY)
    put(site / "needy-1.dist-info/RECORD", "needy-1.dist-info/METADATA,,\n")
    for name in ("python", "python3"):
        path = root / "bin" / name
        target = path.resolve()
        path.unlink()
        put(path, f'#!/bin/sh\ntouch {mark}\nexec {target} "$@"\n').chmod(0o755)
    build_wheel(Wheel("six", "1.17.0"), index)
    return root, mark


COMMANDS = (
    ("snapshot", "--to", "kept.json"),
    ("check",),
    ("diff", "ENVIRONMENT", "ENVIRONMENT"),
    ("why", "six"),
    ("policy", "list"),
    ("fix", "--", "--no-index", "--find-links", "INDEX"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_no_command_starts_the_environment_or_runs_a_line_of_it(
    canary: tuple[Path, Path], index: Path, command: tuple[str, ...]
) -> None:
    root, mark = canary
    places = {"ENVIRONMENT": str(root), "INDEX": str(index)}
    before = times(root)
    words = [places.get(word, word) for word in command]
    at = words.index("--") if "--" in words else len(words)

    outcome = envaudit(*words[:at], "--python", str(root), *words[at:])

    assert outcome.code in {0, 1}, outcome.stderr
    assert not mark.exists()
    assert times(root) == before


def times(root: Path) -> dict[Path, int]:
    """Return when each entry changed, but for the lock that uv makes even for a dry run."""
    return {path: path.lstat().st_mtime_ns for path in root.rglob("*") if path != root / ".lock"}


def test_the_canary_sings(canary: tuple[Path, Path]) -> None:
    from tests.kit.environments import run

    root, mark = canary
    run(root / "bin" / "python", "-I", "-c", "pass")

    assert mark.exists()
