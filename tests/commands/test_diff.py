"""``diff`` as a function."""

from pathlib import Path

from envaudit.commands import diff
from envaudit.exits import Exit
from envaudit.model.drift import change_kind, changed_name
from tests.kit.commands import surroundings


def test_two_equal_environments_have_no_drift(before: Path) -> None:
    report = diff.run(surroundings(), before=str(before), after=str(before))

    assert (report.exit, report.changes) == (Exit.PASS, ())


def test_two_that_differ_have(before: Path, after: Path) -> None:
    report = diff.run(surroundings(), before=str(before), after=str(after))

    assert report.exit is Exit.DRIFT
    assert [(change_kind(change), changed_name(change)) for change in report.changes] == [
        ("upgraded", "flashinfer-python"),
        ("upgraded", "vllm"),
    ]
