"""Policies from files: the pack loads, and what does not load says all that is wrong, and where."""

from pathlib import Path

import pytest

from envaudit.exits import Exit
from envaudit.model.errors import PolicyError, Problem
from envaudit.model.policy import Policy
from envaudit.readers.policies import builtin_pack, load_policies
from envaudit.readers.policy_file import parse_policy
from envaudit.readers.toml_lines import locate

HEADER = '[policy]\nname = "x"\n'


def load(tmp_path: Path, text: str) -> Policy:
    path = tmp_path / "x.toml"
    path.write_text(text)
    (policy,) = load_policies((path,), builtin=False)
    return policy


def mistakes(tmp_path: Path, text: str) -> list[tuple[str, str]]:
    with pytest.raises(PolicyError) as caught:
        load(tmp_path, text)
    assert caught.value.exit is Exit.USAGE
    return [
        ((problem.at or "").removeprefix(f"{tmp_path}/x.toml:"), problem.message)
        for problem in caught.value.problems
    ]


def test_the_pack_is_found_in_a_checkout_and_loads() -> None:
    assert builtin_pack().name == "policies"
    policies = load_policies()
    assert "flashinfer" in {policy.name for policy in policies}
    assert all(policy.reviewed is not None for policy in policies)


def test_the_pack_that_is_named_again_judges_once() -> None:
    assert load_policies((builtin_pack(),)) == load_policies()
    assert load_policies((builtin_pack(),), builtin=False) != ()


def test_a_rule_knows_where_it_stands(tmp_path: Path) -> None:
    text = f'{HEADER}\n[[rule]]\nid = "a"\ncompare = "a == b"\nreason = "r"\n'
    (rule,) = load(tmp_path, text).rules
    assert rule.reference.line == 4
    assert rule.reference.file.endswith("x.toml")


def test_all_mistakes_are_told_at_once_each_with_line_and_column(tmp_path: Path) -> None:
    text = (
        f'{HEADER}[[rule]]\nid = "a"\ncompare = "fulll(a) == b"\nreason = ""\nseveritty = "error"\n'
    )
    assert mistakes(tmp_path, text) == [
        (
            "5:12",
            (
                "`fulll` is not a fact; known are full, public, release, major, minor, first1 to "
                "first9, built.torch, label, vendor, built.vendor, cuda, built.cuda, cuda.minor"
            ),
        ),
        ("6:10", "`reason` must not be empty"),
        (
            "7:1",
            (
                "`severitty` is not known here; known are bypass-env, compare, example, except, "
                "id, reason, remedies, severity, since, skip, sources, until, when"
            ),
        ),
    ]


def test_the_caret_stands_under_the_offending_text(tmp_path: Path) -> None:
    text = f'{HEADER}[[rule]]\nid = "a"\ncompare = "full(a) == b c"\nreason = "r"\n'
    with pytest.raises(PolicyError) as caught:
        load(tmp_path, text)
    (problem,) = caught.value.problems
    line, caret = (problem.excerpt or "").split("\n")
    assert line[caret.index("^")] == "c"
    assert caret.index("^") == line.rindex("c")


@pytest.mark.parametrize(
    ("value", "under"),
    [
        ('"a = b"', "= b"),
        (r'"\u0061\u0061 = b"', "= b"),
        ('"""\na ==\n b ? c"""', "? c"),
        ('"""a \\\n   = b"""', "= b"),
        ("'''\r\na ==\r\n  b ? c'''", "? c"),
        ('"a == ü"', "ü"),
    ],
)
def test_the_caret_finds_its_place_in_a_string_of_any_form(
    value: str, under: str, tmp_path: Path
) -> None:
    text = f'{HEADER}[[rule]]\nid = "a"\nreason = "r"\ncompare = {value}\n'
    (tmp_path / "x.toml").write_bytes(text.encode())
    with pytest.raises(PolicyError) as caught:
        load_policies((tmp_path / "x.toml",), builtin=False)
    (problem,) = caught.value.problems
    line, caret = (problem.excerpt or "").split("\n")
    assert line[caret.index("^") :].startswith(under)
    assert not line.endswith("\r")


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        ('name = "x"\nname = "y"\n', "x.toml:2:11", "Cannot overwrite a value"),
        ("[policy", "x.toml:1:8", "Expected ']' at the end of a table declaration"),
        ("a = 9" + "9" * 5000, "x.toml", "a number has too many digits"),
    ],
)
def test_what_is_not_toml_is_told_with_its_place(text: str, at: str, message: str) -> None:
    problems: list[Problem] = []
    assert parse_policy(text.encode(), "x.toml", problems) is None
    (problem,) = problems
    assert problem.at == at
    assert problem.message == f"policy `x.toml` is not TOML: {message}"
    assert (problem.excerpt is None) == (":" not in at)


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text(HEADER, encoding="utf-8-sig")
    (policy,) = load_policies((tmp_path / "x.toml",), builtin=False)
    assert policy.name == "x"


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ('when = "a>>1"\nthen = "b>1"', ["`>>1` is not a range of versions (PEP 440)"]),
        ('when = ["a>>1"]\nneeds = "b"', ["`>>1` is not a range of versions (PEP 440)"]),
        (
            'rows = [{ when = "a>>1", then = "b>1" }]',
            ["`>>1` is not a range of versions (PEP 440)"],
        ),
        (
            'compare = "a == b"\nforbid = ["c"]\nseverity = "info"',
            ["the rule is of two kinds, compare and forbid: split it"],
        ),
        (f"exclusive = {['a'] * 201}", ["`exclusive` has 201 texts, 200 are allowed"]),
        (
            'compare = "a<2 == b"',
            [
                (
                    "expected `==`, `<=`, `>=` or the end, found `<`: a range stands in a fact "
                    "call, `public(a<2)`"
                )
            ],
        ),
    ],
)
def test_one_mistake_is_told_once(keys: str, told: list[str], tmp_path: Path) -> None:
    text = f'{HEADER}[[rule]]\nid = "a"\nreason = "r"\n{keys}\n'
    assert [message for _, message in mistakes(tmp_path, text)] == told


@pytest.mark.parametrize("key", ["installed", "verdict"])
def test_an_example_without_its_point_is_a_mistake(key: str, tmp_path: Path) -> None:
    said = {"installed": 'installed = ["a==1"]', "verdict": 'verdict = "pass"'}
    rule = '[[rule]]\nid = "a"\ncompare = "a == b"\nreason = "r"\n'
    text = f"{HEADER}{rule}[[rule.example]]\n{said[key]}\n"
    (missing,) = said.keys() - {key}
    assert mistakes(tmp_path, text) == [("7:1", f"`{missing}` is missing")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "`[policy]` is missing"),
        (HEADER + "[[rule]]\n", "`id` is missing"),
        (HEADER + '[[rule]]\nid = "a"\nreason = "r"\n', "the rule is of no kind: it needs one of"),
        (HEADER + "rules = 1\n", "`rules` is not known here; known are name, reviewed"),
        ('[policy]\nname = "x"\nreviewed = "soon"\n', "`reviewed` must be a date"),
        ("rule = 1\n" + HEADER, "`rule` must be an array of tables"),
        ("[policy\n", "is not TOML"),
        ("a = " + "[" * 5000, "is not TOML"),
    ],
)
def test_what_does_not_load_says_why(tmp_path: Path, text: str, message: str) -> None:
    assert any(message in told for _, told in mistakes(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "place", "line", "mark"),
    [
        (HEADER + "[[rule]\n", "3:7", "[[rule]", 6),
        (HEADER + "a = 1\na = 2\n", "4:6", "a = 2", 5),
        (HEADER + 'a = "x\n', "3:7", 'a = "x', 6),
    ],
)
def test_what_is_no_toml_has_a_line_and_a_caret(
    tmp_path: Path, text: str, place: str, line: str, mark: int
) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(PolicyError, match=r"is not TOML: [^()]*$") as caught:
        load_policies((path,), builtin=False)

    (problem,) = caught.value.problems
    assert problem.at is not None
    assert problem.at.endswith(f"broken.toml:{place}")
    assert problem.excerpt == f"{line}\n{' ' * mark}^"


def test_two_rules_with_one_id_are_a_mistake(tmp_path: Path) -> None:
    rule = '[[rule]]\nid = "a"\ncompare = "a == b"\nreason = "r"\n'
    assert mistakes(tmp_path, HEADER + rule + rule) == [("8:6", "two rules have the id `a`")]


def test_a_file_or_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="is not there"):
        load_policies((tmp_path / "none.toml",), builtin=False)
    with pytest.raises(PolicyError, match=r"holds no `\.toml` file"):
        load_policies((tmp_path,), builtin=False)


def test_positions_are_found_behind_strings_arrays_and_comments_of_every_form() -> None:
    text = (
        "# [[rule]]\n"
        'a = """\n[[rule]]\n"""\n'
        "[[rule]]\n"
        "b = ['x = 1', # c = 2\n  [1,\n 2]]\n"
        "c = 3\n"
        "[rule.inner]\n"
        '"quoted.key" = {d = 1}\n'
        "[[rule]]\n"
        "c = 4\n"
    )
    found = {path: (at.line, at.column) for path, at in locate(text).items()}
    assert found["rule", 0] == (5, 1)
    assert found["rule", 0, "b"] == (6, 5)
    assert found["rule", 0, "c"] == (9, 5)
    assert found["rule", 0, "inner", "quoted.key"] == (11, 16)
    assert found["rule", 1, "c"] == (13, 5)
    assert ("rule", 2) not in found
