"""T19: a configuration that others put where the gate or `exec` runs, to switch a rule off."""

from pathlib import Path

import pytest

from tests.kit.commands import ask, envaudit

OFF = 'builtin-policies = false\ndisable = ["flashinfer-cubin"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder in which the deploy runs."""
    place = tmp_path / "shared" / "deploy"
    place.mkdir(parents=True)
    return place


def gate(server: Path, wheels: Path) -> tuple[str | Path, ...]:
    local = ("--no-index", "--find-links", wheels)
    return "--", "uv", "pip", "install", "-p", server, *local, "vllm==0.17.0"


@pytest.mark.parametrize("name", ["envaudit.toml", "pyproject.toml"])
def test_nothing_is_looked_for_in_folders_above(
    name: str, healthy: Path, wheels: Path, folder: Path
) -> None:
    text = OFF if name == "envaudit.toml" else f"[tool.envaudit]\n{OFF}"
    (folder.parent / name).write_text(text)
    report = ask("gate", *gate(healthy, wheels), folder=folder)
    assert report["exit_code"] == 1
    assert report["policies"], "it says which files judged"
    assert all(len(policy["digest"]) >= 64 for policy in report["policies"])


def test_what_everybody_may_write_to_is_not_believed(
    healthy: Path, wheels: Path, folder: Path
) -> None:
    (folder / "envaudit.toml").write_text(OFF)
    (folder / "envaudit.toml").chmod(0o666)
    report = ask("gate", *gate(healthy, wheels), folder=folder)
    assert report["exit_code"] == 1
    (configuration,) = report["configurations"]
    assert "everybody" in configuration["refused"]


def test_a_service_is_not_started_by_a_configuration_of_others(
    server: Path, folder: Path, tmp_path: Path
) -> None:
    canary = tmp_path / "canary"
    (folder.parent / "envaudit.toml").write_text(OFF)
    (folder / "envaudit.toml").write_text(OFF)
    (folder / "envaudit.toml").chmod(0o666)
    answered = envaudit("exec", "-p", server, "--", "/bin/touch", canary, folder=folder)
    assert answered.code == 78
    assert not canary.exists()
