"""The edits as a patch: against the very wheel, byte for byte, and never against another one."""

import shutil
from pathlib import Path

import pytest

from tests.kit.commands import envaudit
from tests.kit.environments import find_site, install, run, uv
from tests.kit.verifying import verified
from tests.kit.wheels import Wheel, build_wheel

MODULES = {"tool/__init__.py": "ONE = 1\nTWO = 2\n", "tool/odd name.py": "x = 'é'\r\n"}
EDITS = {
    "tool/__init__.py": b"ONE = 1\nTWO = 3  # debug\nTHREE = 3",
    "tool/odd name.py": b"x = '\xff'\r\ny = 2\n",
}


@pytest.fixture
def edited(environment: Path, index: Path) -> Path:
    """Return an environment with two edited files, hard links into uv's cache where it can."""
    build_wheel(Wheel("tool", "1", modules=MODULES), index)
    build_wheel(Wheel("six", "1", modules={"six.py": "A = 1\n"}), index)
    install(environment, "tool", "six", index=index, flags=("--link-mode", "hardlink"))
    for path, content in EDITS.items():
        with (find_site(environment) / path).open("r+b") as file:
            file.truncate()
            file.write(content)
    return environment


@pytest.mark.skipif(shutil.which("patch") is None, reason="there is no `patch` here")
def test_it_applies_to_the_pristine_tree_and_gives_the_edited_files(
    edited: Path, index: Path, tmp_path: Path
) -> None:
    patch = tmp_path / "fixes.patch"
    flags = ("--no-index", "--find-links", index)

    told = envaudit("verify", "-p", edited, "--patch", "-o", patch, "--", *flags)

    assert (told.code, told.stderr) == (1, "")
    assert "2 modified" in told.stdout
    assert uv("cache", "clean", "tool").code == 0
    install(edited, "tool", index=index, flags=("--reinstall-package", "tool"))
    assert verified(edited).findings == ()
    assert run("/usr/bin/env", "patch", "-p1", "-i", patch, folder=edited).code == 0
    for path, content in EDITS.items():
        assert (find_site(edited) / path).read_bytes() == content


def test_the_original_is_not_to_be_had_and_that_is_said(edited: Path, tmp_path: Path) -> None:
    told = envaudit("verify", "-p", edited, "--patch", "-o", tmp_path / "x", "--", "--no-index")

    assert told.code == 1
    assert "could not be installed afresh" in told.stderr
    assert "no patch is written" in told.stderr
    assert not (tmp_path / "x").exists()


def test_another_wheel_of_that_version_is_not_taken_for_the_original(
    edited: Path, index: Path, tmp_path: Path
) -> None:
    uv("cache", "clean", "tool")
    build_wheel(Wheel("tool", "1", modules={**MODULES, "tool/__init__.py": "OTHER\n"}), index)
    flags = ("--no-index", "--find-links", index)

    told = envaudit("verify", "-p", edited, "--patch", "-o", tmp_path / "x", "--", *flags)

    assert "`: the wheel of that version brings another file" in told.stderr
    assert "tool/__init__.py" not in (tmp_path / "x").read_text("latin-1")
    assert "a/lib" in (tmp_path / "x").read_text("latin-1")


def test_nothing_edited_writes_nothing(edited: Path, tmp_path: Path) -> None:
    told = envaudit("verify", "six", "-p", edited, "--patch", "-o", tmp_path / "x")

    assert (told.code, (tmp_path / "x").exists()) == (0, False)
    assert "no listed file is edited" in told.stderr


def test_without_a_file_to_write_it_is_a_mistake(edited: Path) -> None:
    told = envaudit("verify", "-p", edited, "--patch")

    assert told.code == 2
    assert "`-o FILE`" in told.stderr


def test_a_flag_that_is_none_of_how_to_install_is_refused(edited: Path, tmp_path: Path) -> None:
    told = envaudit("verify", "-p", edited, "--patch", "-o", tmp_path / "x", "--", "--target", "/")

    assert told.code == 2
    assert "`--target` cannot be given to uv here" in told.stderr
