"""Editables of every backend, by files like those that the backends write.

Of setuptools, hatchling, poetry-core, flit, meson-python and the ``editables`` library.
"""

import json
from pathlib import Path

import pytest

from envaudit.model.distribution import Editable, EditableKind, Tree
from tests.kit.bare import Bare

SITE = "lib/python3.11/site-packages"
MESON_LOADER = """\
def init():
    finder = MesonpyMetaFinder('pkg', {'pkg'}, '/somewhere/build/cp311', ['ninja'], False)
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return a source tree with a package and a module in it."""
    (tmp_path / "source" / "pkg").mkdir(parents=True)
    (tmp_path / "source" / "single.py").touch()
    return tmp_path / "source"


def install(bare: Bare, source: Path, files: dict[str, str], *, record: bool = True) -> Editable:
    """Put an editable ``pkg 0.1`` there, and read it."""
    for name, content in files.items():
        bare.put(name, content)
    url = json.dumps({"url": f"file://{source}", "dir_info": {"editable": True}})
    rows = "".join(f"{name},sha256=x,1\n" for name in files)
    bare.record("pkg-0.1.dist-info", direct_url_json=url, **({"RECORD": rows} if record else {}))
    found = bare.only().editable
    assert found is not None
    return found


@pytest.mark.parametrize("record", [True, False])
@pytest.mark.parametrize(
    "name",
    ["__editable__.pkg-0.1.pth", "_editable_impl_pkg.pth", "pkg.pth", "_pkg.pth"],
)
def test_a_path(bare: Bare, source: Path, name: str, *, record: bool) -> None:
    found = install(bare, source, {name: f"{source}\n"}, record=record)

    assert (found.kind, found.files) == (EditableKind.PATH, (f"{SITE}/{name}",))
    assert (found.targets, found.dangling) == ((str(source),), ())


def finder(source: Path) -> dict[str, str]:
    """Return what setuptools writes for a flat layout."""
    mapping = {"pkg": f"{source}/pkg", "single": f"{source}/single"}
    return {
        "__editable__.pkg-0.1.pth": (
            "import __editable___pkg_0_1_finder; __editable___pkg_0_1_finder.install()"
        ),
        "__editable___pkg_0_1_finder.py": (
            "from __future__ import annotations\n"
            f"MAPPING: dict[str, str] = {mapping!r}\nNAMESPACES: dict[str, list[str]] = {{}}\n"
        ),
    }


def test_a_mapping(bare: Bare, source: Path) -> None:
    found = install(bare, source, finder(source))

    assert found.kind is EditableKind.MAPPING
    assert found.files == tuple(f"{SITE}/{name}" for name in sorted(finder(source)))
    assert found.targets == (str(source), f"{source}/pkg", f"{source}/single")
    assert found.dangling == ()


def test_a_mapping_that_dangles(bare: Bare, source: Path) -> None:
    (source / "pkg").rmdir()
    (source / "single.py").unlink()

    found = install(bare, source, finder(source))

    assert found.dangling == (f"{source}/pkg", f"{source}/single")


def test_a_mapping_with_hostile_text_is_text(bare: Bare, source: Path) -> None:
    files = finder(source)
    name = "__editable___pkg_0_1_finder.py"
    files[name] = f"MAPPING = {{'a': '/x' + str(__import__('os').mkdir('{source}/canary'))}}\n"

    found = install(bare, source, files)

    assert not (source / "canary").exists()
    assert found.kind in {EditableKind.LOADER, EditableKind.MAPPING}


def test_the_editables_library(bare: Bare, source: Path) -> None:
    found = install(
        bare,
        source,
        {
            "_editable_impl_pkg.pth": "import _editable_impl_pkg",
            "_editable_impl_pkg.py": (
                "from editables.redirector import RedirectingFinder as F\nF.install()\n"
                f"F.map_module('pkg', '{source}/pkg')\n"
            ),
        },
    )

    assert (found.kind, found.targets) == (
        EditableKind.MAPPING,
        (str(source), f"{source}/pkg"),
    )


def test_a_loader(bare: Bare, source: Path) -> None:
    found = install(
        bare,
        source,
        {
            "pkg-editable.pth": "import _pkg_editable_loader; _pkg_editable_loader.init()",
            "_pkg_editable_loader.py": MESON_LOADER,
        },
    )

    assert (found.kind, found.targets) == (EditableKind.LOADER, (str(source),))


def test_a_source_tree_that_is_gone_dangles(bare: Bare, tmp_path: Path) -> None:
    gone = tmp_path / "gone"

    found = install(bare, gone, {"pkg.pth": f"{gone}\n"})

    assert found.dangling == (str(gone),)


def test_nothing_that_would_make_it_importable(bare: Bare, source: Path) -> None:
    assert install(bare, source, {}).kind is EditableKind.UNKNOWN


def test_the_stale_egg_info_of_a_source_tree_is_shadowed(bare: Bare, source: Path) -> None:
    (source / "pkg.egg-info").mkdir()
    (source / "pkg.egg-info" / "PKG-INFO").write_text("Name: pkg\nVersion: 0.0\n", "utf-8")

    install(bare, source, {"pkg.pth": f"{source}\n"})

    assert [record.version for record in bare.read().shadowed] == ["0.0"]


def test_what_the_source_tree_declares_by_now(bare: Bare, source: Path) -> None:
    (source / "pyproject.toml").write_text(
        '[project]\nname = "PKG"\nversion = "0.2"\ndependencies = ["six", "x @ https://u:p@h/x"]\n'
    )

    found = install(bare, source, {"pkg.pth": f"{source}\n"})

    assert found.tree == Tree(path=str(source), version="0.2", requires=("six", "x @ https://h/x"))


@pytest.mark.parametrize(
    "text",
    [
        "not TOML",
        b"\xff".decode("latin-1"),
        "a = " + "[" * 5000,
        '[project]\nname = "another"\nversion = "0.2"\n',
        "project = 1\n",
        "[project]\nname = 1\n",
        '[tool.poetry]\nname = "pkg"\nversion = "0.2"\n',
    ],
)
def test_a_tree_that_tells_nothing_is_no_tree(bare: Bare, source: Path, text: str) -> None:
    (source / "pyproject.toml").write_text(text, encoding="latin-1")

    assert install(bare, source, {"pkg.pth": f"{source}\n"}).tree is None


def test_what_a_build_computes_is_not_told(bare: Bare, source: Path) -> None:
    text = '[project]\nname = "pkg"\ndynamic = ["version", "dependencies"]\n'
    (source / "pyproject.toml").write_text(text)

    found = install(bare, source, {"pkg.pth": f"{source}\n"})

    assert found.tree == Tree(path=str(source), version=None, requires=None)
