"""``check`` as a function."""

import shutil
from pathlib import Path

from envaudit.commands import check
from envaudit.commands import snapshot as record
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


def test_the_hint_is_of_a_command_that_can_do_something(after: Path) -> None:
    def hint(subject: str | None = None) -> str | None:
        return check.run(surroundings(after), Bench(), subject=subject).hint

    assert hint() == f"`envaudit fix --python {after}` finds the command that repairs it"
    assert hint(str(after)) == hint()

    (metadata,) = after.glob("lib/*/site-packages/flashinfer_cubin-*/METADATA")
    metadata.unlink()
    (after / "bin" / "python").unlink()
    (after / "bin" / "python").symlink_to("nowhere")
    for folder in after.glob("lib/*/site-packages/*.dist-info"):
        shutil.rmtree(folder)
    assert hint() == (
        "`envaudit explain interpreter-missing` says what it means and how it is repaired"
    )


def test_of_a_record_fix_repairs_the_environment(after: Path, tmp_path: Path) -> None:
    taken = tmp_path / "taken.json"
    record.run(surroundings(after), to=str(taken))

    report = check.run(surroundings(after), Bench(), subject=str(taken))

    assert report.hint == (
        "`envaudit fix` on the environment itself finds the command that repairs it"
    )


def test_what_passes_needs_no_hint(before: Path) -> None:
    assert check.run(surroundings(before), Bench()).hint is None
