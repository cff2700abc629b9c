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
