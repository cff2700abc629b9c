"""The rule kind ``compare``: its expressions, what it says, and what it keeps quiet about."""

import pytest

from envaudit.model.finding import Align, Finding, Remove, Severity
from envaudit.model.policy import RuleKind
from envaudit.rules.expression import parse_expression
from envaudit.rules.table import ExpressionError
from tests.kit import rules
from tests.kit.builders import distribution


def rule(expression: str, **keys: object) -> RuleKind:
    return rules.rule(compare=expression, **keys)


def judge(compare: RuleKind, *pins: str, variables: frozenset[str] = frozenset()) -> list[Finding]:
    return rules.judge(compare, *pins, variables=variables)


@pytest.mark.parametrize(
    ("expression", "pins", "holds"),
    [
        ("full(a) == full(b)", ("a==1.0", "b==1"), True),
        ("full(a) == full(b)", ("a==1", "b==1.post1"), False),
        ("full(a) == full(b)", ("a==1", "b==1+cu130"), False),
        ("public(a) == public(b)", ("a==0.6.16", "b==0.6.16+cu130"), True),
        ("public(a) == public(b)", ("a==0.6.16", "b==0.6.16.post1+cu130"), False),
        ("a == b", ("a==1", "b==1+cpu"), True),
        ("release(a) == release(b)", ("a==1.2.post1", "b==1.2.0rc1"), True),
        ("release(a) == release(b)", ("a==1.2", "b==1.3"), False),
        ("minor(a) == minor(b)", ("a==2.9.1", "b==2.9.0+cpu"), True),
        ("minor(a) == minor(b)", ("a==2.9", "b==3.9"), False),
        ("a <= b", ("a==1", "b==2"), True),
        ("a <= b", ("a==3", "b==2"), False),
        ("a >= b", ("a==1", "b==2"), False),
        ("a == b == c", ("a==1", "b==1", "c==1"), True),
        ("a == b == c", ("a==1", "b==1", "c==2"), False),
        ("a == b == c", ("a==1", "c==2"), False),
        ("A_b == c.D", ("a-b==1", "c-d==2"), False),
    ],
)
def test_it_holds_or_it_does_not(expression: str, pins: tuple[str, ...], *, holds: bool) -> None:
    found = judge(rule(expression), *pins)
    assert (found == []) is holds
    assert all(finding.severity is Severity.ERROR for finding in found)


def test_absent_members_are_never_a_violation() -> None:
    compare = rule("full(a) == full(b)")
    assert judge(compare, "a==1") == []
    assert judge(compare, "b==1") == []
    assert judge(compare) == []


def test_a_version_that_carries_no_information_is_unknown_and_said_so() -> None:
    compare = rule("full(a) == full(b)", skip=["0.0.0+unknown"])
    (finding,) = judge(compare, "a==0.0.0+unknown", "b==1")
    assert finding.severity is Severity.INFO
    assert "carries no information" in finding.message


def test_a_version_that_is_none_is_unknown() -> None:
    (finding,) = judge(rule("full(a) == full(b)"), "a==2013b-x", "b==1")
    assert finding.severity is Severity.INFO


def test_the_worst_of_two_records_of_one_name_wins() -> None:
    (finding,) = rules.judge(
        rule("a == b"),
        distribution("a==1", folder="site/a-1.dist-info"),
        distribution("a==2", folder="site/a-2.dist-info"),
        "b==1",
    )
    assert "`a 2`" in finding.message


def test_it_has_severity_remedies_and_the_silenced_check() -> None:
    compare = rule(
        "full(a) == full(b)",
        severity="warning",
        remedies=["align", "remove B"],
        **{"bypass-env": "SILENT"},
    )
    (finding,) = judge(compare, "a==1", "b==2", variables=frozenset({"SILENT"}))
    assert finding.severity is Severity.WARNING
    assert finding.remedies == (Align(members=("a", "b"), fact="full"), Remove(name="b"))
    assert any("`SILENT` is set here" in text for text in finding.evidence)
    (finding,) = judge(compare, "a==1", "b==2")
    assert not any("SILENT" in text for text in finding.evidence)


@pytest.mark.parametrize(
    ("text", "offset", "message"),
    [
        ("a", 1, "expected `==`, `<=` or `>=` and a second term"),
        ("a = b", 2, "expected `==`, `<=`, `>=` or the end, found `=`"),
        ("a ==", 4, "expected the name of a distribution, or a fact of one, found the end"),
        ("full(a == b", 7, "expected `\\)`, found `==`"),
        (
            "fulll(a) == b",
            0,
            "`fulll` is not a fact; known are full, public, release, major, minor, first1",
        ),
        ("full() == b", 5, "expected the name of a distribution, found `\\)`"),
        ("a == -b", 5, "`-b` is not the name of a distribution"),
        ("a == b c", 7, "expected `==`, `<=`, `>=` or the end, found `c`"),
        ("(a) == b", 0, "expected the name of a distribution, or a fact of one, found `\\(`"),
        ("a == b!", 6, "found `!`"),
    ],
)
def test_an_expression_says_what_was_expected_and_where(
    text: str, offset: int, message: str
) -> None:
    with pytest.raises(ExpressionError, match=message) as caught:
        parse_expression(text)
    assert caught.value.offset == offset


def test_a_remedy_that_is_none_is_a_mistake() -> None:
    assert [
        path for path, _ in rules.mistakes(compare="a == b", remedies=["pray", "remove c"])
    ] == [
        ("remedies", 0),
        ("remedies", 1),
    ]
