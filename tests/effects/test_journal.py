"""What the shelf says of a change while its journal is ended, and when it is dropped."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from envaudit.effects.journal import begin_entry, drop_changes, end_entry
from envaudit.model.journal import Entry, Outcome
from envaudit.readers.dockets import Changes, Docket, list_changes, open_docket
from tests.kit.builders import snapshot

ENTRY = Entry(
    begun="2026-12-02T10:11:12Z",
    environment="/srv/app",
    commands=(),
    folder="/",
    flags=(),
    names=(),
    before=snapshot("left==1"),
    outcome=Outcome.HELD,
)


@pytest.fixture
def docket(tmp_path: Path) -> Docket:
    """Return a change that has begun."""
    begun = open_docket(tmp_path / "state" / "shelf", datetime(2026, 12, 2, tzinfo=UTC))
    begin_entry(begun.begun, ENTRY)
    begun.folder.mkdir()
    assert list_changes(begun.shelf) == Changes(interrupted=(begun,))
    return begun


def test_what_began_may_stay_when_the_end_is_written_down(docket: Docket) -> None:
    docket.begun.unlink()
    docket.begun.mkdir()  # which nobody removes as a file
    end_entry(docket.begun, docket.ended, ENTRY)
    assert list_changes(docket.shelf).ended == (docket,)


def test_a_change_that_is_dropped_is_not_one_that_was_interrupted(docket: Docket) -> None:
    """Its journal from before may have been left beside the one that says how it ended."""
    begin_entry(docket.ended, ENTRY)
    assert list_changes(docket.shelf) == Changes(ended=(docket,))
    drop_changes([(docket.folder, docket.begun, docket.ended)])
    assert list_changes(docket.shelf) == Changes()
