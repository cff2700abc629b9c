"""``fix --apply``: what was found is repaired, or the environment stays what it was."""

import json
import os
from pathlib import Path

import pytest

from tests.kit.commands import envaudit
from tests.kit.environments import find_site, install, list_versions
from tests.kit.schemas import validate
from tests.kit.staging import contents
from tests.kit.wheels import Wheel, build_wheel


@pytest.fixture
def server(environment: Path, index: Path) -> Path:
    """Return an environment in which `app` needs a newer `part` than there is."""
    build_wheel(Wheel("part", "1", modules={"part/__init__.py": "version = 1\n"}), index)
    build_wheel(Wheel("part", "2", modules={"part/__init__.py": "version = 2\n"}), index)
    build_wheel(Wheel("app", "1", modules={"app.py": ""}, requires=("part>=2",)), index)
    install(environment, "app", "part==1", index=index, flags=("--no-deps",))
    return environment


def flags(index: Path) -> tuple[str, ...]:
    return "--", "--no-index", "--find-links", str(index)


def test_what_was_found_is_gone(server: Path, index: Path) -> None:
    fixed = envaudit("fix", "--apply", "--python", server, "--format", "json", *flags(index))
    report = json.loads(fixed.stdout)
    validate("report", report)
    assert fixed.code == 0, fixed.stderr
    assert report["data"]["outcome"] == "held"
    assert list_versions(server) == {"app": "1", "part": "2"}
    assert envaudit("check", "--python", server).code == 0
    again = envaudit("fix", "--apply", "--python", server, *flags(index))
    assert (again.code, again.stdout) == (0, "# nothing to fix\n")


def test_a_repair_that_breaks_something_else_is_undone(server: Path, index: Path) -> None:
    """Which files a wheel brings is known only when they are there."""
    thief = {"part/__init__.py": "version = 2\n", "app.py": "stolen = True\n"}
    build_wheel(Wheel("part", "2", modules=thief), index)
    before = contents(server)
    fixed = envaudit("fix", "--apply", "--python", server, *flags(index))
    assert fixed.code == 5, fixed.stdout + fixed.stderr
    assert "files-overlap" in fixed.stdout
    assert contents(server) == before


def test_what_is_deleted_is_set_aside(server: Path, index: Path) -> None:
    install(server, "part==2", index=index)
    remnant = find_site(server) / "~art-1.dist-info"
    remnant.mkdir()
    (remnant / "METADATA").write_text("Metadata-Version: 2.1\nName: part\nVersion: 1\n")
    told = envaudit("fix", "--python", server)
    assert "rm -r" in told.stdout
    fixed = envaudit("fix", "--apply", "--python", server)
    assert fixed.code == 0, fixed.stdout + fixed.stderr
    assert not remnant.exists()
    (aside,) = Path(os.environ["ENVAUDIT_STATE"]).rglob("~art-1.dist-info")
    assert (aside / "METADATA").is_file()


def test_what_is_deleted_is_set_aside_on_another_disk(
    server: Path, index: Path, other_file_system: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENVAUDIT_STATE", str(other_file_system))
    test_what_is_deleted_is_set_aside(server, index)


def test_what_cannot_be_packed_is_repaired_and_said(server: Path, index: Path) -> None:
    (find_site(server) / "part-1.dist-info" / "RECORD").unlink()
    fixed = envaudit("fix", "--apply", "--python", server, *flags(index))
    assert fixed.code == 0, fixed.stdout + fixed.stderr
    assert "only an index can bring them back, without edits by hand: `part`" in fixed.stderr
    assert envaudit("check", "--python", server).code == 0


def test_without_a_plan_nothing_is_touched(server: Path) -> None:
    before = contents(server)
    assert envaudit("fix", "--apply", "--python", server, "--", "--no-index").code == 1
    assert contents(server) == before
