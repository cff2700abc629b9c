"""The reference of the language loads, is whole, and does what its comments say."""

from importlib.resources import files

from envaudit.core.examples import try_examples
from envaudit.model.errors import Problem
from envaudit.model.fact import FACTS
from envaudit.model.policy import PLATFORMS, Policy
from envaudit.readers.policy_file import parse_policy
from envaudit.rules import KEYS

TEXT = files("envaudit.rules").joinpath("reference.toml").read_text(encoding="utf-8")


def reference() -> Policy:
    problems: list[Problem] = []
    loaded = parse_policy(TEXT.encode(), "reference.toml", problems)
    assert problems == []
    assert loaded is not None
    return loaded


def test_it_loads_and_every_rule_of_it_has_both_kinds_of_example_that_hold() -> None:
    for rule in reference().rules:
        trials = list(try_examples(rule))
        assert all(trial.right for trial in trials), rule.reference.id
        assert len({trial.verdict for trial in trials}) > 1, rule.reference.id


def test_it_shows_every_key_every_fact_and_every_platform() -> None:
    for word in (*KEYS, *PLATFORMS, "waiver", "above-last-row", "except", "bypass-env", "since"):
        assert word in TEXT, word
    for fact in FACTS:
        assert fact in TEXT or fact.startswith("first"), fact


def test_its_waiver_is_read() -> None:
    (waiver,) = reference().waivers
    assert waiver.rule == "reference-compare"
    assert waiver.distributions == ("flashinfer-cubin",)
