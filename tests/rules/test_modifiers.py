"""What every rule may say beside its kind, and conditions, members and ranges."""

from datetime import date

import pytest

from envaudit.model.finding import LookOn, Place, Remove, Severity
from envaudit.rules.condition import parse_condition
from envaudit.rules.member import admits, beyond, can_admit, parse_member
from envaudit.rules.table import ExpressionError
from tests.kit import rules
from tests.kit.builders import interpreter
from tests.kit.rules import judge, rule, verdict


@pytest.mark.parametrize(
    ("condition", "pins", "holds"),
    [
        ("c", ("c==1",), True),
        ("c", (), False),
        ("c>=2", ("c==1",), False),
        ("not c", (), True),
        ("not c>=2", ("c==1",), True),
        ("c|d", ("d==1",), True),
        ("c-*", ("c-d==1",), True),
        ("cuda(c) == 12", ("c==1+cu128",), True),
        ("cuda(c) == 12", ("c==1+cu130",), False),
        ("cuda(c) == 12", ("c==1+cpu",), False),
        ("cuda(c) != 12", ("c==1+cpu",), True),
        ("vendor(c) == rocm", ("c==1+rocm6.4",), True),
        ("minor(c) >= 2.1", ("c==2.1.7",), True),
        ('python_version < "3.12"', (), True),
        ('sys_platform == "win32"', (), False),
        ('platform_machine == "x86_64" and os_name == "posix"', (), True),
    ],
)
def test_a_rule_is_silent_unless_its_condition_holds(
    condition: str, pins: tuple[str, ...], *, holds: bool
) -> None:
    guarded = rule(compare="a == b", when=condition)
    assert verdict(guarded, "a==1", "b==2", *pins) == ("error" if holds else "pass")


@pytest.mark.parametrize("truth", ["c>=2", "cuda(c) == 12", "not c>=2"])
def test_a_condition_of_which_nothing_is_known_makes_it_an_info(truth: str) -> None:
    guarded = rule(compare="a == b", when=truth)
    (finding,) = judge(guarded, "a==1", "b==2", "c==2.0.0+g0123abcd")
    assert finding.severity is Severity.INFO
    assert any("not known whether this rule applies" in text for text in finding.evidence)
    assert judge(guarded, "a==1", "b==1", "c==2.0.0+g0123abcd") == []


@pytest.mark.parametrize(
    ("text", "offset", "message"),
    [
        ("cudda(c) == 12", 0, "`cudda` is not a fact"),
        ("cuda(c) = 12", 8, "expected `==`, `!=`, `<=` or `>=` and a value, found `= 12`"),
        ("cuda(c)", 7, "found the end"),
        ("vendor(c) >= cuda", 10, "`vendor` is a text"),
        ("cuda(c) == twelve", 11, "expected a version, found `twelve`"),
        ("not c >", 6, "not a range of versions"),
        ("python_version <", 0, "not a marker"),
        ("-c", 0, "not the name of a distribution"),
        ("c" * 501, 0, "500 are allowed"),
    ],
)
def test_a_condition_says_what_was_expected_and_where(text: str, offset: int, message: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse_condition(text)
    assert message in caught.value.message
    assert caught.value.offset == offset


@pytest.mark.parametrize(
    ("today", "speaks"),
    [
        (date(2026, 1, 31), False),
        (date(2026, 2, 1), True),
        (date(2026, 2, 28), True),
        (date(2026, 3, 1), False),
        (None, True),
    ],
)
def test_a_rule_is_in_force_between_its_dates(today: date | None, *, speaks: bool) -> None:
    dated = rule(forbid="a", since=date(2026, 2, 1), until=date(2026, 2, 28))
    assert bool(judge(dated, "a==1", today=today)) is speaks


def test_a_silenced_check_is_said_beside_a_mismatch_and_never_without() -> None:
    silenced = rule(when="a>=1", then="b>=1", bypass_env="QUIET")
    (finding,) = judge(silenced, "a==1", "b==0.9", variables=frozenset({"QUIET"}))
    assert any("`QUIET` is set here" in text for text in finding.evidence)
    assert judge(silenced, "a==1", "b==1", variables=frozenset({"QUIET"})) == []
    (finding,) = judge(silenced, "a==1", "b==0.0.0", variables=frozenset({"QUIET"}))
    assert not any("QUIET" in text for text in finding.evidence)


def test_versions_that_say_nothing_are_skipped_by_pattern() -> None:
    skipping = rule(compare="minor(a) == minor(b)", skip=["*+git*"])
    assert verdict(skipping, "a==2.6", "b==2.7+git") == "info"
    assert verdict(rule(compare="minor(a) == minor(b)"), "a==2.6", "b==2.7+git") == "error"


def test_remedies_have_a_side_and_may_name_an_index() -> None:
    wishing = rule(
        compare="full(a) == full(b)",
        remedies=["raise b", "lower a", "remove b", "index b https://wheels.example/wheels"],
    )
    (finding,) = judge(wishing, "a==2", "b==1")
    assert finding.remedies == (
        Place(name="b", specifier=">1,==2", up=True),
        Place(name="a", specifier="<2,==1", up=False),
        Remove(name="b"),
        LookOn(name="b", url="https://wheels.example/wheels"),
    )


@pytest.mark.parametrize(
    "remedy", ["raise c", "raise", "index b", "index b ftp://x/y", "align b", "remove -x", ""]
)
def test_a_remedy_that_makes_no_sense_is_a_mistake(remedy: str) -> None:
    found = rules.mistakes(forbid=["a", "b"], remedies=[remedy])
    assert [at for at, _ in found] == [("remedies", 0)]


@pytest.mark.parametrize(
    ("keys", "path", "message"),
    [
        ({}, ("id",), "of no kind"),
        ({"compare": "a == b", "forbid": "c"}, ("forbid",), "of two kinds, compare and forbid"),
        ({"forbid": "a", "skip": ["x" * 501]}, ("skip", 0), "500 are allowed"),
        ({"forbid": "a", "except": ["*"]}, ("except", 0), "beginning of a name"),
        ({"forbid": "a", "severity": "bad"}, ("severity",), "must be one of"),
        ({"forbid": "a", "since": "today"}, ("since",), "must be a date"),
        ({"forbid": "a", "when": 1}, ("when",), "must be text in quotes"),
        ({"forbid": "a", "when": ["b", 1]}, ("when",), "must be a list of texts"),
        (
            {"forbid": "a", "since": date(2026, 2, 1), "until": date(2026, 1, 1)},
            ("until",),
            "`until` is before `since`",
        ),
    ],
)
def test_what_makes_no_sense_is_a_mistake(
    keys: dict[str, object], path: tuple[str | int, ...], message: str
) -> None:
    assert any(at == path and message in told for at, told in rules.mistakes(**keys))


@pytest.mark.parametrize(
    ("text", "names", "specifier"),
    [
        ("Flash_Attn", ("flash-attn",), ""),
        ("a|b.C | d-*", ("a", "b-c", "d-*"), ""),
        (" torch >= 2.11, < 3 ", ("torch",), "<3,>=2.11"),
        ("torch==2.9.*", ("torch",), "==2.9.*"),
    ],
)
def test_a_member_is_names_and_a_range(text: str, names: tuple[str, ...], specifier: str) -> None:
    member = parse_member(text)
    assert member.names == names
    assert member.specifier == specifier


@pytest.mark.parametrize(
    ("specifier", "version", "admitted"),
    [
        (">=2.13", "2.13.0.dev20260530+cu132", None),
        ("<2.13", "2.13.0.dev20260530", False),
        ("==2.13.*", "2.13.0.dev20260530", True),
        (">=2.11", "2.10.0.dev1", False),
        (">=2.11", "2.12.0.dev1", True),
        ("==2.11.0", "2.11.0+cu126", True),
        ("<0.48", "0.48b0", False),
        (">=1", "9" * 5000, None),
        (">=1", "2013b-x", None),
    ],
)
def test_a_range_admits_what_is_installed_or_nobody_knows(
    specifier: str, version: str, *, admitted: bool | None
) -> None:
    assert admits(specifier, version) is admitted


@pytest.mark.parametrize(
    ("specifier", "possible"),
    [
        ("", True),
        (">=1", True),
        (">1,<1.0.1", True),
        (">=2,<1", False),
        ("==1.2.*,>=1.3", False),
        ("==1.2.*,!=1.2.0", True),
        (">1.0,<1.1", True),
        (">1,<=1", False),
        ("<0.1", True),
        ("==1.0.post1", True),
        ("~=2.1.3,<2.1", False),
    ],
)
def test_whether_any_version_is_in_a_range(specifier: str, *, possible: bool) -> None:
    assert can_admit(specifier) is possible


@pytest.mark.parametrize(
    ("specifier", "above", "below"),
    [
        (">=5", None, "<5"),
        ("<=0.17", ">0.17", None),
        (">=2.5,<2.6", ">=2.6", "<2.5"),
        ("==1.2.*", ">=1.3", "<1.2"),
        ("==1.2", ">1.2", "<1.2"),
        ("!=1.2", None, None),
    ],
)
def test_what_lies_beyond_a_range(specifier: str, above: str | None, below: str | None) -> None:
    assert beyond(specifier, up=True) == above
    assert beyond(specifier, up=False) == below


def test_a_pattern_speaks_of_what_it_matches_but_for_exceptions() -> None:
    family = rule(compare="minor(a-*) == minor(b)", exempt=["a-x*"])
    assert family.spoken_of(("a-1", "a-x1", "b", "c")) == {"a-1", "b"}
    assert family.meets(("a-1", "b"))
    assert not family.meets(("a-x1", "b"))


def test_an_unlabelled_wheel_is_another_build_on_another_platform() -> None:
    rocm = rule(forbid="a", when="vendor(torch) == cuda")
    assert judge(rocm, "a==1", "torch==2.9.1", interpreter=interpreter("3.11"))
