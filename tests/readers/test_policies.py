"""Policies from files: the pack loads, and what does not load says all that is wrong, and where."""

from pathlib import Path

import pytest

from envaudit.exits import Exit
from envaudit.model.errors import PolicyError
from envaudit.model.policy import Policy
from envaudit.readers.policies import builtin_pack, load_policies
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
                "`fulll` is not a fact; known are full, public, release, major, minor, first1, "
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
        (HEADER + "a = [1,\n", "3:8", "a = [1,", 7),
        (HEADER + "a = [1,\n\n\n", "3:8", "a = [1,", 7),
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
