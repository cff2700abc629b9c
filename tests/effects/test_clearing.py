"""T3, T18: what is cleared, set aside and brought back stays inside, whatever links are planted."""

import os
from pathlib import Path

import pytest

from envaudit.doors import moving
from envaudit.effects.clearing import bring_back, clear_records, set_aside
from envaudit.model.errors import UnreadableError

SITE = "lib/site-packages"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return an environment with a record and a module."""
    site = tmp_path / "environment" / SITE
    for folder in ("pkg", "torn-1.dist-info"):
        (site / folder).mkdir(parents=True)
        (site / folder / "file").write_text("inside")
    return tmp_path / "environment"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Return somebody else's folder, with files of the same names."""
    folder = tmp_path / "outside"
    for name in ("pkg", "torn-1.dist-info"):
        (folder / name).mkdir(parents=True)
        (folder / name / "file").write_text("outside")
    return folder


@pytest.fixture
def aside(tmp_path: Path) -> Path:
    """Return where strays go: not there yet."""
    (tmp_path / "kept").mkdir(mode=0o750)
    return tmp_path / "kept" / "aside"


def texts(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("linked", ["lib", SITE, f"{SITE}/pkg"])
def test_a_linked_folder_on_the_way_leads_nowhere(
    root: Path, outside: Path, aside: Path, linked: str
) -> None:
    set_aside(root, [f"{SITE}/pkg/file"], aside)
    place = root / linked
    goal = outside / "pkg" if linked.endswith("pkg") else outside
    if linked == "lib":
        (outside / "site-packages").symlink_to(outside)
    if place.exists():
        place.rename(root / "moved")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(goal)
    before = texts(outside)
    with pytest.raises(UnreadableError, match="cannot be moved"):
        set_aside(root, [f"{SITE}/pkg/file"], aside)
    with pytest.raises(UnreadableError, match="cannot be moved"):
        bring_back(root, [f"{SITE}/pkg/file"], aside)
    if not linked.endswith("pkg"):
        with pytest.raises(UnreadableError, match="cannot be removed"):
            clear_records(root, [f"{SITE}/torn-1.dist-info"])
    assert texts(outside) == before
    assert texts(aside) == {f"{SITE}/pkg/file": "inside"}


def test_a_linked_record_is_unlinked_and_what_it_leads_to_stays(root: Path, outside: Path) -> None:
    planted = root / SITE / "planted-1.dist-info"
    planted.symlink_to(outside / "torn-1.dist-info")
    clear_records(root, [f"{SITE}/planted-1.dist-info", f"{SITE}/torn-1.dist-info"])
    assert names(root / SITE) == ["pkg"]
    assert len(texts(outside)) == 2


def test_an_aside_that_others_may_write_to_is_refused(root: Path, aside: Path) -> None:
    aside.mkdir()
    aside.chmod(0o777)
    with pytest.raises(UnreadableError, match="may be written to by others"):
        set_aside(root, [f"{SITE}/pkg/file"], aside)
    aside.rmdir()
    aside.symlink_to(root)
    with pytest.raises(UnreadableError, match="is a symbolic link"):
        set_aside(root, [f"{SITE}/pkg/file"], aside)
    assert (root / SITE / "pkg" / "file").is_file()


def test_emptied_folders_go_and_come_back_for_everybody(root: Path, aside: Path) -> None:
    set_aside(root, [f"{SITE}/pkg/file", f"{SITE}/gone"], aside)
    assert not (root / SITE / "pkg").exists()
    bring_back(root, [f"{SITE}/pkg/file"], aside)
    assert (root / SITE / "pkg" / "file").read_text() == "inside"
    assert (root / SITE / "pkg").stat().st_mode & 0o005 == 0o005


@pytest.mark.parametrize("path", ["../outside/pkg/file", "/pkg/file", "pkg/../../x", "", "."])
def test_a_path_that_leads_out_is_not_taken(root: Path, outside: Path, path: str) -> None:
    before = texts(outside)
    with pytest.raises(UnreadableError):
        moving.remove_entry(root, path)
    with pytest.raises(UnreadableError):
        moving.move_entry(root, outside, path, mode=0o700)
    assert texts(outside) == before


def test_another_file_system_is_copied_to(root: Path, other_file_system: Path) -> None:
    file = root / SITE / "pkg" / "file"
    file.chmod(0o640)
    before = file.stat()
    (root / SITE / "pkg" / "link").symlink_to("/nowhere")
    os.mkfifo(root / SITE / "pkg" / "pipe")
    for name in ("file", "link"):
        moving.move_entry(root, other_file_system, f"{SITE}/pkg/{name}", mode=0o750)
    moved = other_file_system / SITE / "pkg"
    after = (moved / "file").stat()
    assert (after.st_mtime_ns, after.st_mode) == (before.st_mtime_ns, before.st_mode)
    assert (moved / "link").readlink() == Path("/nowhere")
    with pytest.raises(UnreadableError, match="neither a file nor a link"):
        moving.move_entry(root, other_file_system, f"{SITE}/pkg/pipe", mode=0o750)
    assert names(root / SITE / "pkg") == ["pipe"]
    assert names(moved) == ["file", "link"]


def test_what_was_set_aside_before_is_not_replaced(root: Path, aside: Path) -> None:
    file = root / SITE / "pkg" / "file"
    set_aside(root, [f"{SITE}/pkg/file"], aside)
    file.parent.mkdir()
    file.write_text("another")
    set_aside(root, [f"{SITE}/pkg/file"], aside)
    kept = {"file": "inside", "file~1": "another"}
    assert {path.name: path.read_text() for path in (aside / SITE / "pkg").iterdir()} == kept
