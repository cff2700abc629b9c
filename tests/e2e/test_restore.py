"""The way back to a snapshot: from the stash, from uv's cache, from an index, or not at all."""

import json
import os
import shutil
from pathlib import Path

import pytest

from envaudit.effects.journal import take_turn
from tests.e2e.test_apply import module, words
from tests.kit.commands import envaudit
from tests.kit.environments import find_site, install, list_versions, run, uninstall
from tests.kit.schemas import validate
from tests.kit.staging import contents
from tests.kit.wheels import Wheel, build_wheel

OWN = ("METADATA", "RECORD")
ALL_ONE = {"left": "1", "right": "1", "other": "1"}


@pytest.fixture
def server(environment: Path, index: Path) -> Path:
    """Return an environment with `left 1`, `right 1` and `other 1`, recorded; there is a 2 each."""
    for name in ALL_ONE:
        for version in ("1", "2"):
            build_wheel(module(name, version), index)
    install(environment, *(f"{name}==1" for name in ALL_ONE), index=index)
    assert envaudit("snapshot", "--python", environment).code == 0
    return environment


def interrupt() -> Path:
    """Make the last change one that was interrupted: its journal knows no end. Return it."""
    (ended,) = Path(os.environ["ENVAUDIT_STATE"]).glob("*/change-*Z.json")
    return ended.rename(ended.with_suffix(".begun.json"))


def change(server: Path, index: Path, *asked: str) -> None:
    assert envaudit("apply", *words("install", server, index, *asked)).code == 0


def test_where_nothing_changed_there_is_nothing_to_do(server: Path) -> None:
    told = envaudit("restore", "--python", server)
    assert (told.code, told.stdout.startswith("nothing to do")) == (0, True)
    assert envaudit("restore", "@interrupted", "--apply", "--python", server).code == 0


def test_what_is_printed_is_a_script_that_does_it(server: Path, index: Path) -> None:
    change(server, index, "left==2", "right==2")
    shutil.rmtree(index)
    shutil.rmtree(os.environ["UV_CACHE_DIR"])
    told = envaudit("restore", "--python", server)
    assert told.code == 0, told.stderr
    assert "left 1: stash" in told.stdout
    assert list_versions(server) == {**ALL_ONE, "left": "2", "right": "2"}
    run("/bin/sh", "-c", told.stdout)
    assert list_versions(server) == ALL_ONE
    assert envaudit("diff", "--python", server).code == 0


def test_each_distribution_says_where_it_comes_from(server: Path, index: Path) -> None:
    change(server, index, "left==2")
    install(server, "right==2", index=index)
    uninstall(server, "other")
    (index / "other-1-py3-none-any.whl").unlink()
    shutil.rmtree(os.environ["UV_CACHE_DIR"])
    flags = ("--", "--no-index", "--find-links", str(index))
    told = envaudit("restore", "@-2", "--python", server, "--format", "json", *flags)
    report = json.loads(told.stdout)
    validate("report", report)
    sources = {row["name"]: row["source"] for row in report["data"]["sources"]}
    assert (told.code, sources["left"], sources["other"]) == (1, "stash", "not to be had")
    assert sources["right"] in {"uv's cache", "index"}
    before = contents(server)
    assert envaudit("restore", "@-2", "--apply", "--python", server, *flags).code == 1
    assert contents(server) == before


def test_a_restored_environment_is_what_was_recorded(server: Path, index: Path) -> None:
    before = contents(server)
    build_wheel(module("more", "1"), index)
    install(server, "left==2", "more", index=index)
    uninstall(server, "other")
    flags = ("--", "--no-index", "--find-links", str(index))
    restored = envaudit("restore", "--apply", "--python", server, *flags)
    assert restored.code == 0, restored.stdout + restored.stderr
    assert contents(server) == before
    assert run(server / "bin" / "left-run").stdout == "1\n"
    assert envaudit("restore", "--python", server, "@-2").code == 0


def test_a_restore_that_fails_changes_nothing(server: Path, index: Path) -> None:
    """The index has another build under the same version by now."""
    install(server, "left==2", index=index)
    before = contents(server)
    shutil.rmtree(os.environ["UV_CACHE_DIR"])
    build_wheel(Wheel("left", "1", modules={"left/__init__.py": "rebuilt = True\n"}), index)
    flags = ("--", "--no-index", "--find-links", str(index))
    restored = envaudit("restore", "--apply", "--python", server, *flags)
    assert restored.code == 5, restored.stdout + restored.stderr
    assert "`left 1` is not as it was" in restored.stdout
    assert contents(server) == before


def test_edits_come_back_from_the_change_that_followed(server: Path, index: Path) -> None:
    edited = find_site(server) / "left" / "__init__.py"
    edited.write_text("patched = True\n")
    before = contents(server)
    change(server, index, "left==2")
    assert envaudit("restore", "@-2", "--apply", "--python", server).code == 0
    assert contents(server) == before


def test_an_interrupted_change_is_an_error_until_it_is_undone(server: Path, index: Path) -> None:
    before = contents(server)
    change(server, index, "left==2", "right==2")
    interrupt()
    site = find_site(server)
    (site / "left-2.dist-info" / "RECORD").unlink()  # what a killed uv leaves
    (site / "left-2.dist-info" / "METADATA").unlink()
    (site / "half").mkdir()
    (site / "half" / "__init__.py").write_text("")
    (site / "other" / "__init__.py").write_text("overwritten = True\n")
    checked = envaudit("check", "--python", server)
    assert (checked.code, "error[change-interrupted]" in checked.stdout) == (1, True)
    assert f"restore @interrupted --apply --python {server}" in checked.stdout
    refused = envaudit("apply", *words("install", server, index, "other==2"))
    assert (refused.code, "was interrupted" in refused.stderr) == (3, True)
    assert envaudit("restore", "--apply", "--python", server).code == 3
    told = envaudit("restore", "@interrupted", "--python", server)
    assert (told.code, "half/__init__.py" in told.stdout) == (0, True)
    restored = envaudit("restore", "@interrupted", "--apply", "--python", server)
    assert restored.code == 0, restored.stdout + restored.stderr
    assert contents(server) == before
    assert envaudit("check", "--python", server).code == 0
    (aside,) = Path(os.environ["ENVAUDIT_STATE"]).rglob("half")
    assert (aside / "__init__.py").is_file()  # set aside, and not lost
    assert not (site / "half").exists()


def test_what_cannot_be_put_back_is_said_and_can_be_tried_again(server: Path, index: Path) -> None:
    change(server, index, "left==2")
    interrupt()
    (stashed,) = Path(os.environ["ENVAUDIT_STATE"]).rglob("left-1*.whl")
    content = stashed.read_bytes()
    stashed.write_bytes(content + b"tampered")
    shutil.rmtree(os.environ["UV_CACHE_DIR"])
    (index / "left-1-py3-none-any.whl").unlink()
    restored = envaudit("restore", "@interrupted", "--apply", "--python", server)
    assert restored.code == 6, restored.stdout + restored.stderr
    assert "still to be put back: left 1" in restored.stdout
    assert envaudit("check", "--python", server).code == 1
    stashed.write_bytes(content)
    assert envaudit("restore", "@interrupted", "--apply", "--python", server).code == 0
    assert list_versions(server) == ALL_ONE


def test_an_editable_comes_back_from_its_tree(
    environment: Path, index: Path, tmp_path: Path
) -> None:
    build_wheel(module("left", "1"), index)
    install(environment, "left==1", index=index)
    tree = tmp_path / "tree"
    record = find_site(environment) / "left-1.dist-info"
    (record / "direct_url.json").write_text(
        json.dumps({"url": tree.as_uri(), "dir_info": {"editable": True}})
    )
    assert envaudit("snapshot", "--python", environment).code == 0
    uninstall(environment, "left")
    told = envaudit("restore", "--python", environment)
    assert (told.code, f"`{tree}` is not there" in told.stdout) == (1, True)
    tree.mkdir()
    told = envaudit("restore", "--python", environment)
    assert (told.code, f"--editable {tree.as_uri()}" in told.stdout) == (0, True)


@pytest.mark.parametrize("reference", ["nobody", "@-9", "environment"])
def test_what_is_no_snapshot_of_this_environment_is_refused(server: Path, reference: str) -> None:
    named = str(server) if reference == "environment" else reference
    assert envaudit("restore", named, "--python", server).code == 2


def test_a_snapshot_of_another_python_is_refused(server: Path, tmp_path: Path) -> None:
    (recorded,) = Path(os.environ["ENVAUDIT_STATE"]).glob("*/2*.json")
    other = tmp_path / "other.json"
    other.write_text(recorded.read_text().replace('"3.', '"2.'))
    told = envaudit("restore", other, "--python", server)
    assert (told.code, "rebuild the environment" in told.stderr) == (3, True)


def test_what_the_command_named_is_found_from_elsewhere(
    server: Path, index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(server)
    monkeypatch.chdir(index.parent)
    change(server, Path(index.name), "left==2")
    interrupt()
    (find_site(server) / "other" / "__init__.py").write_text("overwritten = True\n")
    shutil.rmtree(os.environ["UV_CACHE_DIR"])
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    restored = envaudit("restore", "@interrupted", "--apply", "--python", server)
    assert restored.code == 0, restored.stdout + restored.stderr
    assert contents(server) == before


def clash(index: Path, name: str, path: str) -> None:
    build_wheel(Wheel(name, "1", modules={path: "stolen = True\n"}), index)


def test_what_a_kept_result_overwrote_comes_back(server: Path, index: Path) -> None:
    before = contents(server)
    clash(index, "thief", "other/__init__.py")
    flags = ("--no-index", "--find-links", str(index))
    kept = envaudit("apply", "--keep", *words("install", server, index, "thief"))
    assert (kept.code, "left in place" in kept.stdout) == (1, True)
    restored = envaudit("restore", "--apply", "--python", server, "--", *flags)
    assert restored.code == 0, restored.stdout + restored.stderr
    assert contents(server) == before
    again = envaudit("restore", "--apply", "--python", server)
    assert (again.code, again.stdout.startswith("nothing to do")) == (0, True)


def test_while_a_change_is_under_way_nobody_says_that_there_is_none(
    server: Path, index: Path
) -> None:
    change(server, index, "left==2")
    shelf = interrupt().parent
    with take_turn(shelf / "change.lock", 0):
        for reference in ("@interrupted", "@last"):
            assert envaudit("restore", reference, "--python", server).code == 75
        checked = envaudit("check", "--python", server)
    assert (checked.code, "is under way" in checked.stdout) == (1, True)
    assert "hint: wait" in checked.stdout


def test_an_older_copy_serves_where_the_change_kept_none(server: Path, index: Path) -> None:
    before = contents(server)
    change(server, index, "left==2")
    assert envaudit("restore", "@last", "--apply", "--python", server).code == 0
    (index / "left-1-py3-none-any.whl").unlink()
    shutil.rmtree(os.environ["UV_CACHE_DIR"])
    clash(index, "thief", "other/__init__.py")
    asked = words("install", server, index, "left==2", "thief")
    applied = envaudit("apply", "--no-stash", *asked)
    assert applied.code == 5, applied.stdout + applied.stderr
    assert contents(server) == before


def test_what_no_uninstall_can_remove_is_set_aside(server: Path, index: Path) -> None:
    """A file stands where the new wheel has a folder: uv fails to install, and to uninstall it."""
    before = contents(server)
    change(server, index, "left==2")
    interrupt()
    record = find_site(server) / "thief-1.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: thief\nVersion: 1\n")
    listed = ("other/__init__.py/inner.py", *(f"{record.name}/{name}" for name in OWN))
    (record / "RECORD").write_text("".join(f"{path},,\n" for path in listed))
    restored = envaudit("restore", "@interrupted", "--apply", "--python", server)
    assert restored.code == 0, restored.stdout + restored.stderr
    assert contents(server) == before


def test_an_edit_that_was_recorded_comes_back(server: Path, index: Path) -> None:
    edited = find_site(server) / "left" / "__init__.py"
    edited.write_text("patched = True\n")
    before = contents(server)
    assert envaudit("snapshot", "--files", "--name", "edited", "--python", server).code == 0
    flags = ("--no-index", "--find-links", str(index))
    fixed = envaudit("fix", "--verify", "--apply", "--python", server, "--", *flags)
    assert fixed.code == 0, fixed.stdout + fixed.stderr
    assert contents(server) != before
    assert envaudit("restore", "edited", "--apply", "--python", server).code == 0
    assert contents(server) == before
    edited.write_text("patched = 'otherwise'\n")
    for kept in Path(os.environ["ENVAUDIT_STATE"]).rglob("left-1*.whl"):
        kept.unlink()
    told = envaudit("restore", "edited", "--python", server, "--", *flags)
    assert (told.code, "no copy has" in told.stdout) == (1, True)
