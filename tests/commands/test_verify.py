"""``envaudit verify``: its verdicts, its numbers, its names and its options."""

import json
import os
from pathlib import Path

import pytest

from envaudit.commands import verify
from envaudit.commands.verify import Terms
from envaudit.exits import Exit
from envaudit.model.errors import UsageError
from envaudit.model.report import FailOn, Verdict
from envaudit.readers.inspection import Progress
from tests.kit.bare import Bare
from tests.kit.commands import envaudit, surroundings
from tests.kit.verifying import SITE, add_distribution, codes, make_installed, only, verified


@pytest.fixture
def bare(tmp_path: Path) -> Bare:
    return make_installed(tmp_path / "environment")


def test_what_is_as_it_was_installed_passes(bare: Bare) -> None:
    report = verified(bare.root)

    assert (report.verdict, report.exit, report.complete) == (Verdict.PASS, Exit.PASS, True)
    assert report.findings == ()
    assert report.lines == (
        "pass: 6 files verified (0.0 MiB), 0 modified, 0 unverifiable in 1 distribution",
    )


def test_an_edit_of_another_size_is_found(bare: Bare) -> None:
    bare.put("pkg/core.py", "TWO = 22\n")

    report = verified(bare.root)

    assert (report.verdict, report.exit) == (Verdict.FAIL, Exit.FINDINGS)
    finding = only(report)
    assert (finding.code, finding.distributions) == ("files-modified", ("pkg",))
    assert finding.evidence[0].startswith(
        f"path: {SITE}/pkg/core.py has 9 bytes instead of 8, written 20"
    )


def test_an_edit_of_the_same_size_is_found(bare: Bare) -> None:
    bare.put("pkg/core.py", "TWO = 3\n")

    assert "has other content" in only(verified(bare.root)).evidence[0]


def test_an_edit_of_metadata_alone_is_a_warning(bare: Bare) -> None:
    bare.put("pkg-1.dist-info/WHEEL", "Tag: other\n")

    report = verified(bare.root)

    assert codes(report) == ["warning[files-modified]"]
    assert report.exit is Exit.PASS


def test_what_installers_rewrite_is_no_edit(bare: Bare) -> None:
    bare.put("pkg-1.dist-info/INSTALLER", "another")

    report = verified(bare.root)

    assert report.findings == ()
    assert isinstance(report.data, dict)
    assert report.data["adapted"] == 1


def test_a_name_limits_it(bare: Bare) -> None:
    add_distribution(bare, "Other_Name", {"other.py": "1\n"})
    bare.put("pkg/core.py", "edited\n")

    assert verified(bare.root, "other-name").exit is Exit.PASS
    assert codes(verified(bare.root, "PKG")) == ["error[files-modified]"]
    assert "1 distribution" in verified(bare.root, "other.name").lines[0]


def test_a_name_that_is_not_installed_is_a_mistake_of_the_user(bare: Bare) -> None:
    with pytest.raises(UsageError) as caught:
        verified(bare.root, "pgk")

    assert caught.value.problems[0].hint == "did you mean `pkg`?"


def test_an_unreadable_file_makes_the_verdict_unknown(bare: Bare) -> None:
    (bare.site / "pkg" / "core.py").unlink()
    (bare.site / "pkg" / "core.py").symlink_to("__init__.py")
    huge = bare.site / "pkg" / "data.bin"
    record = bare.site / "pkg-1.dist-info" / "RECORD"
    with huge.open("wb") as file:
        file.truncate(2**40)
    record.write_text(record.read_text().replace(",99\n", f",{2**40}\n"))

    report = verified(bare.root)

    assert codes(report) == ["error[files-irregular]", "warning[files-unreadable]"]
    assert (report.exit, report.complete) == (Exit.FINDINGS, False)

    bare.put("pkg/other.py", "TWO = 2\n")
    (bare.site / "pkg" / "other.py").replace(bare.site / "pkg" / "core.py")
    report = verified(bare.root)
    assert codes(report) == ["warning[files-unreadable]"]
    assert (report.verdict, report.exit) == (Verdict.UNKNOWN, Exit.UNKNOWN)


def test_fail_on_moves_the_line(bare: Bare) -> None:
    bare.put("pkg-1.dist-info/WHEEL", "Tag: other\n")

    terms = Terms(cache=False, fail_on=FailOn.WARNING)

    assert verify.run(surroundings(bare.root), terms).exit is Exit.FINDINGS


def test_what_was_read_is_counted_and_what_did_not_change_is_not_read(bare: Bare) -> None:
    for path in bare.site.rglob("*"):
        os.utime(path, (1_700_000_000, 1_700_000_000))
    report = verify.run(surroundings(bare.root), Terms(cache=False))

    assert isinstance(report.data, dict)
    assert (report.data["read"], report.data["unchanged"]) == (6, 0)
    assert report.data["verified_bytes"] == sum(
        path.stat().st_size
        for path in bare.site.rglob("*")
        if path.is_file() and path.name != "RECORD"
    )


def test_progress_is_told_and_an_interrupt_leaves_a_partial_result(bare: Bare) -> None:
    told: list[Progress] = []

    def interrupt(progress: Progress) -> None:
        told.append(progress)
        raise KeyboardInterrupt

    report = verify.run(surroundings(bare.root), Terms(cache=False), tell=interrupt)

    assert told[0].all_files == 6
    assert (report.complete, report.exit) == (False, Exit.UNKNOWN)
    assert "partial" in report.lines[0]


def test_as_a_program_it_says_json_and_the_exit_code(bare: Bare) -> None:
    bare.put("pkg/core.py", "edited\n")

    outcome = envaudit("verify", "--format", "json", "--python", bare.root)

    answer = json.loads(outcome.stdout)
    assert outcome.code == answer["exit_code"] == 1
    assert answer["data"]["files"][0]["path"] == f"{SITE}/pkg/core.py"
    assert answer["data"]["files"][0]["kind"] == "modified"


def test_nothing_to_verify_is_said(tmp_path: Path) -> None:
    bare = make_installed(tmp_path / "environment")
    (bare.site / "pkg-1.dist-info" / "RECORD").unlink()

    report = verified(bare.root)

    assert "warning[record-missing]" in codes(report)
    assert any("no RECORD" in note for note in report.notes)


def test_what_was_edited_before_the_baseline_is_told_from_what_was_edited_since(
    bare: Bare, tmp_path: Path
) -> None:
    baseline = tmp_path / "baseline.json"
    bare.put("pkg/core.py", "patched\n")
    outcome = envaudit("snapshot", "--files", "--to", baseline, "--python", bare.root)
    assert outcome.code == 0, outcome.stderr
    assert "1 file recorded that RECORD does not vouch for" in outcome.stderr

    assert codes(verified(bare.root, baseline=baseline)) == ["info[files-modified-before]"]

    bare.put("pkg/__init__.py", "edited\n")
    since = verified(bare.root, baseline=baseline)
    assert codes(since) == ["error[files-modified]", "info[files-modified-before]"]
    assert [finding.introduced for finding in since.findings] == [True, False]

    bare.put("pkg/core.py", "patched otherwise\n")
    assert codes(verified(bare.root, baseline=baseline)) == ["error[files-modified]"]


def test_what_has_no_digest_is_compared_with_the_baseline(bare: Bare, tmp_path: Path) -> None:
    record = bare.site / "pkg-1.dist-info" / "RECORD"
    record.write_text(
        "".join(f"{line.split(',')[0]},,\n" for line in record.read_text().splitlines())
    )
    baseline = tmp_path / "baseline.json"
    assert envaudit("snapshot", "--files", "--to", baseline, "-p", bare.root).code == 0
    assert verified(bare.root, baseline=baseline).exit is Exit.PASS

    bare.put("pkg/core.py", "edited\n")

    report = verified(bare.root, baseline=baseline)
    assert "error[files-modified]" in codes(report)
    assert "differs from the baseline" in report.findings[0].message


def test_a_baseline_without_files_says_that_it_tells_nothing(bare: Bare, tmp_path: Path) -> None:
    baseline = tmp_path / "baseline.json"
    assert envaudit("snapshot", "--to", baseline, "-p", bare.root).code == 0

    report = verified(bare.root, baseline=baseline)

    assert any("`envaudit snapshot --files`" in note for note in report.notes)


def test_check_folds_it_in(bare: Bare) -> None:
    bare.put("pkg/core.py", "edited\n")

    assert envaudit("check", "--python", bare.root).code == 0
    outcome = envaudit("check", "--verify", "--python", bare.root)

    assert outcome.code == 1
    assert "error[files-modified]" in outcome.stdout


def test_a_record_cannot_be_verified(bare: Bare, tmp_path: Path) -> None:
    baseline = tmp_path / "baseline.json"
    assert envaudit("snapshot", "--to", baseline, "-p", bare.root).code == 0

    outcome = envaudit("check", "--verify", baseline)

    assert outcome.code == 2
    assert "holds no files" in outcome.stderr
