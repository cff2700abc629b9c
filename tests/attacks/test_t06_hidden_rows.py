"""T6: rows that a missing quote hides, and RECORDs without end, as ``check`` sees them."""

import csv
import io
from pathlib import Path

import pytest

from envaudit.core.evaluate import evaluate
from envaudit.model.finding import Finding
from envaudit.readers.environment import read_environment
from envaudit.readers.files import measure_files
from envaudit.readers.rows import LIMIT_ROWS, read_rows
from tests.kit.bare import Bare, make_venv

FILES = ("x/__init__.py", "x/a,b.py", "x/c.py", "x/d.py")


@pytest.fixture
def bare(tmp_path: Path) -> Bare:
    return make_venv(tmp_path / "environment")


def judged(bare: Bare) -> dict[str, Finding]:
    snapshot = read_environment(bare.root)
    found = evaluate(snapshot, (), files=measure_files(bare.root, snapshot)).findings
    return {item.code: item for item in found}


def record(*paths: str) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerows((path, "", "") for path in (*paths, "x-1.dist-info/METADATA"))
    return text.getvalue()


def test_whichever_quote_is_taken_away_something_is_found(bare: Bare) -> None:
    for path in FILES:
        bare.put(path)
    whole = record(*FILES)
    bare.record("x-1.dist-info", RECORD=whole)
    assert {"record-malformed", "files-orphaned"}.isdisjoint(judged(bare))

    for at in (place for place, sign in enumerate(whole) if sign == '"'):
        bare.record("x-1.dist-info", RECORD=whole[:at] + whole[at + 1 :])

        found = judged(bare)
        # A quote less around what needs none says the same; else a row is lost, and that is said.
        listed = list(read_rows((whole[:at] + whole[at + 1 :]).encode(), digests=False).paths)
        if listed != [*FILES, "x-1.dist-info/METADATA"]:
            assert {"record-malformed", "files-orphaned", "files-missing"} & set(found), at


def test_rows_beyond_the_limit_are_a_fault_and_none_is_read() -> None:
    rows = read_rows(b"a,,\n" * (LIMIT_ROWS + 2), digests=False)

    assert len(rows.paths) == LIMIT_ROWS
    assert rows.fault_count == 1
    assert "no more are read" in rows.faults[0].reason


def test_a_gigabyte_of_nothing_is_unreadable_and_not_absent(bare: Bare) -> None:
    bare.record("x-1.dist-info")
    with (bare.site / "x-1.dist-info" / "RECORD").open("wb") as file:
        file.truncate(1024**3)

    assert "is larger than" in judged(bare)["record-malformed"].message
