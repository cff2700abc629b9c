"""The rule kind ``forbidden``: what must not be installed."""

from envaudit.model.finding import Place, Remove, Severity
from tests.kit.builders import interpreter
from tests.kit.rules import judge, rule, verdict


def test_what_is_forbidden_is_found_and_the_rest_is_not() -> None:
    backports = rule(forbid=["enum34", "types-*<2"])
    assert verdict(backports, "enum34==1.1") == "error"
    assert verdict(backports, "types-six==1.0") == "error"
    assert verdict(backports, "types-six==2.0") == "pass"
    assert verdict(backports, "types-six==1.0+g0123abcd") == "info"
    assert verdict(backports, "six==1") == "pass"


def test_a_marker_says_on_which_interpreter() -> None:
    backport = rule(forbid="enum34", when='python_version >= "3.7"', severity="warning")
    (finding,) = judge(backport, "enum34==1.1", interpreter=interpreter("3.11.7"))
    assert finding.severity is Severity.WARNING
    assert judge(backport, "enum34==1.1", interpreter=interpreter("3.6.1")) == []


def test_a_marker_that_is_not_known_here_is_said() -> None:
    backport = rule(forbid="enum34", when='python_full_version >= "3.7.1"')
    (finding,) = judge(backport, "enum34==1.1", interpreter=interpreter("3.7"))
    assert finding.severity is Severity.INFO
    assert any("`python_full_version` is not known here" in text for text in finding.evidence)
    assert finding.remedies == ()


def test_it_offers_to_remove_it_or_to_leave_the_range() -> None:
    (finding,) = judge(rule(forbid="a"), "a==1")
    assert finding.remedies == (Remove(name="a"),)
    (finding,) = judge(rule(forbid="a==1.2.*"), "a==1.2.1")
    assert finding.remedies == (
        Place(name="a", specifier=">=1.3", up=True),
        Place(name="a", specifier="<1.2", up=False),
    )
