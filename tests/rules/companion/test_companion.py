"""The rule kind ``companion``: the only one that asks for presence."""

import pytest

from envaudit.model.finding import Place
from tests.kit import rules
from tests.kit.rules import judge, rule, verdict

KERAS = rule(when=["transformers<5", "tensorflow>=2.16"], needs="tf-keras>=2.16")


@pytest.mark.parametrize(
    ("pins", "expected"),
    [
        (("transformers==4", "tensorflow==2.18"), "error"),
        (("transformers==4", "tensorflow==2.18", "tf-keras==2.18"), "pass"),
        (("transformers==4", "tensorflow==2.18", "tf-keras==2.15"), "error"),
        (("transformers==5", "tensorflow==2.18"), "pass"),
        (("transformers==4",), "pass"),
        (("transformers==4+g0123abcd", "tensorflow==2.18"), "info"),
        (("transformers==4", "tensorflow==2.18", "tf-keras==0.0.0"), "info"),
    ],
)
def test_the_companion_must_be_there(pins: tuple[str, ...], expected: str) -> None:
    assert verdict(KERAS, *pins) == expected


def test_it_says_who_needs_what_and_offers_to_install_it() -> None:
    (finding,) = judge(KERAS, "transformers==4", "tensorflow==2.18")
    assert finding.message == (
        "`transformers 4` with `tensorflow 2.18` needs `tf-keras>=2.16`, which is not installed"
    )
    assert finding.distributions == ("tensorflow", "tf-keras", "transformers")
    assert finding.remedies == (Place(name="tf-keras", specifier=">=2.16", up=True),)


def test_one_of_a_choice_is_enough() -> None:
    either = rule(when="a", needs="b|c")
    assert verdict(either, "a==1", "c==1") == "pass"
    assert verdict(either, "a==1") == "error"


def test_a_companion_without_a_condition_is_a_mistake() -> None:
    assert ("needs",) in [at for at, _ in rules.mistakes(needs="a")]
