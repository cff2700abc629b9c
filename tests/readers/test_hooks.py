"""Startup hooks: found, attributed, and never run."""

import hashlib
from pathlib import Path

import pytest

from tests.kit.bare import Bare, make_prefix, make_venv, put

SITE = "lib/python3.11/site-packages"


def test_executable_lines_with_digest_and_owner(bare: Bare) -> None:
    content = "# a remark\nimport os; x = 1\n/nowhere\nimportant/path\nimport\tsys  \n"
    bare.put("distutils-precedence.pth", content)
    bare.record("setuptools-80.0.dist-info", RECORD="distutils-precedence.pth,sha256=x,1\n")

    (hook,) = bare.read().hooks

    assert hook.path == f"{SITE}/distutils-precedence.pth"
    assert hook.lines == ("import os; x = 1", "import\tsys")
    assert hook.digest == f"sha256:{hashlib.sha256(content.encode()).hexdigest()}"
    assert hook.owner == "setuptools"


@pytest.mark.parametrize("separator", ["\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028"])
def test_no_line_separator_hides_a_line(bare: Bare, separator: str) -> None:
    bare.put("x.pth", f"harmless{separator}import evil\n")

    assert bare.read().hooks[0].lines == ("import evil",)


def test_a_claim_in_a_damaged_record_stands(bare: Bare) -> None:
    bare.put("x.pth", "import os\n")
    bare.record("x-1.0.dist-info", RECORD='"unterminated,sha256=x,1\n\nx.pth,,\n')

    assert bare.read().hooks[0].owner == "x"


def test_what_nobody_claims_has_no_owner(bare: Bare) -> None:
    bare.put("x.pth", "import os\n")
    bare.record("x-1.0.dist-info", RECORD="sub/x.pth,,\n")

    assert bare.read().hooks[0].owner is None


@pytest.mark.parametrize(
    "path", ["sitecustomize.py", "sitecustomize/__init__.py", "sitecustomize.cpython-311-x.so"]
)
def test_a_customize_module(bare: Bare, path: str) -> None:
    bare.put(path, "raise SystemExit\n")
    bare.record("x-1.0.dist-info", RECORD=f"{path},,\n")

    (hook,) = bare.read().hooks

    assert (hook.path, hook.lines, hook.owner) == (f"{SITE}/{path}", (), "x")


def test_usercustomize_runs_only_where_there_is_a_user_site(bare: Bare, tmp_path: Path) -> None:
    prefix = make_prefix(tmp_path / "usr")
    for each in (bare, prefix):
        each.put("usercustomize.py")

    assert bare.read(HOME="/nobody").hooks == ()
    assert [hook.path for hook in prefix.read().hooks] == [f"{SITE}/usercustomize.py"]


def test_modules_of_a_similar_name_run_nothing(bare: Bare) -> None:
    bare.put("sitecustomize_helpers.py")
    bare.put("sitecustomize.pyi")
    bare.put("sitecustomize/data.txt")

    assert bare.read().hooks == ()


def test_the_standard_library_of_a_prefix_is_looked_at(tmp_path: Path) -> None:
    prefix = make_prefix(tmp_path / "usr")
    etc = put(tmp_path / "etc" / "sitecustomize.py", "# Debian links it\n")
    (prefix.root / "lib/python3.11/sitecustomize.py").symlink_to(etc)

    assert [hook.path for hook in prefix.read().hooks] == ["lib/python3.11/sitecustomize.py"]


def test_start_files_count_from_python_3_15_on(tmp_path: Path) -> None:
    new = make_venv(tmp_path / "new", "version_info = 3.15.0", library="python3.15")
    old = make_venv(tmp_path / "old")
    for each in (new, old):
        each.put("x.start", "# x\npackage.module:function\n")

    assert [hook.lines for hook in new.read().hooks] == [("package.module:function",)]
    assert old.read().hooks == ()


def test_a_link_to_something_of_another_name_is_said_and_not_read(
    bare: Bare, tmp_path: Path
) -> None:
    (bare.site / "x.pth").symlink_to(put(tmp_path / "secret", "import hunter2\n"))
    (bare.site / "sitecustomize.py").symlink_to(tmp_path / "secret")

    snapshot = bare.read()

    assert "hunter2" not in repr(snapshot)
    assert snapshot.hooks == ()
    assert {part.part for part in snapshot.unreadable} == {"x.pth", "sitecustomize.py"}
