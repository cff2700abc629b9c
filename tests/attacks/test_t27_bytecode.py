"""T27: bytecode that runs while every file that RECORD lists is sound."""

import platform
import py_compile
import sys
from pathlib import Path

import pytest

from tests.kit.bare import Bare
from tests.kit.environments import base_interpreter, run
from tests.kit.verifying import codes, make_installed, verified

MODE = py_compile.PycInvalidationMode


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the environment is one of 3.11")
def test_planted_code_runs_with_the_hash_of_the_sound_source_and_is_found(tmp_path: Path) -> None:
    bare = make_installed(tmp_path / "environment")
    source = bare.site / "pkg" / "core.py"
    sound = source.read_bytes()
    cached = bare.site / "pkg" / "__pycache__" / "core.cpython-311.pyc"
    evil = tmp_path / "evil.py"
    evil.write_text("TWO = 'planted'\n")
    py_compile.compile(str(source), str(cached), invalidation_mode=MODE.UNCHECKED_HASH)
    head = cached.read_bytes()[:16]
    py_compile.compile(str(evil), str(cached), invalidation_mode=MODE.UNCHECKED_HASH)
    cached.write_bytes(head + cached.read_bytes()[16:])
    assert source.read_bytes() == sound
    script = (
        f"import sys; sys.path.insert(0, {str(bare.site)!r}); import pkg.core as c; print(c.TWO)"
    )
    flags = ("-I", "--check-hash-based-pycs", "always")
    assert run(base_interpreter(), *flags, "-c", script).stdout == "planted\n"

    assert codes(verified(bare.root)) == ["error[bytecode-unchecked]"]
    _be_of_this_version(bare)
    assert codes(verified(bare.root, deep=True)) == ["error[bytecode-foreign]"]


def _be_of_this_version(bare: Bare) -> None:
    """Make the environment one of the interpreter that runs, which alone compiles as its does."""
    file = bare.root / "pyvenv.cfg"
    lines = [line for line in file.read_text().splitlines() if "version" not in line]
    file.write_text("\n".join([*lines, f"version = {platform.python_version()}", ""]))


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the environment is one of 3.11")
@pytest.mark.parametrize(("optimization", "name"), [(0, ""), (1, ".opt-1"), (2, ".opt-2")])
def test_planted_code_behind_a_right_header_is_found_by_compiling(
    optimization: int, name: str, tmp_path: Path
) -> None:
    """No header tells it: time and size are those of the source. Only what it does differs."""
    bare = make_installed(tmp_path / "environment")
    _be_of_this_version(bare)
    source = bare.site / "pkg" / "core.py"
    cached = bare.site / "pkg" / "__pycache__" / f"core.cpython-311{name}.pyc"
    py_compile.compile(str(source), str(cached), optimize=optimization)
    sound = cached.read_bytes()
    assert codes(verified(bare.root, deep=True)) == []

    evil = tmp_path / "evil.py"
    evil.write_text("TWO = 'planted'\n")
    py_compile.compile(str(evil), str(cached), optimize=optimization)
    cached.write_bytes(sound[:16] + cached.read_bytes()[16:])

    assert codes(verified(bare.root)) == []
    assert codes(verified(bare.root, deep=True)) == ["error[bytecode-foreign]"]
    cached.write_bytes(sound[:16] + b"no code at all")
    assert codes(verified(bare.root, deep=True)) == ["error[bytecode-foreign]"]


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the environment is one of 3.11")
def test_unchecked_bytecode_that_is_what_its_source_compiles_to_is_an_info(tmp_path: Path) -> None:
    bare = make_installed(tmp_path / "environment")
    _be_of_this_version(bare)
    source = bare.site / "pkg" / "core.py"
    cached = bare.site / "pkg" / "__pycache__" / "core.cpython-311.pyc"
    py_compile.compile(str(source), str(cached), invalidation_mode=MODE.UNCHECKED_HASH)

    assert codes(verified(bare.root, deep=True)) == ["info[bytecode-unchecked]"]


def test_another_python_compares_nothing_and_says_so(tmp_path: Path) -> None:
    bare = make_installed(tmp_path / "environment")
    file = bare.root / "pyvenv.cfg"
    file.write_text(file.read_text().replace("3.11.", "3.11.9"))

    (note,) = verified(bare.root, deep=True).notes

    assert "no bytecode was compared with its source" in note


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the environment is one of 3.11")
@pytest.mark.parametrize("mode", [MODE.TIMESTAMP, MODE.CHECKED_HASH])
def test_what_installers_compile_is_in_order(mode: MODE, tmp_path: Path) -> None:
    bare = make_installed(tmp_path / "environment")
    for source in (bare.site / "pkg").glob("*.py"):
        cached = bare.site / "pkg" / "__pycache__" / f"{source.stem}.cpython-311.pyc"
        py_compile.compile(str(source), str(cached), invalidation_mode=mode)

    assert codes(verified(bare.root)) == []


def test_bytecode_of_an_older_source_is_an_info(tmp_path: Path) -> None:
    bare = make_installed(tmp_path / "environment")
    bare.put("pkg/__pycache__/core.cpython-311.pyc", bytes(16))

    assert codes(verified(bare.root)) == ["info[bytecode-stale]"]
