"""T28: a module that no RECORD lists, and that comes before one that it does: five shapes."""

from pathlib import Path

import pytest

from tests.kit.bare import Bare
from tests.kit.verifying import codes, make_installed, verified


def _a_package(bare: Bare, outside: Path) -> None:
    del outside
    bare.put("pkg/core/__init__.py")


def _an_extension(bare: Bare, outside: Path) -> None:
    del outside
    bare.put("pkg/core.cpython-311-x86_64-linux-gnu.so")


def _a_link_to_a_package(bare: Bare, outside: Path) -> None:
    outside.mkdir()
    (bare.site / "pkg" / "core").symlink_to(outside)


def _a_module(bare: Bare, outside: Path) -> None:
    del outside
    bare.put("pkg/evil.py")


def _at_the_top(bare: Bare, outside: Path) -> None:
    del outside
    bare.put("requests.py")


def _byte_code_alone(bare: Bare, outside: Path) -> None:
    del outside
    bare.put("pkg/evil.pyc")


@pytest.mark.parametrize(
    ("plant", "code"),
    [
        (_a_package, "error[files-orphaned]"),
        (_an_extension, "error[files-orphaned]"),
        (_a_link_to_a_package, "error[files-orphaned]"),
        (_a_module, "warning[files-orphaned]"),
        (_at_the_top, "warning[files-orphaned]"),
        (_byte_code_alone, "warning[files-orphaned]"),
    ],
)
def test_it_is_found(plant: object, code: str, tmp_path: Path) -> None:
    bare = make_installed(tmp_path / "environment")
    assert callable(plant)
    plant(bare, tmp_path / "outside")

    assert codes(verified(bare.root)) == [code]
