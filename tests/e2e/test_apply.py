"""A change either holds or is undone: real uv, and wheels that fit, clash or break a policy."""

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.kit.commands import envaudit
from tests.kit.environments import find_site, install, list_versions, run
from tests.kit.schemas import validate
from tests.kit.staging import contents
from tests.kit.wheels import Wheel, build_wheel

POLICY = """\
[policy]
name = "pair"
[[rule]]
id = "pair"
reason = "they are built for each other"
compare = "left == right"
[[rule.example]]
installed = ["left==1", "right==2"]
verdict = "error"
"""


def module(name: str, version: str) -> Wheel:
    return Wheel(
        name,
        version,
        modules={f"{name}/__init__.py": f"def main():\n    print({version!r})\n"},
        entry_points={f"{name}-run": f"{name}:main"},
    )


@pytest.fixture
def server(environment: Path, index: Path) -> Path:
    """Return an environment with `left 1`, `right 1` and `other 1`; there is a 2 of each."""
    for name in ("left", "right", "other"):
        for version in ("1", "2"):
            build_wheel(module(name, version), index)
    install(environment, "left==1", "right==1", "other==1", index=index)
    return environment


def words(verb: str, server: Path, index: Path, *more: str) -> tuple[str, ...]:
    local = () if verb == "uninstall" else ("--no-index", "--find-links", str(index))
    return "--", "uv", "pip", verb, "--python", str(server), *local, *more


def test_a_change_that_holds(server: Path, index: Path) -> None:
    applied = envaudit("apply", "--format", "json", *words("install", server, index, "-U", "left"))
    report = json.loads(applied.stdout)
    assert applied.code == 0, applied.stderr
    validate("report", report)
    assert report["data"]["outcome"] == "held"
    assert report["data"]["stash"] == ["left"]
    assert list_versions(server) == {"left": "2", "right": "1", "other": "1"}
    assert run(server / "bin" / "left-run").stdout == "2\n"
    assert "+ left==2" in applied.stderr  # uv's own words
    validate("journal", json.loads(Path(report["data"]["journal"]).read_text()))
    (kept,) = Path(os.environ["ENVAUDIT_STATE"]).glob("*/2*.json")
    assert json.loads(kept.read_text())["provenance"]["tool"].startswith("envaudit ")
    diffed = envaudit("diff", "--python", server)
    assert "left" in diffed.stdout
    assert diffed.code == 4


@pytest.mark.parametrize("verb", ["sync", "uninstall"])
def test_the_other_verbs_are_applied_too(server: Path, index: Path, verb: str) -> None:
    (index / "requirements.txt").write_text("left==2\nright==1\n")
    named = str(index / "requirements.txt") if verb == "sync" else "other"
    assert envaudit("apply", *words(verb, server, index, named)).code == 0
    left = "2" if verb == "sync" else "1"
    assert list_versions(server) == {"left": left, "right": "1"}


def test_what_the_gate_refuses_is_not_begun(server: Path, index: Path, tmp_path: Path) -> None:
    policy = tmp_path / "pair.toml"
    policy.write_text(POLICY)
    before = contents(server)
    asked = words("install", server, index, "left==2")
    assert envaudit("apply", "--policy", policy, *asked).code == 1
    assert contents(server) == before
    assert not list((Path(os.environ["ENVAUDIT_STATE"])).rglob("change-*"))


def clash(index: Path) -> None:
    """Build a `clash 1` that uv cannot put where `other` has a file."""
    build_wheel(Wheel("clash", "1", modules={"other/__init__.py/inner.py": ""}), index)


def test_uv_that_fails_half_way_is_undone(server: Path, index: Path) -> None:
    clash(index)
    edited = find_site(server) / "left" / "__init__.py"
    edited.write_text(edited.read_text() + "# by hand\n")
    before = contents(server)
    asked = words("install", server, index, "left==2", "right==2", "clash")
    applied = envaudit("apply", *asked)
    assert applied.code == 5, applied.stdout + applied.stderr
    assert contents(server) == before
    assert list_versions(server) == {"left": "1", "right": "1", "other": "1"}
    assert run(server / "bin" / "left-run").stdout == "1\n"


def test_what_overwrites_files_of_another_is_undone(server: Path, index: Path) -> None:
    build_wheel(Wheel("thief", "1", modules={"other/__init__.py": "stolen = True\n"}), index)
    before = contents(server)
    applied = envaudit("apply", *words("install", server, index, "thief"))
    assert applied.code == 5, applied.stdout + applied.stderr
    assert "files-overlap" in applied.stdout
    assert contents(server) == before


def test_a_bad_result_is_kept_if_asked(server: Path, index: Path) -> None:
    build_wheel(Wheel("thief", "1", modules={"other/__init__.py": "stolen = True\n"}), index)
    assert envaudit("apply", "--keep", *words("install", server, index, "thief")).code == 1
    assert list_versions(server)["thief"] == "1"


def test_the_old_build_comes_back_when_the_index_forgot_it(server: Path, index: Path) -> None:
    for name in ("left", "right", "other"):
        (index / f"{name}-1-py3-none-any.whl").unlink()
    shutil.rmtree(Path(os.environ["UV_CACHE_DIR"]))
    bad = Wheel("left", "3", modules={"right/__init__.py": "stolen = True\n"})
    build_wheel(bad, index)
    build_wheel(module("right", "3"), index)
    before = contents(server)
    applied = envaudit("apply", *words("install", server, index, "left==3", "right==3"))
    assert applied.code == 5, applied.stdout + applied.stderr
    assert contents(server) == before


def test_a_plan_is_carried_out_and_once_only(server: Path, index: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan"
    asked = words("install", server, index, "left==2")
    assert envaudit("gate", "--save", plan, *asked).code == 0
    assert envaudit("apply", "--plan", plan).code == 0
    assert list_versions(server)["left"] == "2"
    again = envaudit("apply", "--plan", plan)
    assert (again.code, "another state" in again.stderr) == (3, True)


def test_a_plan_is_refused_under_another_configuration(
    server: Path, index: Path, tmp_path: Path
) -> None:
    plan = tmp_path / "plan"
    assert envaudit("gate", "--save", plan, *words("install", server, index, "left==2")).code == 0
    Path("uv.toml").write_text("[pip]\nno-deps = true\n")
    applied = envaudit("apply", "--plan", plan)
    assert (applied.code, "another configuration" in applied.stderr) == (3, True)
    assert list_versions(server)["left"] == "1"


@pytest.mark.parametrize(
    "more", ["--require-hashes", "--dry-run", "--editable=.", "left@file:///x.whl", "./left.whl"]
)
def test_what_no_exact_version_stands_for_is_a_usage_error(
    server: Path, index: Path, more: str
) -> None:
    assert envaudit("apply", *words("install", server, index, more, "left")).code == 2
    assert envaudit("apply", "--", "pip", "install", "left").code == 2
    assert envaudit("apply").code == 2


def test_nothing_is_applied_after_a_change_that_was_interrupted(server: Path, index: Path) -> None:
    asked = words("install", server, index, "left==2")
    assert envaudit("apply", *asked).code == 0
    (entry,) = Path(os.environ["ENVAUDIT_STATE"]).glob("*/change-*.json")
    entry.rename(entry.with_suffix(".begun.json"))
    applied = envaudit("apply", *words("install", server, index, "right==2"))
    assert (applied.code, "was interrupted" in applied.stderr) == (3, True)
    assert list_versions(server)["right"] == "1"


def nightly(build: str, torch: str) -> Wheel:
    """Return a build of `deepspeed` that only a file of its own says for which torch it is."""
    info = f"{{'version': '{torch}', 'bf16_support': True, 'cuda_version': '12.8'}}"
    installed = f"installed_ops={{'async_io': True}}\ntorch_info={info}\n"
    modules = {"deepspeed/__init__.py": "", "deepspeed/git_version_info_installed.py": installed}
    return Wheel("deepspeed", f"0.18.0.dev{build}", modules=modules)


def test_a_nightly_index_forgets_the_build_that_worked(environment: Path, index: Path) -> None:
    """No metadata says that build B is for another torch, and only build B is to be had by then."""
    torch = Wheel("torch", "2.9.1", modules={"torch/__init__.py": ""})
    first = build_wheel(nightly("1", "2.9"), index)
    build_wheel(torch, index)
    asked = words("install", environment, index, "--prerelease", "allow", "-U", "deepspeed")
    assert envaudit("apply", *asked[:-2], "deepspeed", "torch").code == 0
    before = contents(environment)
    first.unlink()
    shutil.rmtree(Path(os.environ["UV_CACHE_DIR"]))
    build_wheel(nightly("2", "2.10"), index)
    applied = envaudit("apply", *asked)
    assert applied.code == 5, applied.stdout + applied.stderr
    assert "built" in applied.stdout
    assert "torch-deepspeed" in applied.stdout
    assert contents(environment) == before
    assert list_versions(environment) == {"deepspeed": "0.18.0.dev1", "torch": "2.9.1"}
    assert envaudit("check", "--python", environment).code == 0


def test_a_configuration_that_changes_after_the_judgement_stops_it(
    server: Path, index: Path, tmp_path: Path
) -> None:
    """What installs while it is asked stands for somebody who edits the file meanwhile."""
    program = tmp_path / "uv"
    edit = 'case "$*" in *--dry-run*) echo "[pip]" > uv.toml;; esac'
    program.write_text(f'#!/bin/sh\n{edit}\nexec {shutil.which("uv")} "$@"\n')
    program.chmod(0o755)
    before = contents(server)
    asked = words("install", server, index, "left==2")
    applied = envaudit("apply", "--", program, *asked[2:])
    assert (applied.code, "configuration changed" in applied.stderr) == (3, True)
    assert contents(server) == before
    assert envaudit("check", "--python", server).code == 0


def test_what_somebody_else_changes_meanwhile_fails_it(
    server: Path, index: Path, tmp_path: Path
) -> None:
    """What installs one more thing than it was told to stands for somebody else's install."""
    program, real = tmp_path / "uv", shutil.which("uv")
    more = f"{real} pip install -q --python {server} --no-index --find-links {index} other==2"
    edit = f'case "$*" in *--dry-run*) ;; *install*left==2*) {more};; esac'
    program.write_text(f'#!/bin/sh\n{edit}\nexec {real} "$@"\n')
    program.chmod(0o755)
    before = contents(server)
    applied = envaudit("apply", "--", program, *words("install", server, index, "left==2")[2:])
    assert applied.code == 5, applied.stdout + applied.stderr
    assert "`other` is upgraded, which nobody asked for" in applied.stdout
    assert contents(server) == before
