"""The founding incident with real uv: recorded, made, found, repaired by the command as printed."""

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from uv import find_uv_bin

from tests.kit.commands import ask, envaudit
from tests.kit.environments import install, list_versions, make_environment, run, uninstall


def flags(wheels: Path) -> tuple[str, ...]:
    return "--", "--no-index", "--find-links", str(wheels)


def paste(command: str) -> Mapping[str, str]:
    """Run ``command`` as a shell does, and return the variables that it ran with."""
    assert run("/bin/sh", "-c", command).code == 0
    return os.environ


def test_the_printed_command_repairs_the_server_and_moves_cubin_alone(
    server: Path, wheels: Path
) -> None:
    before = list_versions(server)
    assert envaudit("check", "--python", server).code == 1
    fixed = envaudit("fix", "--python", server, *flags(wheels))
    assert fixed.code == 0
    assert list_versions(server) == before, "to find the command changes nothing"
    (command,) = [line for line in fixed.stdout.splitlines() if line and line[0] != "#"]
    paste(command)
    assert list_versions(server) == before | {"flashinfer-cubin": "0.6.4"}
    assert envaudit("check", "--python", server, "--baseline", "@last").code == 0


def test_all_that_is_printed_is_a_shell_script(server: Path, wheels: Path) -> None:
    paste(envaudit("fix", "--python", server, *flags(wheels)).stdout)
    assert envaudit("check", "--python", server).code == 0


def test_json_gives_the_command_as_an_argument_list(server: Path, wheels: Path) -> None:
    plan = ask("fix", "--python", server, *flags(wheels))["plan"]
    assert plan["verified"] is True
    assert plan["direction"] == "forward"
    assert [step["name"] for step in plan["steps"]] == ["flashinfer-cubin"]
    (command,) = plan["commands"]
    assert run(*command).code == 0
    assert envaudit("check", "--python", server).code == 0


@pytest.mark.parametrize(
    ("direction", "versions"),
    [
        ("back", {"vllm": "0.16.0", "torch": "2.9.1", "flashinfer-python": "0.6.3"}),
        ("remove", {"flashinfer-cubin": None}),
    ],
)
def test_each_other_direction_works_as_well(
    server: Path, wheels: Path, direction: str, versions: dict[str, str | None]
) -> None:
    before = list_versions(server)
    report = ask("fix", "--python", server, "--direction", direction, *flags(wheels))
    assert report["plan"]["direction"] == direction
    paste(report["plan"]["shell"])
    expected: dict[str, str | None] = {**before, **versions}
    assert list_versions(server) == {name: at for name, at in expected.items() if at is not None}
    assert envaudit("check", "--python", server).code == 0


def test_when_the_index_has_no_matching_cubin_the_other_ways_are_offered_and_why(
    server: Path, wheels: Path
) -> None:
    (wheels / "flashinfer_cubin-0.6.4-py3-none-any.whl").unlink()
    report = ask("fix", "--python", server, *flags(wheels))
    ways = [report["plan"], *report["plan"]["alternatives"]]
    assert [way["direction"] for way in ways] == ["remove", "back"]
    (rejected,) = report["rejected"]
    assert rejected["direction"] == "forward"
    assert rejected["requirements"] == ["flashinfer-cubin==0.6.4"]
    assert "flashinfer-cubin==0.6.4" in rejected["reason"]
    text = envaudit("fix", "--python", server, *flags(wheels)).stdout
    assert "# forward does not work (flashinfer-cubin==0.6.4):" in text


def test_without_a_baseline_the_way_back_is_found_by_uv(
    server: Path, wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENVAUDIT_STATE", str(tmp_path / "empty"))
    report = ask("fix", "--python", server, "--direction", "back", *flags(wheels))
    assert report["plan"]["commands"][0][-2:] == ["flashinfer-python==0.6.3", "vllm==0.16.0"]
    assert "there is no baseline" in report["notes"][0]


def test_when_nothing_works_it_says_what_stands_in_the_way(server: Path, wheels: Path) -> None:
    uninstall(server, "torch")
    for wheel in wheels.glob("torch-*.whl"):
        wheel.unlink()
    (wheels / "flashinfer_cubin-0.6.4-py3-none-any.whl").unlink()
    answered = envaudit("fix", "--python", server, *flags(wheels))
    assert answered.code == 1
    assert "# no command was found" in answered.stdout
    assert "torch" in answered.stdout


def test_nothing_to_fix_is_a_success(tmp_path: Path, wheels: Path) -> None:
    healthy = make_environment(tmp_path / "healthy")
    install(healthy, "vllm==0.17.0", index=wheels)
    answered = envaudit("fix", "--python", healthy, *flags(wheels))
    assert (answered.code, answered.stdout) == (0, "# nothing to fix\n")


def test_the_command_begins_with_uv_only_where_path_finds_the_one_that_was_tried(
    server: Path, wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = find_uv_bin()
    monkeypatch.setenv("PATH", f"{Path(tried).parent}:{os.environ['PATH']}")
    assert ask("fix", "--python", server, *flags(wheels))["plan"]["commands"][0][0] == "uv"
    other = tmp_path / "bin" / "uv"
    other.parent.mkdir()
    shutil.copy(sys.executable, other)
    monkeypatch.setenv("PATH", f"{other.parent}:{os.environ['PATH']}")
    assert ask("fix", "--python", server, *flags(wheels))["plan"]["commands"][0][0] == tried


def test_a_moved_dependency_is_brought_back_by_naming_its_dependent(
    server: Path, wheels: Path
) -> None:
    install(server, "vllm==0.16.0", "flashinfer-cubin==0.6.3", index=wheels)
    install(server, "torch==2.10.0", index=wheels)
    report = ask("fix", "--python", server, *flags(wheels))
    assert [item["code"] for item in report["findings"]] == ["requirement-unmet"]
    paste(report["plan"]["shell"])
    assert list_versions(server)["torch"] == "2.9.1"
    assert envaudit("check", "--python", server).code == 0


def test_no_interpreter_of_the_environment_is_started(server: Path, wheels: Path) -> None:
    (site,) = server.glob("lib/python*/site-packages")
    canary = server / "canary"
    hook = f"import pathlib; pathlib.Path({str(canary)!r}).touch()\n"
    (site / "canary.pth").write_text(hook)
    (site / "sitecustomize.py").write_text(hook)
    for command, *rest in (
        ("snapshot",),
        ("diff",),
        ("check", "--baseline", "@last"),
        ("why", "torch"),
        ("fix", *flags(wheels)),
    ):
        envaudit(command, "--python", server, *rest)
        assert not canary.exists(), command
    run(server / "bin" / "python", "-c", "pass")
    assert canary.exists(), "the canary itself works"
