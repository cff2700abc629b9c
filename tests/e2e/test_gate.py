"""The gate with real uv: what an install would do is judged, and nothing is touched."""

import hashlib
from pathlib import Path

import pytest

from tests.kit.commands import ask, envaudit, introduced
from tests.kit.environments import (
    find_site,
    install,
    list_versions,
    make_environment,
    run,
    uninstall,
)
from tests.kit.wheels import Wheel, build_wheel


def command(verb: str, server: Path, wheels: Path, *words: str) -> tuple[str, ...]:
    """Return the words after which the gate is asked: a user's own uv command."""
    index = () if verb == "uninstall" else ("--no-index", "--find-links", str(wheels))
    return "--", "uv", "pip", verb, "--python", str(server), *index, *words


def fingerprint(environment: Path) -> str:
    """Return a digest of every path, time and content in the site directory."""
    total = hashlib.sha256()
    for path in sorted(find_site(environment).rglob("*")):
        total.update(f"{path} {path.lstat().st_mtime_ns}\n".encode())
        if path.is_file():
            total.update(path.read_bytes())
    return total.hexdigest()


def test_the_upgrade_is_refused_and_the_command_that_is_printed_passes(
    healthy: Path, wheels: Path
) -> None:
    before = fingerprint(healthy)
    words = command("install", healthy, wheels, "vllm==0.17.0")
    report = ask("gate", *words)
    assert report["exit_code"] == 1
    assert introduced(report) == [("compare", ["flashinfer-cubin", "flashinfer-python"])]
    (right,) = report["plan"]["commands"]
    assert right == [*words[1:], "flashinfer-cubin==0.6.4"]
    assert envaudit("gate", "--", *right).code == 0
    assert fingerprint(healthy) == before, "the gate touches nothing"
    assert run("/bin/sh", "-c", report["plan"]["shell"]).code == 0
    assert envaudit("check", "--python", healthy).code == 0


def test_the_text_says_what_would_change_and_what_instead(healthy: Path, wheels: Path) -> None:
    answered = envaudit("gate", *command("install", healthy, wheels, "vllm==0.17.0"))
    lines = answered.stdout.splitlines()
    assert lines[-2] == "refused: 1 error would come of it; nothing was touched"
    assert lines[-1].startswith("instead: uv pip install")
    assert "  since: the command would bring it" in lines
    assert any("vllm  " in line and "the command requires vllm==0.17.0" in line for line in lines)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("vllm==0.17.0", "flashinfer-cubin==0.6.4"), "pass: 4 upgraded\n"),
        (("vllm",), "pass: the command would change nothing\n"),
        (("extra-thing",), "pass: 1 added\n"),
    ],
)
def test_what_harms_nothing_passes_with_one_line(
    healthy: Path, wheels: Path, words: tuple[str, ...], line: str
) -> None:
    build_wheel(Wheel("extra-thing", "1"), wheels)
    answered = envaudit("gate", *command("install", healthy, wheels, *words))
    assert (answered.code, answered.stdout) == (0, line)


def test_a_plan_that_repairs_passes_though_the_present_is_broken(
    server: Path, wheels: Path
) -> None:
    answered = envaudit("gate", *command("install", server, wheels, "flashinfer-cubin==0.6.4"))
    assert (answered.code, answered.stdout) == (0, "pass: 1 upgraded\n")


def test_what_was_there_before_is_shown_and_refuses_only_when_asked_to(
    server: Path, wheels: Path
) -> None:
    build_wheel(Wheel("extra-thing", "1"), wheels)
    words = command("install", server, wheels, "extra-thing")
    report = ask("gate", *words)
    assert report["exit_code"] == 0
    assert [item["introduced"] for item in report["findings"]] == [False]
    answered = envaudit("gate", "--strict", *words)
    assert answered.code == 1
    assert "refused: 1 error would be there after it, all from before; nothing" in answered.stdout
    assert "  since: before the command\n" in answered.stdout


def test_a_dependency_that_is_moved_under_its_dependent_is_refused(
    healthy: Path, wheels: Path
) -> None:
    report = ask("gate", *command("install", healthy, wheels, "torch==2.10.0"))
    assert introduced(report) == [("requirement-unmet", ["torch", "vllm"])]
    assert report["plan"]["commands"][0][-2:] == ["flashinfer-cubin==0.6.4", "vllm==0.17.0"]


def test_a_dependent_without_a_release_that_fits_leaves_no_way_and_says_why(
    healthy: Path, wheels: Path
) -> None:
    build_wheel(Wheel("torch", "3.0"), wheels)
    report = ask("gate", *command("install", healthy, wheels, "torch==3.0"))
    assert report["exit_code"] == 1
    assert report["plan"] is None
    reasons = "".join(item["reason"] for item in report["rejected"])
    assert "vllm" in reasons
    assert "with everything else held as it is: " in reasons
    assert len({item["reason"] for item in report["rejected"]}) == len(report["rejected"])
    answered = envaudit("gate", *command("install", healthy, wheels, "torch==3.0"))
    assert "in the way: vllm 0.16.0 requires torch==2.9.1\n" in answered.stdout
    assert "()" not in answered.stdout


def test_removing_what_is_required_is_refused(healthy: Path, wheels: Path) -> None:
    report = ask("gate", *command("uninstall", healthy, wheels, "Torch"))
    assert introduced(report) == [
        ("requirement-missing", ["flashinfer-python", "torch"]),
        ("requirement-missing", ["torch", "vllm"]),
    ]
    assert list_versions(healthy)["torch"] == "2.9.1"
    assert introduced(ask("gate", *command("uninstall", healthy, wheels, "torch==7"))) != []
    assert envaudit("gate", *command("uninstall", healthy, wheels, "flashinfer-cubin")).code == 0


def test_a_sync_is_judged_with_all_that_it_would_remove(
    healthy: Path, wheels: Path, tmp_path: Path
) -> None:
    requirements = tmp_path / "requirements.txt"
    requirements.write_text("vllm==0.16.0\ntorch==2.9.1\n")
    report = ask("gate", *command("sync", healthy, wheels, str(requirements)))
    assert introduced(report) == [("requirement-missing", ["flashinfer-python", "vllm"])]
    kinds = {item["name"]: item["kind"] for item in report["changes"]}
    assert kinds == {"flashinfer-cubin": "removed", "flashinfer-python": "removed"}
    assert report["notes"] == [], "nothing comes in, so nothing about it is unknown"


def test_pydantic_core_is_not_moved_under_pydantic(tmp_path: Path, index: Path) -> None:
    for core in ("2.18.1", "2.18.2"):
        build_wheel(Wheel("pydantic-core", core), index)
    build_wheel(Wheel("pydantic", "2.7.0", requires=("pydantic-core==2.18.1",)), index)
    build_wheel(Wheel("pydantic", "2.7.1", requires=("pydantic-core==2.18.2",)), index)
    environment = make_environment(tmp_path / "web")
    install(environment, "pydantic==2.7.0", index=index)
    report = ask("gate", *command("install", environment, index, "-U", "pydantic-core"))
    assert introduced(report) == [("requirement-unmet", ["pydantic", "pydantic-core"])]
    right = report["plan"]["commands"][0]
    assert {"pydantic==2.7.1", "pydantic-core==2.18.2"} <= set(right)
    assert envaudit("gate", "--", *right).code == 0


def test_a_command_without_a_solution_is_refused_in_the_words_of_uv(
    healthy: Path, wheels: Path
) -> None:
    answered = envaudit("gate", *command("install", healthy, wheels, "torch==99"))
    assert answered.code == 1
    assert "there is no version of torch==99" in answered.stdout


def test_a_source_tree_is_not_built_unless_allowed(
    healthy: Path, wheels: Path, tmp_path: Path
) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    canary = tmp_path / "canary"
    (tree / "setup.py").write_text(f"import pathlib; pathlib.Path({str(canary)!r}).touch()\n")
    answered = envaudit("gate", *command("install", healthy, wheels, str(tree)))
    assert answered.code == 3
    assert not canary.exists()


def test_what_uv_names_no_version_for_is_undetermined_unless_allowed(
    healthy: Path, wheels: Path, tmp_path: Path
) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "pyproject.toml").write_text('[project]\nname = "my-tree"\nversion = "1"\n')
    words = command("install", healthy, wheels, "-e", str(tree))
    answered = envaudit("gate", *words)
    assert answered.code == 3
    assert "--allow-undetermined my-tree" in answered.stderr
    assert envaudit("gate", "--allow-undetermined", "My_Tree", *words).code == 0


def test_nothing_of_the_environment_runs(healthy: Path, wheels: Path) -> None:
    canary = healthy / "canary"
    hook = f"import pathlib; pathlib.Path({str(canary)!r}).touch()\n"
    (find_site(healthy) / "canary.pth").write_text(hook)
    (find_site(healthy) / "sitecustomize.py").write_text(hook)
    assert envaudit("gate", *command("install", healthy, wheels, "vllm==0.17.0")).code == 1
    assert not canary.exists()


def test_two_environments_in_one_call_are_a_usage_error(
    healthy: Path, wheels: Path, tmp_path: Path
) -> None:
    other = make_environment(tmp_path / "other")
    words = command("install", healthy, wheels, "vllm")
    assert envaudit("gate", "--python", other, *words).code == 2
    assert envaudit("gate", "--python", healthy, *words).code == 0


def test_a_dependent_that_was_broken_before_is_not_blamed_on_the_install(
    healthy: Path, wheels: Path
) -> None:
    uninstall(healthy, "torch")
    report = ask("gate", *command("install", healthy, wheels, "flashinfer-cubin==0.6.3"))
    assert report["exit_code"] == 0
    assert {item["introduced"] for item in report["findings"]} == {False}


def test_uninstalling_what_shares_files_with_something_else_is_refused(
    environment: Path, index: Path
) -> None:
    build_wheel(Wheel("PyJWT", "2.10.1", modules={"jwt/__init__.py": "encode = 1\n"}), index)
    build_wheel(Wheel("jwt", "1.3.1", modules={"jwt/__init__.py": "other = 1\n"}), index)
    install(environment, "pyjwt", "jwt", index=index)

    report = ask("gate", *command("uninstall", environment, index, "jwt"))

    assert introduced(report) == [("files-missing", ["pyjwt"])]
    assert report["exit_code"] == 1
