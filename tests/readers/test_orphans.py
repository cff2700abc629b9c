"""What is importable and listed by no RECORD: each shape that comes before a listed module."""

from pathlib import Path

import pytest

from envaudit.model.files import Orphan
from envaudit.readers.environment import read_environment
from envaudit.readers.files import measure_files
from tests.kit.bare import Bare
from tests.kit.verifying import SITE, make_installed

OWN = (f"{SITE}/pkg-1.dist-info",)


@pytest.fixture
def bare(tmp_path: Path) -> Bare:
    return make_installed(tmp_path / "environment")


def orphans(bare: Bare) -> tuple[Orphan, ...]:
    return measure_files(bare.root, read_environment(bare.root, contents=False)).orphans


@pytest.mark.parametrize(
    ("planted", "path", "hides"),
    [
        ("pkg/evil.py", "pkg/evil.py", False),
        ("pkg/core.abi3.so", "pkg/core.abi3.so", True),
        ("pkg/core/__init__.py", "pkg/core", True),
        ("pkg/core/namespace.py", "pkg/core", False),
        ("pkg/legacy.pyc", "pkg/legacy.pyc", False),
    ],
)
def test_a_module_inside_a_package_is_found(
    bare: Bare, planted: str, path: str, *, hides: bool
) -> None:
    bare.put(planted)

    (found,) = orphans(bare)

    assert (found.path, found.within) == (f"{SITE}/{path}", OWN)
    assert found.hides == (f"{SITE}/pkg/core.py" if hides else None)


def test_a_link_may_be_a_package(bare: Bare, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (bare.site / "pkg" / "core").symlink_to(tmp_path / "outside")

    (found,) = orphans(bare)

    assert (found.path, found.hides) == (f"{SITE}/pkg/core", f"{SITE}/pkg/core.py")


@pytest.mark.parametrize("harmless", ["pkg/data.json", "pkg/core.pyc", "pkg/__pycache__/x.py"])
def test_what_is_not_imported_is_no_orphan(bare: Bare, harmless: str) -> None:
    bare.put(harmless)

    assert orphans(bare) == ()
