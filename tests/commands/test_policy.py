"""``policy`` as functions."""

from pathlib import Path

import pytest

from envaudit.commands import policy
from envaudit.commands.judging import Bench
from envaudit.exits import Exit
from envaudit.model.errors import UsageError
from tests.kit.commands import surroundings

WRONG = """\
[policy]
name = "wrong"
[[rule]]
id = "r"
reason = "r"
compare = "a == b"
[[rule.example]]
installed = ["a==1", "b==1"]
verdict = "error"
"""


def test_the_rules_in_force_are_listed_with_whether_they_matched(after: Path) -> None:
    report = policy.list_rules(surroundings(after), Bench())

    assert any(line.startswith("matched") and "flashinfer-cubin" in line for line in report.lines)


def test_a_rule_is_shown_with_its_reason() -> None:
    report = policy.show_rule(surroundings(), Bench(), identity="flashinfer-cubin")

    assert any(line.startswith("  why: ") for line in report.lines)


def test_a_rule_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="no rule in force"):
        policy.show_rule(surroundings(), Bench(), identity="nobody")


def test_the_built_in_pack_keeps_its_own_examples() -> None:
    assert policy.test_examples(surroundings(), Bench()).exit is Exit.PASS


def test_an_example_is_shown_with_all_that_it_says(tmp_path: Path) -> None:
    text = WRONG + (
        'distributions = ["a"]\npython = "3.9"\nplatform = "macos-arm64"\nvariables = ["X"]\n'
        'built = { a = "2.9" }\nrequires = { a = ["c"] }\n'
    )
    (tmp_path / "wrong.toml").write_text(text, encoding="utf-8")
    bench = Bench(paths=(str(tmp_path / "wrong.toml"),), builtin=False)

    report = policy.show_rule(surroundings(), bench, identity="r")

    assert report.lines[-1] == (
        "  example: a==1, b==1 with a built against torch 2.9 with a requiring c with X set "
        "on Python 3.9 on macos-arm64 is error"
    )


def test_an_example_that_names_others_is_wrong_too(tmp_path: Path) -> None:
    text = WRONG.replace('"b==1"', '"b==2"') + 'distributions = ["a"]\n'
    (tmp_path / "wrong.toml").write_text(text, encoding="utf-8")
    bench = Bench(paths=(str(tmp_path / "wrong.toml"),), builtin=False)

    report = policy.test_examples(surroundings(), bench)

    assert report.exit is Exit.FINDINGS
    assert "says error of a, b where a==1, b==2, and its example says error of a" in report.lines[0]


def test_a_wrong_example_fails(tmp_path: Path) -> None:
    (tmp_path / "wrong.toml").write_text(WRONG, encoding="utf-8")
    bench = Bench(paths=(str(tmp_path / "wrong.toml"),), builtin=False)

    assert policy.test_examples(surroundings(), bench).exit is Exit.FINDINGS


def test_examples_of_no_policy_are_said_to_be_none() -> None:
    report = policy.test_examples(surroundings(), Bench(builtin=False))

    assert report.notes == ("no policy is in force: there is nothing to try",)
