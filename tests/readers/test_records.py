"""Every form in which a distribution is recorded, made by hand and read."""

import json
import os
import zipfile
from pathlib import Path

import pytest

from envaudit.model.distribution import EditableKind, RemnantKind
from envaudit.model.layout import Scope
from envaudit.model.record_name import Form, parse_record_name
from envaudit.readers import metadata
from tests.kit.bare import Bare, put

SITE = "lib/python3.11/site-packages"
PKG_INFO = "Metadata-Version: 1.2\nName: Dev.Pkg\nVersion: 0.3\n"
REQUIRES = """\
six>=9
colorama

[:python_version < "3"]
enum34

[test]
pytest

[fast:sys_platform == "linux"]
uvloop>=1 ; extra == "ignored"
"""


def test_a_dist_info(bare: Bare) -> None:
    bare.record("six-1.16.0.dist-info")

    found = bare.only()

    assert (found.name, found.version, found.form) == ("six", "1.16.0", Form.DIST_INFO)
    assert (found.folder, found.site) == (f"{SITE}/six-1.16.0.dist-info", SITE)
    assert found.editable is None
    assert not found.linked


def test_folder_and_metadata_that_disagree_are_both_kept(bare: Bare) -> None:
    bare.record("sixx-1.17.0.dist-info", "Name: six\nVersion: 1.16.0\n")

    found = bare.only()

    assert (found.name, found.version) == ("six", "1.16.0")
    assert found.stated is not None
    assert (found.stated.name, found.stated.version) == ("sixx", "1.17.0")


def test_a_version_that_is_none_is_kept_as_written(bare: Bare) -> None:
    bare.record("gpg-1.14.0-unknown.dist-info")

    assert bare.only().version == "1.14.0-unknown"


def test_two_records_of_one_name_in_one_folder_are_two_distributions(bare: Bare) -> None:
    bare.record("six-1.16.0.dist-info")
    bare.record("six-1.17.0.dist-info")

    snapshot = bare.read()

    assert [record.version for record in snapshot.by_name()["six"]] == ["1.16.0", "1.17.0"]
    assert snapshot.shadowed == ()


@pytest.mark.parametrize("folder", ["dev_pkg-0.3-py3.11.egg-info", "dev_pkg.egg-info"])
def test_an_egg_info_folder(bare: Bare, folder: str) -> None:
    bare.put(f"{folder}/PKG-INFO", PKG_INFO)
    bare.put(f"{folder}/requires.txt", REQUIRES)

    found = bare.only()

    assert (found.name, found.version, found.form) == ("dev-pkg", "0.3", Form.EGG_INFO)
    assert found.requires == (
        "six>=9",
        "colorama",
        'enum34 ; python_version < "3"',
        'pytest ; extra == "test"',
        'uvloop>=1 ; (extra == "ignored") and (sys_platform == "linux") and extra == "fast"',
    )
    assert found.extras == ("fast", "test")


def test_an_egg_info_file(bare: Bare) -> None:
    bare.put("dev_pkg-0.3-py3.11.egg-info", PKG_INFO)

    found = bare.only()

    assert (found.name, found.version, found.form) == ("dev-pkg", "0.3", Form.EGG_INFO_FILE)
    assert found.requires == ()


def test_an_unpacked_egg_on_the_path(bare: Bare) -> None:
    bare.put("dev_pkg-0.3-py3.11.egg/EGG-INFO/PKG-INFO", PKG_INFO)
    bare.put("easy-install.pth", "./dev_pkg-0.3-py3.11.egg\n")

    found = bare.only()

    assert (found.name, found.form, found.scope) == ("dev-pkg", Form.EGG, Scope.OWN)
    assert found.folder == f"{SITE}/dev_pkg-0.3-py3.11.egg"
    assert found.stated is not None
    assert (found.stated.name, found.stated.version) == ("dev_pkg", "0.3")


def test_a_zipped_egg_on_the_path(bare: Bare) -> None:
    with zipfile.ZipFile(bare.site / "dev_pkg-0.3-py3.11.egg", "w") as archive:
        archive.writestr("EGG-INFO/PKG-INFO", PKG_INFO)
        archive.writestr("EGG-INFO/requires.txt", "six\n")
    bare.put("easy-install.pth", "./dev_pkg-0.3-py3.11.egg\n")

    found = bare.only()

    assert (found.name, found.form, found.requires) == ("dev-pkg", Form.EGG_ZIP, ("six",))


@pytest.mark.parametrize(
    ("content", "reason"), [(b"PK\x03\x04 cut off", "no zip file"), (b"", "no zip file")]
)
def test_a_zipped_egg_that_is_none_is_unreadable(bare: Bare, content: bytes, reason: str) -> None:
    bare.put("dev_pkg-0.3-py3.11.egg", content)
    bare.put("easy-install.pth", "./dev_pkg-0.3-py3.11.egg\n")

    (part,) = bare.read().unreadable

    assert part.folder == f"{SITE}/dev_pkg-0.3-py3.11.egg"
    assert reason in part.reason


def test_a_zip_bomb_costs_no_more_than_its_headers_may(bare: Bare) -> None:
    path = bare.site / "dev_pkg-0.3-py3.11.egg"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("EGG-INFO/PKG-INFO", b"X: " + b"a" * (64 << 20))
    bare.put("easy-install.pth", "./dev_pkg-0.3-py3.11.egg\n")

    (part,) = bare.read().unreadable

    assert "headers of over" in part.reason


def test_an_egg_that_nothing_puts_on_the_path_is_a_remnant(bare: Bare) -> None:
    bare.put("dev_pkg-0.3-py3.11.egg/EGG-INFO/PKG-INFO", PKG_INFO)

    snapshot = bare.read()

    assert snapshot.distributions == ()
    (remnant,) = snapshot.remnants
    assert (remnant.kind, remnant.name) == (RemnantKind.UNREACHABLE, "dev-pkg")


def test_an_egg_link_is_read_in_its_source_tree(bare: Bare, tmp_path: Path) -> None:
    tree = tmp_path / "source"
    put(tree / "dev_pkg.egg-info" / "PKG-INFO", PKG_INFO)
    bare.put("dev-pkg.egg-link", f"{tree}\n.")
    bare.put("easy-install.pth", f"{tree}\n")

    snapshot = bare.read()

    (found,) = snapshot.distributions
    assert (found.name, found.form) == ("dev-pkg", Form.EGG_LINK)
    assert found.folder == f"{SITE}/dev-pkg.egg-link"
    assert found.editable is not None
    assert (found.editable.kind, found.editable.targets) == (EditableKind.PATH, (str(tree),))
    assert found.editable.files == (f"{SITE}/easy-install.pth",)
    assert [record.folder for record in snapshot.shadowed] == [str(tree / "dev_pkg.egg-info")]


def test_an_egg_link_to_nowhere_is_a_remnant(bare: Bare) -> None:
    bare.put("dev-pkg.egg-link", "/nowhere/at/all\n.")

    (remnant,) = bare.read().remnants

    assert (remnant.kind, remnant.name) == (RemnantKind.DANGLING, "dev-pkg")


def test_an_egg_link_to_a_tree_without_metadata_is_unreadable(bare: Bare, tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    bare.put("dev-pkg.egg-link", f"{tmp_path / 'source'}\n.")

    (part,) = bare.read().unreadable

    assert "holds no `.egg-info` of it" in part.reason


def test_an_os_package_in_two_forms_is_one_distribution(bare: Bare) -> None:
    bare.record("cryptography-38.0.4.dist-info")
    bare.put("cryptography.egg-info/PKG-INFO", "Name: cryptography\nVersion: 38.0.4\n")

    snapshot = bare.read()

    assert [record.form for record in snapshot.distributions] == [Form.DIST_INFO]
    assert [record.form for record in snapshot.shadowed] == [Form.EGG_INFO]


def test_two_forms_of_two_versions_are_two_distributions(bare: Bare) -> None:
    bare.record("cryptography-38.0.4.dist-info")
    bare.put("cryptography.egg-info/PKG-INFO", "Name: cryptography\nVersion: 1\n")

    assert len(bare.read().distributions) == 2


@pytest.mark.parametrize("prefix", ["~", "-"])
def test_what_an_interrupted_removal_left_is_no_distribution(bare: Bare, prefix: str) -> None:
    bare.record(f"{prefix}ix-1.15.0.dist-info", "Name: six\nVersion: 1.15.0\n")
    bare.put(f"{prefix}ix/__init__.py")
    bare.record("six-1.16.0.dist-info")

    snapshot = bare.read()

    assert [record.version for record in snapshot.distributions] == ["1.16.0"]
    assert [(found.kind, found.name, found.version) for found in snapshot.remnants] == [
        (RemnantKind.LEFTOVER, None, None),
        (RemnantKind.LEFTOVER, "six", "1.15.0"),
    ]


def test_a_dist_info_that_is_a_file(bare: Bare) -> None:
    bare.put("six-1.16.0.dist-info")

    (remnant,) = bare.read().remnants

    assert (remnant.kind, remnant.name, remnant.version) == (RemnantKind.FILE, "six", "1.16.0")


def test_a_dist_info_that_is_a_link_to_nowhere(bare: Bare) -> None:
    (bare.site / "six-1.16.0.dist-info").symlink_to("/nowhere/six-1.16.0.dist-info")

    (remnant,) = bare.read().remnants

    assert remnant.kind is RemnantKind.DANGLING


@pytest.mark.parametrize("name", [".dist-info", "noversion.dist-info", "foo.egg-info"])
def test_a_record_without_name_version_and_metadata_is_nameless(bare: Bare, name: str) -> None:
    (bare.site / name).mkdir()

    (remnant,) = bare.read().remnants

    assert remnant.kind is RemnantKind.NAMELESS


def test_an_empty_dist_info_is_unreadable(bare: Bare) -> None:
    (bare.site / "six-1.16.0.dist-info").mkdir()

    (part,) = bare.read().unreadable

    assert (part.folder, part.part) == (f"{SITE}/six-1.16.0.dist-info", "METADATA")


def test_a_record_that_lies_in_a_store_is_read_through_its_links(
    bare: Bare, tmp_path: Path
) -> None:
    store = put(tmp_path / "store" / "x" / "six-1.16.0.dist-info" / "METADATA").parent
    put(store / "METADATA", "Name: six\nVersion: 1.16.0\n")
    (bare.site / "six-1.16.0.dist-info").mkdir()
    (bare.site / "six-1.16.0.dist-info" / "METADATA").symlink_to(store / "METADATA")

    assert bare.only().linked


def test_a_linked_record_folder_is_read(bare: Bare, tmp_path: Path) -> None:
    store = put(tmp_path / "store" / "six-1.16.0.dist-info" / "METADATA").parent
    put(store / "METADATA", "Name: six\nVersion: 1.16.0\n")
    (bare.site / store.name).symlink_to(store)

    assert bare.only().linked


def test_a_link_to_something_of_another_name_is_not_followed(bare: Bare, tmp_path: Path) -> None:
    secret = put(tmp_path / "secret", "Name: secret\nVersion: 1\nRequires-Dist: hunter2\n")
    (bare.site / "six-1.16.0.dist-info").mkdir()
    (bare.site / "six-1.16.0.dist-info" / "METADATA").symlink_to(secret)

    snapshot = bare.read()

    assert snapshot.distributions == ()
    assert "hunter2" not in repr(snapshot)
    assert "of another name" in snapshot.unreadable[0].reason


def test_a_fifo_does_not_stop_the_reading(bare: Bare) -> None:
    (bare.site / "six-1.16.0.dist-info").mkdir()
    os.mkfifo(bare.site / "six-1.16.0.dist-info" / "METADATA")

    assert bare.read().unreadable[0].reason == "is not a regular file"


def test_a_folder_in_the_place_of_a_file(bare: Bare) -> None:
    (bare.site / "six-1.16.0.dist-info" / "METADATA").mkdir(parents=True)

    assert bare.read().unreadable[0].reason == "is not a regular file"


def test_one_unreadable_part_hides_no_other(bare: Bare) -> None:
    bare.record("broken-1.0.dist-info", direct_url_json="{not json")
    bare.record("six-1.16.0.dist-info")

    snapshot = bare.read()

    assert [record.name for record in snapshot.distributions] == ["broken", "six"]
    assert [part.part for part in snapshot.unreadable] == ["direct_url.json"]


@pytest.mark.parametrize(
    "content",
    [
        b"Name: x\nVersion: 1\nAuthor: Jos\xe9\nRequires-Dist: y\n",
        b"Name: x\nVersion: 1\nRequires-Dist: y\n\nA text of Jos\xe9\n",
        b"Name: x\nVersion: 1\nRequires-Dist: y\n\nAn end in the middle of \xc3",
    ],
)
def test_metadata_that_is_not_utf_8_is_read_and_said(bare: Bare, content: bytes) -> None:
    bare.put("x-1.dist-info/METADATA", content)

    found = bare.read()

    assert [(one.label, one.requires) for one in found.distributions] == [("x 1", ("y",))]
    (part,) = found.unreadable
    assert (part.part, part.reason) == (
        "METADATA",
        "is not UTF-8, and pip and Python give up at it",
    )


def test_a_character_that_the_limit_cuts_in_two_is_no_fault(bare: Bare) -> None:
    head = b"Name: x\nVersion: 1\n\n"
    fill = b"a" * (metadata.HEAD_LIMIT - 1 - len(head))
    bare.put("x-1.dist-info/METADATA", head + fill + "é".encode())

    assert bare.read().unreadable == ()


def test_a_byte_order_mark_is_read_over_and_said(bare: Bare) -> None:
    bare.put("x-1.dist-info/METADATA", b"\xef\xbb\xbfName: x\nVersion: 1\n")

    found = bare.read()

    assert [one.label for one in found.distributions] == ["x 1"]
    (part,) = found.unreadable
    assert (
        part.reason == "begins with a byte order mark, so pip, uv and Python find no header in it"
    )


def test_metadata_of_nul_bytes_has_no_name(bare: Bare) -> None:
    bare.put("six-1.16.0.dist-info/METADATA", bytes(1795))

    assert bare.read().unreadable[0].reason == "has no name or no version"


@pytest.mark.parametrize(
    ("file_name", "form", "name", "version"),
    [
        ("six-1.16.0.dist-info", Form.DIST_INFO, "six", "1.16.0"),
        ("foo-bar-1.0.dist-info", Form.DIST_INFO, "foo", "bar-1.0"),
        ("foo-1.0-1.dist-info", Form.DIST_INFO, "foo", "1.0-1"),
        (".dist-info", Form.DIST_INFO, None, None),
        ("six.egg-info", Form.EGG_INFO, "six", None),
        ("x-1.0-py3.11-linux-x86_64.egg", Form.EGG, "x", "1.0"),
    ],
)
def test_what_a_record_name_states(
    file_name: str, form: Form, name: str | None, version: str | None
) -> None:
    stated = parse_record_name(file_name)

    assert stated is not None
    assert (stated.form, stated.name, stated.version) == (form, name, version)


def test_a_snapshot_keeps_all_of_it(bare: Bare, tmp_path: Path) -> None:
    from envaudit.core import codec

    bare.record("six-1.16.0.dist-info")
    bare.record("~ix-1.15.0.dist-info")
    bare.put("olddir-2.0.egg-info/PKG-INFO", "Name: olddir\nVersion: 2.0\n")
    url = json.dumps({"url": f"file://{tmp_path}/gone", "dir_info": {"editable": True}})
    bare.record("ed-1.0.dist-info", direct_url_json=url)
    bare.put("ed.pth", f"{tmp_path}/gone\n")

    snapshot = bare.read()
    back = codec.decode(codec.encode(snapshot), at="here")

    assert back == snapshot
    assert (back.layout, back.shadowed) == (snapshot.layout, snapshot.shadowed)
    assert [record.editable for record in back.distributions] == [
        record.editable for record in snapshot.distributions
    ]
