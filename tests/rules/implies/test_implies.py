"""The rule kind ``implies``: rows and tables, what they say, and what they keep quiet about."""

import pytest

from envaudit.model.finding import Place, Severity
from tests.kit import rules
from tests.kit.rules import judge, rule, verdict

TABLE = rule(
    rows=[
        {"when": "codec==0.8.*", "then": "torch==2.9.*"},
        {"when": "codec==0.9.*", "then": "torch==2.9.*", "severity": "warning"},
        {"when": "codec>=0.12,<0.18", "then": "torch>=2.11"},
    ]
)


@pytest.mark.parametrize(
    ("pins", "expected"),
    [
        (("a==5", "b==0.17"), "error"),
        (("a==5", "b==0.18"), "pass"),
        (("a==4.9", "b==0.17"), "pass"),
        (("a==5",), "pass"),
        (("b==0.17",), "pass"),
        (("a==5.0+g0123abcd", "b==0.17"), "info"),
        (("a==5.0+g0123abcd", "b==0.18"), "pass"),
        (("a==5", "b==0.18.dev1"), "info"),
        (("a==5", "b==0.17.dev1"), "error"),
        (("a==5", "b==0.0.0+unknown"), "info"),
    ],
)
def test_one_row_is_judged(pins: tuple[str, ...], expected: str) -> None:
    assert verdict(rule(when="a>=5", then="b>=0.18"), *pins) == expected


def test_all_conditions_must_hold_and_all_goals_be_reached() -> None:
    both = rule(when=["a>=5", "c"], then=["b>=0.18", "cuda(d) == 12"])
    assert verdict(both, "a==5", "b==0.17") == "pass"
    assert verdict(both, "a==5", "b==0.17", "c==1") == "error"
    (finding,) = judge(both, "a==5", "b==0.18", "c==1", "d==1+cu130")
    assert (
        finding.message
        == "`a 5` with `c 1` goes with `cuda(d) == 12`, and that of `d 1+cu130` is 13"
    )
    assert finding.distributions == ("a", "c", "d")


def test_without_a_goal_the_release_is_known_to_be_bad() -> None:
    bad = rule(when=["a==9.20", "not b"], severity="warning")
    (finding,) = judge(bad, "a==9.20")
    assert finding.severity is Severity.WARNING
    assert finding.message == "`a 9.20` is known to be bad"
    assert verdict(bad, "a==9.20", "b==1") == "pass"
    assert verdict(bad, "a==9.21") == "pass"


@pytest.mark.parametrize(
    ("pins", "expected"),
    [
        (("codec==0.8.1", "torch==2.9.0"), "pass"),
        (("codec==0.8.1", "torch==2.10.0"), "error"),
        (("codec==0.9", "torch==2.10.0"), "warning"),
        (("codec==0.14", "torch==2.15"), "pass"),
        (("codec==0.18", "torch==2.15"), "info"),
        (("codec==0.18",), "pass"),
        (("codec==0.10", "torch==2.8"), "pass"),
        (("codec==0.1", "torch==2.8"), "pass"),
    ],
)
def test_the_first_row_that_admits_the_subject_decides(
    pins: tuple[str, ...], expected: str
) -> None:
    assert verdict(TABLE, *pins) == expected


@pytest.mark.parametrize(("above", "expected"), [("ok", "pass"), ("warn", "warning")])
def test_a_table_says_what_it_says_above_its_last_row(above: str, expected: str) -> None:
    table = rule(rows=[{"when": "a==1.*", "then": "b==1.*"}], above_last_row=above)
    assert verdict(table, "a==2", "b==9") == expected


def test_an_earlier_row_is_an_exception_of_a_later_one() -> None:
    table = rule(
        rows=[
            {"when": "a==1.5.post1", "then": "b==3"},
            {"when": "a>=1", "then": "b==2"},
        ]
    )
    assert verdict(table, "a==1.5.post1", "b==3") == "pass"
    assert verdict(table, "a==1.5", "b==3") == "error"


def test_conditions_of_a_table_are_modifiers() -> None:
    table = rule(rows=[{"when": "a>=1", "then": "b<1"}], when="vendor(b) == cuda")
    assert verdict(table, "a==1", "b==1+cu128") == "error"
    assert verdict(table, "a==1", "b==1+cpu") == "pass"


def test_it_offers_to_move_either_side() -> None:
    (finding,) = judge(rule(when="a>=5", then="b>=0.18"), "a==5", "b==0.17")
    assert finding.remedies == (
        Place(name="b", specifier=">=0.18", up=True),
        Place(name="a", specifier="<5", up=False),
    )


def test_it_offers_what_the_rule_wishes() -> None:
    wishing = rule(when="a>=5", then="b>=0.18", remedies=["lower a", "raise b"])
    (finding,) = judge(wishing, "a==5.1", "b==0.17")
    assert finding.remedies == (
        Place(name="a", specifier="<5.1,<5", up=False),
        Place(name="b", specifier=">0.17,>=0.18", up=True),
    )


@pytest.mark.parametrize(
    ("keys", "path", "message"),
    [
        ({"then": "b>=1"}, ("then",), "`when` is missing"),
        ({"when": "a", "then": "b"}, ("then",), "has no range"),
        ({"when": "a >> 1", "then": "b>=1"}, ("when",), "not a range of versions"),
        ({"rows": [{"then": "b>=1"}]}, ("rows", 0, "when"), "a row has one `when`"),
        ({"rows": [{"when": "a|c", "then": "b>=1"}]}, ("rows", 0, "when"), "one distribution"),
        (
            {"rows": [{"when": "a>1", "then": "b>1"}, {"when": "c>1", "then": "b>1"}]},
            ("rows",),
            "several subjects",
        ),
        (
            {"rows": [{"when": "a>1", "then": "b>1"}], "above-last-row": "no"},
            ("above-last-row",),
            "must be one of ok, warn, unknown",
        ),
        ({"rows": [{"when": "a>1", "then": "b>1"}] * 501}, ("rows", 500), "500 are allowed"),
    ],
)
def test_what_is_no_rule_is_a_mistake(
    keys: dict[str, object], path: tuple[str | int, ...], message: str
) -> None:
    assert any(at == path and message in told for at, told in rules.mistakes(**keys))
