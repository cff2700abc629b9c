"""T6: a RECORD that hides its rows, or has a million of them."""

from pathlib import Path

import pytest

from tests.kit.bare import Bare
from tests.kit.commands import COMMAND
from tests.kit.environments import run
from tests.kit.verifying import codes, make_installed, verified

# How much address space a number of rows may take, in kibibytes: a third more than they do.
BOUNDS = ((200_000, 300_000), pytest.param(1_000_000, 700_000, marks=pytest.mark.slow))


@pytest.fixture
def bare(tmp_path: Path) -> Bare:
    return make_installed(tmp_path / "environment")


def test_an_unterminated_quote_hides_no_edit(bare: Bare) -> None:
    """Python's CSV reader takes all that comes after the quote for one field."""
    record = bare.site / "pkg-1.dist-info" / "RECORD"
    record.write_text('"' + record.read_text())
    assert "error[record-malformed]" in codes(verified(bare.root))

    bare.put("pkg/core.py", "edited\n")

    assert "error[files-modified]" in codes(verified(bare.root))


@pytest.mark.parametrize("at", range(0, 200, 7))
def test_a_quote_anywhere_is_a_finding_and_no_file_is_lost_in_silence(bare: Bare, at: int) -> None:
    record = bare.site / "pkg-1.dist-info" / "RECORD"
    text = record.read_text()
    record.write_text(f'{text[:at]}"{text[at:]}')

    assert any(code.startswith("error") for code in codes(verified(bare.root)))


def test_the_file_of_a_row_that_cannot_be_read_is_nobodys(bare: Bare) -> None:
    record = bare.site / "pkg-1.dist-info" / "RECORD"
    record.write_text(record.read_text().replace("pkg/core.py,", '"pkg/core.py,'))

    found = codes(verified(bare.root))

    assert "error[record-malformed]" in found
    assert "warning[files-orphaned]" in found


@pytest.mark.parametrize(("count", "kibibytes"), BOUNDS)
def test_many_rows_are_read_within_bounds(bare: Bare, count: int, kibibytes: int) -> None:
    record = bare.site / "pkg-1.dist-info" / "RECORD"
    rows = "".join(f"gone/file{number}.txt,sha256=abc,1\n" for number in range(count))
    record.write_text(rows + record.read_text())
    script = f'ulimit -v {kibibytes}; exec "$@"'
    words = ("verify", "--no-cache", "--format", "json", "--python", bare.root)

    outcome = run("/bin/sh", "-c", script, "sh", *COMMAND, *words)

    assert outcome.code in {0, 1}, outcome.stderr
    assert "files-missing" in outcome.stdout
