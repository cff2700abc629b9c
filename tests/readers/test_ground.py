"""What environments stand on: virtual, an interpreter's own prefix, Debian's, conda's."""

import json
from pathlib import Path

import pytest

from envaudit.model.errors import UnreadableError
from envaudit.model.layout import EnvironmentKind, Layout, Owner
from envaudit.model.snapshot import Snapshot
from envaudit.readers.environment import read_environment
from tests.kit.bare import Bare, make_prefix, make_venv, put

DIST_PACKAGES = "lib/python3/dist-packages"
MARKER = "[externally-managed]\nError=Ask the keeper\n of this tree.\n"


def layout(snapshot: Snapshot) -> Layout:
    """Return the layout, which a live environment always has."""
    assert snapshot.layout is not None
    return snapshot.layout


def test_a_prefix_without_a_patch_level(tmp_path: Path) -> None:
    bare = make_prefix(tmp_path / "usr")
    bare.record("six-1.16.0.dist-info")

    snapshot = bare.read()

    assert snapshot.interpreter.version == "3.11"
    assert "python_full_version" not in snapshot.interpreter.marker_values()
    assert (layout(snapshot).kind, layout(snapshot).owner) == (EnvironmentKind.PREFIX, None)
    assert [record.owner for record in snapshot.distributions] == [None]


@pytest.mark.parametrize(
    ("stated", "version"), [("3.11.7", "3.11.7"), ("3.11.0rc1+", "3.11.0rc1"), ("3.12.1", "3.11")]
)
def test_the_patch_level_is_in_a_header(tmp_path: Path, stated: str, version: str) -> None:
    bare = make_prefix(tmp_path / "usr")
    put(
        bare.root / "include/python3.11/patchlevel.h",
        f'#define PY_MICRO_VERSION 7\n#define PY_VERSION      \t"{stated}"\n',
    )

    assert bare.read().interpreter.version == version


def test_a_free_threaded_prefix(tmp_path: Path) -> None:
    snapshot = make_prefix(tmp_path / "usr", library="python3.13t").read()

    assert snapshot.interpreter.version == "3.13"
    assert snapshot.interpreter.tags[0].startswith("cp313-cp313t-")


def test_debian_has_dist_packages(tmp_path: Path) -> None:
    bare = make_prefix(tmp_path / "usr", where=DIST_PACKAGES, debian=True)
    local = bare.root / "local/lib/python3.11/dist-packages"
    bare.record("six-1.16.0.dist-info")
    put(local / "idna-3.7.dist-info/METADATA", "Name: idna\nVersion: 3.7\n")
    put(local / "idna-3.7.dist-info/INSTALLER", "pip\n")
    put(bare.root / "lib/python3.11/site-packages/x-1.dist-info/METADATA", "Name: x\nVersion: 1\n")

    snapshot = bare.read()

    assert [site.path for site in layout(snapshot).sites] == [
        "local/lib/python3.11/dist-packages",
        DIST_PACKAGES,
    ]
    assert [(record.name, record.owner) for record in snapshot.distributions] == [
        ("idna", None),
        ("six", Owner.SYSTEM),
    ]


def test_a_container_s_own_build_beside_debian_s_folders(tmp_path: Path) -> None:
    bare = make_prefix(tmp_path / "usr" / "local")
    (bare.root / "lib/python3.11/dist-packages").mkdir()

    assert [site.path for site in layout(bare.read()).sites] == ["lib/python3.11/site-packages"]


def test_a_virtual_environment_on_debian_sees_dist_packages_if_told_to(tmp_path: Path) -> None:
    base = make_prefix(tmp_path / "usr", where=DIST_PACKAGES, debian=True)
    base.record("six-1.16.0.dist-info")
    bare = make_venv(
        tmp_path / "bare", f"home = {base.root}/bin", "include-system-site-packages = true"
    )

    snapshot = bare.read()

    assert [site.path for site in layout(snapshot).sites] == [
        "lib/python3.11/site-packages",
        str(base.site),
    ]
    assert [record.owner for record in snapshot.distributions] == [Owner.SYSTEM]


def test_an_externally_managed_prefix_says_by_whom(tmp_path: Path) -> None:
    bare = make_prefix(tmp_path / "opt")
    put(bare.root / "lib/python3.11/EXTERNALLY-MANAGED", MARKER)
    bare.record("six-1.16.0.dist-info")
    bare.record("idna-3.7.dist-info", INSTALLER="pip")

    snapshot = bare.read()

    assert layout(snapshot).owner is Owner.EXTERNAL
    assert layout(snapshot).owner_says == "Ask the keeper of this tree."
    assert [record.owner for record in snapshot.distributions] == [None, Owner.EXTERNAL]


def test_a_virtual_environment_is_nobody_else_s(tmp_path: Path) -> None:
    base = make_prefix(tmp_path / "opt")
    put(base.root / "lib/python3.11/EXTERNALLY-MANAGED", MARKER)
    bare = make_venv(tmp_path / "bare", f"home = {base.root}/bin")
    bare.record("six-1.16.0.dist-info")

    snapshot = bare.read()

    assert layout(snapshot).owner is None
    assert [record.owner for record in snapshot.distributions] == [None]


def test_a_conda_prefix(tmp_path: Path) -> None:
    bare = make_prefix(tmp_path / "conda")
    six = "lib/python3.11/site-packages/six-1.16.0.dist-info/METADATA"
    put(
        bare.root / "conda-meta/six-1.16.0-py_0.json",
        json.dumps({"name": "six", "installer": "conda", "files": ["bin/x", six]}),
    )
    put(bare.root / "conda-meta/python-3.11.9-h955ad1f_0.json", '{"files": [')
    put(bare.root / "conda-meta/history")
    bare.record("six-1.16.0.dist-info", INSTALLER="pip")
    bare.record("idna-3.7.dist-info", INSTALLER="pip")

    snapshot = bare.read()

    assert snapshot.interpreter.version == "3.11.9"
    assert (layout(snapshot).kind, layout(snapshot).owner) == (EnvironmentKind.CONDA, Owner.CONDA)
    assert [(record.name, record.owner) for record in snapshot.distributions] == [
        ("idna", None),
        ("six", Owner.CONDA),
    ]


def test_of_several_interpreters_the_one_that_python3_is(tmp_path: Path) -> None:
    bare = make_prefix(tmp_path / "usr")
    put(bare.root / "lib/python3.12/os.py")

    assert bare.read().interpreter.version == "3.11"
    named = read_environment(bare.root, interpreter=bare.root / "bin/python3.12")
    assert named.interpreter.version == "3.12"


def test_of_several_interpreters_and_no_hint_none_is_guessed(tmp_path: Path) -> None:
    put(tmp_path / "lib/python3.11/os.py")
    put(tmp_path / "lib/python3.12/os.py")

    with pytest.raises(UnreadableError, match=r"several interpreters: python3\.11, python3\.12"):
        read_environment(tmp_path)


@pytest.mark.parametrize("inside", ["lib/python3.11/dist-packages", "share"])
def test_a_folder_without_an_interpreter_s_library_is_no_environment(
    tmp_path: Path, inside: str
) -> None:
    (tmp_path / inside).mkdir(parents=True)

    with pytest.raises(UnreadableError, match="is no environment") as caught:
        read_environment(tmp_path)

    assert "--site" in (caught.value.problems[0].hint or "")


def test_an_interpreter_that_is_gone(tmp_path: Path) -> None:
    bare = make_venv(tmp_path / "gone", "home = /nowhere/bin")
    put(bare.root / "bin" / "activate", f"VIRTUAL_ENV='{bare.root}'\n")
    (bare.root / "bin/python").symlink_to("/nowhere/python3.11")
    bare.record("six-1.16.0.dist-info")

    snapshot = bare.read()

    assert len(snapshot.distributions) == 1
    found = layout(snapshot)
    assert (found.interpreter, found.interpreter_found) == ("bin/python", False)
    assert (found.base, found.base_found, found.base_version) == ("/nowhere/bin", False, None)
    assert found.moved_from is None


def test_a_base_of_another_version_and_a_stranded_folder(tmp_path: Path) -> None:
    base = make_prefix(tmp_path / "base", library="python3.12")
    bare = make_venv(tmp_path / "bare", f"home = {base.root}/bin")
    (bare.root / "bin").mkdir()
    (bare.root / "bin/python").symlink_to(base.root / "bin/python3")
    put(bare.root / "lib/python3.10/site-packages/x-1.dist-info/METADATA")
    (bare.root / "lib/python3.9/site-packages").mkdir(parents=True)

    found = layout(bare.read())

    assert (found.stated_version, found.base_version) == ("3.11.7", "3.12")
    assert found.stranded == ("lib/python3.10/site-packages",)


@pytest.mark.parametrize(
    "line",
    ["VIRTUAL_ENV='/old/place'", 'VIRTUAL_ENV="/old/place"', "    export VIRTUAL_ENV=/old/place"],
)
def test_a_moved_environment(bare: Bare, line: str) -> None:
    put(bare.root / "bin" / "activate", f"# x\n{line}\nexport VIRTUAL_ENV\n")

    assert layout(bare.read()).moved_from == "/old/place"


def test_a_relocatable_environment_is_never_moved(tmp_path: Path) -> None:
    bare = make_venv(tmp_path / "bare", "relocatable = true")
    put(bare.root / "bin" / "activate", "VIRTUAL_ENV='/old/place'\n")

    assert layout(bare.read()).moved_from is None


def test_the_command_of_the_standard_library_tells_the_place_too(tmp_path: Path) -> None:
    bare = make_venv(tmp_path / "bare", "command = /usr/bin/python3 -m venv /old/place")

    assert layout(bare.read()).moved_from == "/old/place"


def test_a_configuration_that_is_a_folder_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "pyvenv.cfg").mkdir()

    with pytest.raises(UnreadableError, match=r"pyvenv\.cfg"):
        read_environment(tmp_path)


def test_a_home_with_a_nul_is_no_base(tmp_path: Path) -> None:
    bare = make_venv(tmp_path / "bare", "home = /no\0where")

    found = bare.read().layout

    assert found is not None
    assert not found.base_found
