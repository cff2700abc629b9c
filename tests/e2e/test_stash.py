"""What is stashed, uninstalled and installed again from the stash is what it was."""

import base64
import csv
import hashlib
import json
import zipfile
from pathlib import Path

import pytest

from envaudit.effects.stash import keep_stash
from envaudit.model.bundle import Bundle
from envaudit.readers.bundles import read_bundle
from envaudit.readers.environment import read_environment
from tests.kit.environments import find_site, install, run, uninstall
from tests.kit.staging import contents
from tests.kit.wheels import Wheel, build_wheel


def rich_wheel(folder: Path) -> Path:
    """Build a wheel with a script, data, a header, odd names and an executable module."""
    files = {
        "rich/__init__.py": b"",
        "rich/a, b c.txt": b"odd",
        'rich/q"uote.txt': b"quoted",
        "rich/run.sh": b"#!/bin/sh\n",
        "rich-1.data/scripts/rich-tool": b"#!python\nprint('tool')\n",
        "rich-1.data/scripts/rich.sh": b"#!/bin/sh\necho shell\n",
        "rich-1.data/data/share/rich/data.bin": bytes(range(256)) * 64,
        "rich-1.data/headers/rich.h": b"#define RICH 1\n",
        "rich-1.dist-info/METADATA": b"Metadata-Version: 2.1\nName: rich\nVersion: 1\n",
        "rich-1.dist-info/WHEEL": (
            b"Wheel-Version: 1.0\nGenerator: kit\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        ),
        "rich-1.dist-info/entry_points.txt": b"[console_scripts]\nrich-run = rich:main\n",
    }
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / "rich-1-py3-none-any.whl"
    rows = []
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o100755 if name.endswith("run.sh") else 0o100644) << 16
            archive.writestr(entry, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
            rows.append((name, f"sha256={digest.decode()}", len(content)))
        with archive.open("rich-1.dist-info/RECORD", "w") as file:
            import io

            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows(
                [*rows, ("rich-1.dist-info/RECORD", "", "")]
            )
            file.write(text.getvalue().encode())
    return target


def bundles(environment: Path, *names: str) -> tuple[Bundle, ...]:
    snapshot = read_environment(environment, variables={}, contents=True)
    found = []
    for name in names:
        (record,) = snapshot.by_name()[name]
        bundle = read_bundle(environment, record)
        assert isinstance(bundle, Bundle), bundle
        found.append(bundle)
    return tuple(found)


def back(environment: Path, stash: Path, *pins: str) -> None:
    install(environment, *pins, index=stash, flags=("--no-deps", "--reinstall", "--no-cache"))


@pytest.fixture
def furnished(environment: Path, index: Path) -> Path:
    rich_wheel(index)
    build_wheel(Wheel("pure", "1.0+cu128", modules={"pure/__init__.py": "x = 1\n"}), index)
    for name in ("one", "two"):
        build_wheel(Wheel(f"space.{name}", "2", modules={f"space/{name}.py": name}), index)
    tagged = Wheel("tagged", "1", tag="py2.py3-none-any", modules={"tagged.py": ""})
    build_wheel(tagged, index)
    install(environment, "rich", "pure", "space-one", "space-two", "tagged", index=index)
    return environment


NAMES = ("rich", "pure", "space-one", "space-two", "tagged")


def test_every_file_comes_back_hand_edits_included(furnished: Path, tmp_path: Path) -> None:
    edited = find_site(furnished) / "pure" / "__init__.py"
    edited.write_text("x = 'edited by hand'\n")
    before = contents(furnished)
    stash = tmp_path / "shelf" / "stash"
    kept = keep_stash(furnished, bundles(furnished, *NAMES), stash)
    assert [one.name for one in kept] == list(NAMES)
    uninstall(furnished, *NAMES)
    assert len(contents(furnished)) < len(before)
    back(furnished, stash, *(f"{one.name}=={one.version}" for one in kept))
    assert contents(furnished) == before
    assert run(furnished / "bin" / "rich-tool").stdout == "tool\n"
    assert run(furnished / "bin" / "rich.sh").stdout == "shell\n"


def test_a_wheel_installed_by_its_path_keeps_its_origin(
    environment: Path, index: Path, tmp_path: Path
) -> None:
    place = build_wheel(Wheel("direct", "1", modules={"direct.py": ""}), index)
    install(environment, place, index=index)
    record = find_site(environment) / "direct-1.dist-info"
    before = json.loads((record / "direct_url.json").read_text())
    stash = tmp_path / "shelf" / "stash"
    keep_stash(environment, bundles(environment, "direct"), stash)
    uninstall(environment, "direct")
    back(environment, stash, "direct==1")
    assert json.loads((record / "direct_url.json").read_text()) == before


def test_nothing_outside_of_the_environment_is_packed(furnished: Path) -> None:
    with (find_site(furnished) / "tagged-1.dist-info" / "RECORD").open("a") as record:
        record.write("../../../../outside,,\n")
    snapshot = read_environment(furnished, variables={}, contents=True)
    (tagged,) = snapshot.by_name()["tagged"]
    assert "outside" in str(read_bundle(furnished, tagged))


def test_a_link_is_not_packed(furnished: Path) -> None:
    file = find_site(furnished) / "pure" / "__init__.py"
    file.unlink()
    file.symlink_to("/etc/hostname")
    snapshot = read_environment(furnished, variables={}, contents=True)
    (pure,) = snapshot.by_name()["pure"]
    assert "symbolic link" in str(read_bundle(furnished, pure))
