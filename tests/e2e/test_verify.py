"""Real wheels, real uv: nothing is invented on a fresh install, and the recipes on edits hold.

T16 and T29 of the attacks are here, since they need uv and its cache.
"""

import json
import os
import re
import sys
from pathlib import Path

import pytest

from envaudit.model.finding import Finding
from tests.kit.commands import envaudit
from tests.kit.environments import (
    find_site,
    hermetic_variables,
    install,
    make_environment,
    run,
    uninstall,
    uv,
)
from tests.kit.verifying import codes, verified
from tests.kit.wheels import Wheel, build_wheel

SIX = Wheel("six", "1.16.0", modules={"six.py": "PY3 = True\n"})
TOOL = Wheel(
    "tool",
    "1",
    modules={"tool/__init__.py": "def main(): print('ok')\n", "tool/data, odd.txt": "x"},
    entry_points={"tool": "tool:main"},
)
EMPTY = Wheel("empty", "1", modules={"empty/__init__.py": "", "empty/py.typed": ""})
SPREAD = Wheel(
    "spread",
    "1",
    modules={
        "spread/__init__.py": "",
        "spread-1.data/headers/spread.h": "int x;\n",
        "spread-1.data/scripts/spread-run": "#!python\nprint(1)\n",
        "spread-1.data/scripts/spread-shell": "#!/bin/sh\n",
        "spread-1.data/data/share/spread.txt": "x",
        "spread-1.data/purelib/spread/more.py": "",
    },
)
ALL = ("six", "tool", "empty", "spread")


@pytest.fixture
def wheels(index: Path) -> Path:
    for wheel in (SIX, TOOL, EMPTY, SPREAD):
        build_wheel(wheel, index)
    return index


@pytest.mark.parametrize("mode", ["copy", "hardlink", "symlink", "clone"])
@pytest.mark.parametrize("flags", [(), ("--compile-bytecode",)])
def test_a_fresh_install_by_uv_has_no_finding(
    mode: str, flags: tuple[str, ...], environment: Path, wheels: Path
) -> None:
    install(environment, *ALL, index=wheels, flags=("--link-mode", mode, *flags))

    report = verified(environment, deep=True)

    assert report.findings == ()
    assert report.exit == 0
    assert isinstance(report.data, dict)
    assert (report.data["distributions"], report.data["unverifiable"]) == (4, 0)


@pytest.mark.parametrize("flags", [(), ("--no-compile",), ("--no-deps",)])
def test_a_fresh_install_by_pip_has_no_finding(
    flags: tuple[str, ...], environment: Path, wheels: Path
) -> None:
    pip = (sys.executable, "-m", "pip", "--python", environment / "bin" / "python")
    done = run(*pip, "install", "--no-index", "--find-links", wheels, *flags, *ALL)
    assert done.code == 0, done.stderr

    assert verified(environment, deep=True).findings == ()


def test_a_fresh_install_that_was_used_has_no_finding(environment: Path, wheels: Path) -> None:
    install(environment, "tool", "six", index=wheels)
    variables = {name: value for name, value in os.environ.items() if "BYTECODE" not in name}
    assert run(environment / "bin" / "tool", variables=variables).stdout == "ok\n"
    assert list(find_site(environment).rglob("*.pyc"))

    assert verified(environment).findings == ()


def _edit(path: Path, text: str = "# edit\n") -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def _modified(environment: Path) -> Finding:
    (finding,) = verified(environment).findings
    assert finding.code == "files-modified"
    return finding


def test_an_edit_in_place_is_found_where_no_checker_of_metadata_finds_it(
    environment: Path, wheels: Path
) -> None:
    install(environment, "six", index=wheels)
    _edit(find_site(environment) / "six.py")

    assert uv("pip", "check", "--no-config", "--python", environment).code == 0
    assert _modified(environment).distributions == ("six",)


def test_an_edit_of_a_hard_link_is_in_the_cache_and_in_the_sibling_and_the_remedy_ends_it(
    environment: Path, wheels: Path, tmp_path: Path
) -> None:
    """T16, and the recipe on hard links: what is said is what happens."""
    linked = ("--link-mode", "hardlink")
    sibling = make_environment(tmp_path / "sibling")
    for one in (environment, sibling):
        install(one, "six", index=wheels, flags=linked)
    file = find_site(environment) / "six.py"
    if file.stat().st_nlink == 1:
        pytest.skip("this file system has no hard links for uv")
    _edit(file)

    for one in (environment, sibling):
        assert any("hard links" in line for line in _modified(one).evidence)
        assert any("`uv cache clean six` first" in line for line in _modified(one).evidence)

    # A reinstall alone brings the edit back.
    uninstall(environment, "six")
    install(environment, "six", index=wheels, flags=linked)
    assert _modified(environment).distributions == ("six",)

    assert uv("cache", "clean", "six").code == 0
    again = ("--reinstall-package", "six", *linked)
    install(environment, "six", index=wheels, flags=again)
    assert verified(environment).findings == ()
    assert _modified(sibling).distributions == ("six",)


def test_it_says_what_the_readme_says(environment: Path, wheels: Path) -> None:
    module = "flashinfer/jit/env.py"
    modules = {"flashinfer/__init__.py": "", module: "DEBUG = False\n"}
    build_wheel(Wheel("flashinfer-python", "0.6.4", modules=modules), wheels)
    install(environment, "flashinfer-python", index=wheels, flags=("--link-mode", "hardlink"))
    _edit(find_site(environment) / module, "DEBUG = True\n")
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    shown = readme.partition("$ envaudit verify --python /srv/vllm\n")[2].partition("```")[0]

    said = envaudit("verify", "-p", environment).stdout

    time = re.compile(r"written \S+,")
    assert time.sub("", said) == time.sub("", shown)


@pytest.mark.parametrize("mode", ["hardlink", "copy"])
def test_the_command_that_fix_prints_ends_an_edit_that_is_in_the_cache_too(
    mode: str, environment: Path, wheels: Path
) -> None:
    install(environment, "six", "tool", index=wheels, flags=("--link-mode", mode))
    _edit(find_site(environment) / "six.py")
    flags = ("--find-links", wheels, "--no-index", "--link-mode", mode)

    told = envaudit("fix", "-p", environment, "--verify", "--format", "json", "--", *flags)

    assert told.code == 0, told.stdout + told.stderr
    commands = json.loads(told.stdout)["plan"]["commands"]
    assert (["cache", "clean", "six"] in [one[1:] for one in commands]) is (mode != "copy")
    for command in commands:
        assert uv(*command[1:]).code == 0
    assert verified(environment).findings == ()
    again = envaudit("fix", "-p", environment, "--verify", "--", *flags)
    assert again.stdout == "# nothing to fix\n"


def test_an_edit_through_a_link_into_the_cache_is_found(environment: Path, wheels: Path) -> None:
    install(environment, "six", index=wheels, flags=("--link-mode", "symlink"))
    file = find_site(environment) / "six.py"
    if not file.is_symlink():
        pytest.skip("uv did not link")
    _edit(file.resolve())

    assert any("a link into uv's cache" in line for line in _modified(environment).evidence)


def test_stale_bytecode_is_told_from_bytecode_that_runs(environment: Path, wheels: Path) -> None:
    install(environment, "tool", index=wheels, flags=("--compile-bytecode",))
    _edit(find_site(environment) / "tool" / "__init__.py")

    assert codes(verified(environment)) == ["error[files-modified]", "info[bytecode-stale]"]


def test_a_patch_is_recorded_and_a_reinstall_is_checked_for_leftovers_of_it(
    environment: Path, wheels: Path, tmp_path: Path
) -> None:
    install(environment, "six", "tool", index=wheels)
    _edit(find_site(environment) / "six.py")
    _edit(find_site(environment) / "tool" / "__init__.py")
    baseline = tmp_path / "patched.json"
    assert envaudit("snapshot", "--files", "--to", baseline, "-p", environment).code == 0
    assert len(json.loads(baseline.read_text())["files"]) == 2

    install(environment, "six", index=wheels, flags=("--reinstall-package", "six"))

    (left,) = verified(environment, baseline=baseline).findings
    assert (left.code, left.distributions) == ("files-modified-before", ("tool",))


def test_it_reads_nothing_of_the_users_and_writes_nothing_into_the_environment(
    environment: Path, wheels: Path, tmp_path: Path
) -> None:
    install(environment, "six", index=wheels)
    before = {path: path.stat().st_mtime_ns for path in sorted(environment.rglob("*"))}

    variables = hermetic_variables(tmp_path / "home")
    assert envaudit("verify", "-p", environment, variables=variables).code == 0

    assert {path: path.stat().st_mtime_ns for path in sorted(environment.rglob("*"))} == before
