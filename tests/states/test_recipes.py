"""States of other forms of record, and what only policies know: the offline twins of recipes."""

import json
import zipfile
from pathlib import Path

import pytest

from tests.kit.commands import ask
from tests.kit.environments import find_site, install, list_versions, run
from tests.kit.repairing import find, loud, repair
from tests.kit.wheels import Wheel, build_wheel
from tests.states.conftest import record


def test_a_release_train_of_which_one_carriage_moved(environment: Path, index: Path) -> None:
    for version in ("2024.12.1", "2025.5.1"):
        build_wheel(Wheel("dask", version), index)
        build_wheel(Wheel("distributed", version, requires=(f"dask=={version}",)), index)
    install(environment, "distributed==2024.12.1", index=index)
    install(environment, "dask==2025.5.1", index=index, flags=("--no-deps",))

    assert loud(environment) == {"error[requirement-unmet]": ("dask", "distributed")}

    assert repair(environment, index).left == {}


@pytest.mark.parametrize(
    "content",
    [
        b"Metadata-Version: 2.1\nName: six\nVersion: 1.16.0\nAuthor: Jos\xe9\n",
        b"\xef\xbb\xbfMetadata-Version: 2.1\nName: six\nVersion: 1.16.0\n",
    ],
)
def test_metadata_that_others_cannot_read(
    environment: Path, site: Path, six: Path, content: bytes
) -> None:
    install(environment, "six==1.16.0", index=six)
    (site / "six-1.16.0.dist-info" / "METADATA").write_bytes(content)
    python = environment / "bin" / "python"
    told = run(python, "-c", "import importlib.metadata as m; print(m.metadata('six')['Name'])")
    assert told.stdout.strip() != "six"

    assert loud(environment) == {"error[distribution-incomplete]": ("six",)}

    assert repair(environment, six).left == {}


def test_eggs_of_which_uv_reads_no_requirement(environment: Path, site: Path, six: Path) -> None:
    (site / "oldfile-1.4-py3.11.egg-info").write_text(
        "Metadata-Version: 1.1\nName: oldfile\nVersion: 1.4\n"
    )
    egg = site / "olddir-2.0-py3.11.egg-info"
    egg.mkdir()
    (egg / "PKG-INFO").write_text("Metadata-Version: 1.1\nName: olddir\nVersion: 2.0\n")
    (egg / "requires.txt").write_text("six>=1.17\n\n[test]\npytest\n")

    assert loud(environment) == {"error[requirement-missing]": ("olddir", "six")}

    assert repair(environment, six).left == {}
    assert list_versions(environment)["six"] == "1.17.0"


def test_a_zipped_egg_is_read_and_an_egg_link_to_nowhere_is_removed(
    environment: Path, site: Path, tmp_path: Path
) -> None:
    with zipfile.ZipFile(site / "zpkg-0.9-py3.11.egg", "w") as archive:
        headers = "Metadata-Version: 1.0\nName: zpkg\nVersion: 0.9\n"
        archive.writestr("EGG-INFO/PKG-INFO", headers)
        archive.writestr("EGG-INFO/requires.txt", "nowhere\n")
    (site / "easy-install.pth").write_text("./zpkg-0.9-py3.11.egg\n")
    (site / "devpkg.egg-link").write_text(f"{tmp_path}/gone\n.")

    assert loud(environment) == {
        "error[requirement-missing]": ("nowhere", "zpkg"),
        "warning[leftover]": ("devpkg",),
    }

    (site / "zpkg-0.9-py3.11.egg").unlink()
    assert repair(environment, None).left == {}


def test_what_conda_looks_after_gets_no_command_of_uv(
    environment: Path, site: Path, six: Path
) -> None:
    install(environment, "six==1.16.0", index=six)
    folder = site / "six-1.16.0.dist-info"
    (folder / "RECORD").unlink()
    (folder / "INSTALLER").write_text("conda\n")
    url = {"dir_info": {}, "url": "file:///build/work"}
    (folder / "direct_url.json").write_text(json.dumps(url))

    assert loud(environment) == {}
    (missing,) = (item for item in find(environment) if item.code == "record-missing")
    assert missing.remedies == ()
    assert missing.evidence[0].startswith("owner: conda")

    install(environment, "six==1.17.0", index=six)

    assert loud(environment) == {"error[distribution-duplicate]": ("six",)}
    assert ask("fix", "--python", environment)["plan"] is None


def test_a_cycle_is_no_fault(environment: Path, site: Path) -> None:
    record(site, "aaa", "1.0", requires=("bbb",))
    record(site, "bbb", "1.0", requires=("aaa>=1",))

    assert loud(environment) == {}


@pytest.mark.parametrize(
    ("stays", "moved", "fits"),
    [
        (Wheel("flask", "2.2.2", requires=("werkzeug>=2",)), "werkzeug==3.1.0", "werkzeug==2.3.8"),
        (Wheel("jinja2", "2.11.3", requires=("markupsafe",)), "markupsafe==3.0", "markupsafe==2.0"),
        (Wheel("passlib", "1.7.4"), "bcrypt==5.0.0", "bcrypt==4.3.0"),
    ],
)
def test_a_missing_upper_bound_is_known_to_a_policy(
    environment: Path, index: Path, stays: Wheel, moved: str, fits: str
) -> None:
    build_wheel(stays, index)
    for pin in (moved, fits):
        build_wheel(Wheel(*pin.split("==")), index)
    install(environment, stays.name, moved, index=index)
    before = ask("check", "--python", environment)
    assert [(item["severity"], item["code"]) for item in before["findings"]] == [
        ("error", "implies")
    ]

    flags = ("--no-index", "--find-links", str(index))
    plan = ask("fix", "--python", environment, "--", *flags)["plan"]
    assert run("sh", "-c", plan["shell"]).code == 0

    assert ask("check", "--python", environment)["findings"] == []
    assert list_versions(environment)[fits.split("==", maxsplit=1)[0]] == fits.split("==")[1]


def test_an_editable_whose_tree_requires_more_by_now(
    environment: Path, site: Path, tmp_path: Path
) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    text = '[project]\nname = "own"\nversion = "1.0"\ndependencies = ["six"]\n'
    (tree / "pyproject.toml").write_text(text)
    folder = record(find_site(environment), "own", "1.0")
    url = {"dir_info": {"editable": True}, "url": tree.as_uri()}
    (folder / "direct_url.json").write_text(json.dumps(url))
    (site / "own.pth").write_text(f"{tree}\n")

    assert loud(environment) == {"warning[editable-stale]": ("own",)}

    (tree / "pyproject.toml").write_text(text.replace('"six"', ""))
    assert loud(environment) == {}
