"""The pack itself: complete rules, true examples, and silence about real, healthy environments."""

from pathlib import Path

import pytest

from envaudit.core.codec import decode
from envaudit.core.evaluate import evaluate
from envaudit.core.examples import PASS, subject_of, try_examples
from envaudit.model.policy import Example, Policy, Rule
from envaudit.rules import contradiction, soundness

_ROOT = Path(__file__).resolve().parents[2]
# How the hosts of indexes and registries begin: they prove nothing, and their pages change.
_NO_SOURCE = ("//pypi.", "//files.pythonhosted.", "//anaconda.", "//download.pytorch.")


def _rules(pack: tuple[Policy, ...]) -> tuple[Rule, ...]:
    return tuple(rule for policy in pack for rule in policy.rules)


def test_every_policy_is_named_as_its_file_and_says_when_it_was_reviewed(
    pack: tuple[Policy, ...],
) -> None:
    assert [policy.file for policy in pack] == [f"policies/{policy.name}.toml" for policy in pack]
    assert [policy.file for policy in pack if policy.reviewed is None] == []


def test_every_id_is_unique(pack: tuple[Policy, ...]) -> None:
    identities = [rule.reference.id for rule in _rules(pack)]
    assert sorted(set(identities)) == sorted(identities)


def test_every_rule_says_why_and_on_whose_word(pack: tuple[Policy, ...]) -> None:
    rules = _rules(pack)
    assert [rule.reference.id for rule in rules if not rule.reason] == []
    assert [rule.reference.id for rule in rules if not rule.sources] == []
    strange = [
        source
        for rule in rules
        for source in rule.sources
        if not source.startswith("https://") or any(host in source for host in _NO_SOURCE)
    ]
    assert strange == []


def test_every_rule_has_an_example_on_either_side(pack: tuple[Policy, ...]) -> None:
    for rule in _rules(pack):
        verdicts = {example.verdict for example in rule.examples}
        assert PASS in verdicts, rule.reference.id
        assert verdicts - {PASS}, rule.reference.id


def test_no_two_rules_contradict_each_other(
    pack: tuple[Policy, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contradiction, "MOST_TRIALS", 10_000_000)
    nothing = subject_of(Example(installed=(), verdict=PASS)).snapshot
    findings = soundness.contradict(_rules(pack), (), nothing, None)
    assert [finding.message for finding in findings] == []


def test_every_example_is_true(pack: tuple[Policy, ...]) -> None:
    wrong = [
        (rule.reference.id, trial.example.installed, trial.example.verdict, trial.verdict)
        for rule in _rules(pack)
        for trial in try_examples(rule)
        if not trial.right
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [("vllm-0.16.0", []), ("vllm-0.17.0", [("flashinfer-cubin", "flashinfer-python")])],
)
def test_a_real_environment_has_only_the_finding_that_it_had(
    name: str, expected: list[tuple[str, ...]], pack: tuple[Policy, ...]
) -> None:
    snapshot = decode((_ROOT / "snapshots" / f"{name}.json").read_text(), at=name)
    findings = evaluate(snapshot, pack).findings
    assert [finding.distributions for finding in findings] == expected
