"""``snapshot`` as a function."""

from pathlib import Path

import pytest

from envaudit.commands import snapshot
from envaudit.exits import Exit
from envaudit.model.errors import UsageError
from envaudit.readers import store
from envaudit.readers.environment import read_environment
from tests.kit.commands import surroundings


def test_what_is_written_reads_back_as_the_environment(before: Path, tmp_path: Path) -> None:
    report = snapshot.run(surroundings(before), to=str(tmp_path / "kept.json"))

    assert report.exit is Exit.PASS
    assert store.read_snapshot(tmp_path / "kept.json") == read_environment(before)


def test_a_name_goes_to_the_committed_store(before: Path, tmp_path: Path) -> None:
    report = snapshot.run(surroundings(before, folder=tmp_path), name="prod")

    assert report.lines == (str(tmp_path / "snapshots" / "prod.json"),)


def test_a_name_and_a_file_exclude_each_other(before: Path) -> None:
    with pytest.raises(UsageError, match="exclude"):
        snapshot.run(surroundings(before), name="prod", to="file.json")


def test_what_is_kept_is_listed_with_the_reference_that_finds_it(
    before: Path, tmp_path: Path
) -> None:
    state = str(tmp_path / "state")
    here = surroundings(before, folder=tmp_path, ENVAUDIT_STATE=state)
    paths = [snapshot.run(here).lines[0] for _ in range(2)]
    snapshot.run(here, name="prod")
    (tmp_path / "snapshots" / "torn.json").write_text("{", encoding="utf-8")

    report = snapshot.list_kept(here)

    assert [line.split()[0] for line in report.lines] == ["@-2", "@last", "prod", "torn"]
    assert [line.split()[-1] for line in report.lines[:2]] == paths
    assert "unreadable" in report.lines[3]


def test_keeping_two_removes_the_oldest_of_this_environment_alone(
    before: Path, after: Path, tmp_path: Path
) -> None:
    state = str(tmp_path / "state")
    here = surroundings(before, folder=tmp_path, ENVAUDIT_STATE=state)
    there = surroundings(after, folder=tmp_path, ENVAUDIT_STATE=state)
    other = snapshot.run(there).lines[0]
    named = snapshot.run(here, name="prod").lines[0]
    paths = [Path(snapshot.run(here).lines[0]) for _ in range(3)]
    (paths[0].parent / "notes.txt").write_text("not a snapshot", encoding="utf-8")

    report = snapshot.run(here, keep=2)

    assert [path.exists() for path in paths] == [False, False, True]
    assert Path(report.lines[0]).exists()
    assert Path(other).exists()
    assert Path(named).exists()
    assert (paths[0].parent / "notes.txt").exists()
    assert len(report.notes) == 2


def test_what_was_just_taken_stays_though_the_clock_was_set_back(
    before: Path, tmp_path: Path
) -> None:
    here = surroundings(before, folder=tmp_path, ENVAUDIT_STATE=str(tmp_path / "state"))
    first = Path(snapshot.run(here).lines[0])
    future = first.rename(first.with_name(f"2999{first.name[4:]}"))

    report = snapshot.run(here, keep=1)

    assert Path(report.lines[0]).exists()
    assert not future.exists()


def test_keeping_more_than_there_are_removes_nothing(before: Path, tmp_path: Path) -> None:
    here = surroundings(before, folder=tmp_path, ENVAUDIT_STATE=str(tmp_path / "state"))
    paths = [Path(snapshot.run(here).lines[0]) for _ in range(3)]

    report = snapshot.run(here, keep=6)

    assert all(path.exists() for path in paths)
    assert report.notes == ()


def test_nothing_kept_is_said(before: Path, tmp_path: Path) -> None:
    here = surroundings(before, folder=tmp_path, ENVAUDIT_STATE=str(tmp_path / "state"))

    assert snapshot.list_kept(here).lines == ("no snapshot is kept",)
