"""T27: bytecode that runs while every file that RECORD lists is sound."""

import py_compile
import sys
from pathlib import Path

import pytest

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
