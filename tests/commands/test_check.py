"""``check`` as a function."""

from pathlib import Path

from envaudit.commands import check
from envaudit.commands.judging import Bench
from envaudit.exits import Exit
from envaudit.model.report import FailOn, Verdict
from tests.kit.commands import surroundings


def test_what_is_content_passes(before: Path) -> None:
    report = check.run(surroundings(before), Bench())

    assert (report.exit, report.verdict, report.complete) == (Exit.PASS, Verdict.PASS, True)


def test_a_companion_that_was_left_behind_fails(after: Path) -> None:
    report = check.run(surroundings(after), Bench())

    assert (report.exit, report.verdict) == (Exit.FINDINGS, Verdict.FAIL)
    assert [item.code for item in report.findings] == ["compare"]


def test_fail_on_never_tells_and_exits_with_zero(after: Path) -> None:
    report = check.run(surroundings(after), Bench(fail_on=FailOn.NEVER))

    assert (report.exit, report.verdict) == (Exit.PASS, Verdict.FAIL)


def test_an_unreadable_metadata_is_a_finding_and_the_rest_is_judged(after: Path) -> None:
    (metadata,) = after.glob("lib/*/site-packages/vllm-*/METADATA")
    metadata.unlink()

    report = check.run(surroundings(after), Bench())

    assert [item.code for item in report.findings] == ["compare", "distribution-incomplete"]
    assert not report.complete
