"""Killed, or failing, at every file operation: the store holds the old snapshot or the new one."""

import fcntl
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from envaudit.model.snapshot import Snapshot
from envaudit.readers import store
from envaudit.readers.environment import read_environment
from tests.kit.builders import snapshot
from tests.kit.commands import envaudit
from tests.kit.environments import Outcome, hermetic_variables
from tests.kit.faults import Faulted, FaultServer
from tests.kit.hostile import metadata, write_record
from tests.kit.written import write_environment

KILLS = ("kill before", "kill after")
ERRORS = ("ENOSPC", "EIO")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A folder with an environment that has changed since it was recorded, twice: see ``place``."""

    folder: Path
    environment: Path
    old: Snapshot
    new: Snapshot

    @property
    def named(self) -> Path:
        """The snapshot that has a name."""
        return self.folder / "snapshots" / "prod.json"

    @property
    def variables(self) -> dict[str, str]:
        """Variables under which the state directory is in the folder."""
        return {**hermetic_variables(self.folder), "ENVAUDIT_STATE": str(self.folder / "state")}

    def ask(self, *words: str) -> Outcome:
        """Run envaudit without a fault."""
        words = (*words, "-p", str(self.environment))
        return envaudit(*words, folder=self.folder, variables=self.variables)

    def faulted(self, kind: str, *words: str) -> Iterator[Faulted]:
        """Yield the runs with a fault at operation 1, 2, 3 … until one comes through without it."""
        words = (*words, "-p", str(self.environment))
        with FaultServer(folder=self.folder, variables=self.variables) as server:
            for at in count(1):
                found = server.run(kind, at, *words)
                if not found.met(at):
                    assert found.code == 0, found.said
                    return
                yield found

    def shelved(self) -> tuple[Path, ...]:
        """Return the snapshots without a name."""
        (shelf,) = (self.folder / "state").iterdir()
        return store.kept(shelf)

    def temporaries(self) -> list[Path]:
        """Return what killed runs left."""
        return list(self.folder.rglob(".envaudit-*"))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Record an environment under a name and without one, and change it."""
    environment = write_environment(snapshot("torch==2.9.1"), tmp_path / "environment")
    old = read_environment(environment)
    before = Place(folder=tmp_path, environment=environment, old=old, new=old)
    assert before.ask("snapshot", "--name", "prod").code == 0
    assert before.ask("snapshot").code == 0
    write_record(environment, "new-1.dist-info", {"METADATA": metadata("new", "1")})
    return Place(
        folder=tmp_path, environment=environment, old=old, new=read_environment(environment)
    )


@pytest.mark.parametrize("kind", KILLS)
def test_killed_while_a_named_snapshot_is_replaced(kind: str, place: Place) -> None:
    old = place.named.read_bytes()
    seen: set[bool] = set()
    for found in place.faulted(kind, "snapshot", "--name", "prod"):
        assert found.code == -9
        kept = store.read_snapshot(place.named)
        assert kept in {place.old, place.new}
        seen.add(kept == place.new)
        place.named.write_bytes(old)

    assert seen == {True, False}
    assert place.temporaries() == []


@pytest.mark.parametrize("kind", KILLS)
def test_killed_while_the_first_snapshot_makes_its_shelf(kind: str, tmp_path: Path) -> None:
    environment = write_environment(snapshot("torch==2.9.1"), tmp_path / "environment")
    recorded = read_environment(environment)
    place = Place(folder=tmp_path, environment=environment, old=recorded, new=recorded)

    for found in place.faulted(kind, "snapshot"):
        assert found.code == -9
        files = list((tmp_path / "state").rglob("*.json"))
        assert all(store.read_snapshot(path) == recorded for path in files if path.name[0] != ".")

    assert place.temporaries() == []


def test_killed_while_older_ones_are_pruned(place: Place) -> None:
    for _ in range(2):
        assert place.ask("snapshot").code == 0
    for found in place.faulted("kill after", "snapshot", "--keep", "1"):
        assert found.code == -9
        shelved = [store.read_snapshot(path) for path in place.shelved()]
        assert shelved
        assert set(shelved) <= {place.old, place.new}

    assert len(place.shelved()) == 1
    assert place.temporaries() == []


@pytest.mark.parametrize("kind", ERRORS)
def test_an_error_at_any_operation_leaves_the_old_file_and_says_so(kind: str, place: Place) -> None:
    old = place.named.read_bytes()
    codes: set[int] = set()
    for found in place.faulted(kind, "snapshot", "--name", "prod"):
        codes.add(found.code)
        kept = store.read_snapshot(place.named)
        assert kept in {place.old, place.new}
        if found.code == 0:
            assert kept == place.new
        else:
            assert found.code == 3, found.said
            assert "cannot be written" in found.said
            assert "hint: " in found.said
        place.named.write_bytes(old)

    assert 3 in codes
    assert place.temporaries() == []


def test_a_short_write_is_continued(place: Place) -> None:
    writes = 0
    for found in place.faulted("short", "snapshot", "--name", "prod"):
        assert found.code == 0
        assert store.read_snapshot(place.named) == place.new
        writes += found.operations.count("write") > 1

    assert writes


def test_what_is_renamed_was_synced_before_and_its_folder_after(place: Place) -> None:
    """After a power cut only what was synced is there."""
    *_, last = place.faulted("none", "snapshot", "--name", "prod")
    operations = last.operations
    at = operations.index("replace")

    assert "fsync" in operations[operations.index("write") : at]
    assert "write" not in operations[at:]
    assert "fsync" in operations[at:]


def test_a_temporary_file_that_another_run_is_writing_is_left_alone(place: Place) -> None:
    stale, busy = (place.named.with_name(f".envaudit-prod.json.{word}") for word in "ab")
    stale.touch()
    with busy.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert place.ask("snapshot", "--name", "prod").code == 0

        assert place.temporaries() == [busy]
    assert place.ask("snapshot", "--name", "prod").code == 0
    assert place.temporaries() == []
