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


def test_a_rule_is_shown_with_all_that_it_says(tmp_path: Path) -> None:
    text = """\
[policy]
name = "x"
[[rule]]
id = "table"
rows = [
    { when = "a<2", then = "b<2" },
    { when = "a>=2", then = "b>=2", severity = "info" },
]
when = "c"
severity = "warning"
above-last-row = "ok"
skip = ["*+git*"]
bypass-env = "NO_CHECK"
until = 2099-01-01
remedies = ["raise b", "index b https://example.org/wheels"]
reason = "r"
[[rule]]
id = "keep"
exclusive = ["a", "b"]
keep = [{ when = "cuda(torch) == 12", name = "a" }]
except = ["c"]
reason = "r"
[[rule]]
id = "far"
compare = "a == b"
severity = { minor = "info" }
reason = "r"
"""
    (tmp_path / "x.toml").write_text(text)
    bench = Bench(paths=(str(tmp_path / "x.toml"),), builtin=False)
    shown = [
        line.strip()
        for identity in ("table", "keep", "far")
        for line in policy.show_rule(surroundings(), bench, identity=identity).lines
    ]
    for line in (
        "row: a<2 implies b<2 (warning)",
        "row: a>=2 implies b>=2 (info)",
        "above the last row: ok",
        "skip: *+git*",
        "bypass-env: NO_CHECK",
        "until: 2099-01-01",
        "remedies: raise b, index b https://example.org/wheels",
        "keep: a, when cuda(torch) == 12",
        "except: c",
        "severity: error, info where minor differs",
    ):
        assert line in shown, line


def test_what_a_configuration_changes_is_shown_and_fails_no_example(tmp_path: Path) -> None:
    (tmp_path / "envaudit.toml").write_text(
        'disable = ["flashinfer-cubin"]\n[severity]\nflashinfer-jit-cache = "warning"\n'
    )
    bench = Bench(configuration=str(tmp_path / "envaudit.toml"))
    assert policy.test_examples(surroundings(), bench).exit is Exit.PASS
    shown = policy.show_rule(surroundings(), bench, identity="flashinfer-jit-cache").lines
    assert "  in force: severity warning" in shown
    with pytest.raises(UsageError, match=r"it is disabled by `.*envaudit\.toml`"):
        policy.show_rule(surroundings(), bench, identity="flashinfer-cubin")


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
