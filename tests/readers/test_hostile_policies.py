"""Policies that mean harm: refused in bounded time, with a line and a caret, and never a crash."""

from pathlib import Path

import pytest

from envaudit.core.evaluate import evaluate
from envaudit.model.errors import PolicyError, Problem
from envaudit.readers.policies import load_policies
from envaudit.readers.policy_file import LIMIT, parse_policy
from tests.kit.builders import snapshot
from tests.kit.judging import policy

HEAD = '[policy]\nname = "x"\n'
RULE = '[[rule]]\nid = "r"\nreason = "r"\n'


def refused(text: str) -> list[Problem]:
    problems: list[Problem] = []
    assert parse_policy(text.encode(), "x.toml", problems) is None
    return problems


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = " + "[" * 100_000, "not TOML"),
        ("a = " + "{b=" * 100_000, "not TOML"),
        ("a = " + "9" * 100_000, "not TOML"),
        (HEAD + "a = " + "[" * 200 + "]" * 200, "`a` is not known here"),
        ("[" + "a." * 20_000 + "a]", "a name has over 100 parts"),
        ('"a".' * 20_000 + "a=1", "a name has over 100 parts"),
        (HEAD + RULE + 'compare = "' + "a == " * 20_000 + 'a"', "500 are allowed"),
        (HEAD + RULE + 'compare = "' + " == ".join("abcdefghi"[:9] * 4) + '"', "32 terms"),
        (HEAD + RULE + 'forbid = "a>=' + "9" * 600 + '"', "500 are allowed"),
        (HEAD + RULE + 'when = \'python_version == "1" and ' + "(" * 400 + "'", "not a marker"),
        (HEAD + RULE.replace("[[rule]]\n", "") * 0 + "[[rule]]\n" * 2001, "2000 are allowed"),
        (HEAD + "x = 1\n".join(f"k{at}" for at in range(300)) + " = 1", "further mistakes"),
        (HEAD + RULE + "rows = [" + "{when='a>1',then='b>1'}," * 30_000 + "]", "500 are allowed"),
        (HEAD + RULE + "exclusive = [" + "'n*'," * 20_000 + "]", "200 are allowed"),
        (
            HEAD
            + "".join(
                f"[[rule]]\nid = '{at}'\nreason = 'r'\nforbid = [{mention}]\n"
                for at, mention in enumerate([",".join(f"'n*{n}'" for n in range(200))] * 26)
            ),
            "over 5000 members",
        ),
        ('[policy]\nname = "x"\nreviewed = 2026-01-01T00:00:00\n', "must be a date without a time"),
        ("[policy]\nname = 'x'\nname = 'y'\n", "not TOML"),
        ("\x00", "not TOML"),
    ],
)
def test_it_is_refused(text: str, message: str) -> None:
    assert any(message in problem.message for problem in refused(text))


def test_bytes_that_are_no_text_are_refused() -> None:
    problems: list[Problem] = []
    assert parse_policy(b"\xff\xfe", "x.toml", problems) is None
    assert "not UTF-8" in problems[0].message


def test_a_file_of_a_million_rows_is_not_even_parsed(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(b"#" * (LIMIT + 1))
    with pytest.raises(PolicyError, match="is larger than"):
        load_policies((path,), builtin=False)


def test_a_pattern_cannot_run_away() -> None:
    pattern = "a*" * 200 + "b"
    loaded = policy(f'{HEAD}{RULE}forbid = "{pattern}"\n')
    pins = [f"{'a' * 200}{at}==1" for at in range(200)]
    assert evaluate(snapshot(*pins), (loaded,)).findings == ()


def test_a_rule_about_everything_says_it_in_one_finding() -> None:
    loaded = policy(f'{HEAD}{RULE}compare = "full(p*) == full(p*)"\n')
    pins = [f"p{at}=={at}" for at in range(1, 1500)]
    (finding,) = evaluate(snapshot(*pins), (loaded,)).findings
    assert len(finding.message) < 1000


def test_a_long_line_is_shown_around_what_is_wrong() -> None:
    (problem,) = refused(f'{HEAD}{RULE}compare = "{"abc == " * 30}+"\n')
    line, caret = (problem.excerpt or "").split("\n")
    assert len(line) <= 200
    assert line[caret.index("^")] == "+"
