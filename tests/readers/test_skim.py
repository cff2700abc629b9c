"""The pack read no further than needed says the same as the pack read whole."""

from hypothesis import given, settings
from hypothesis import strategies as st

from envaudit.core.codec import decode
from envaudit.core.evaluate import evaluate
from envaudit.model.errors import Problem
from envaudit.model.snapshot import Snapshot
from envaudit.readers.policies import load_policies
from envaudit.readers.skim import concerns, skim_policy
from tests.kit.builders import snapshot
from tests.kit.commands import ROOT

WHOLE = load_policies()
NAMES = sorted(
    {
        member.replace("*", "x")
        for policy in WHOLE
        for rule in policy.rules
        for member in rule.kind.members
    }
)
VERSIONS = st.sampled_from(["1.0", "2.9.1", "2.11.0+cu130", "0.6.3", "0.0.0+unknown"])


def same(taken: Snapshot) -> None:
    installed = frozenset(record.name for record in taken.distributions)
    skimmed = load_policies(installed=installed)
    one, other = evaluate(taken, WHOLE), evaluate(taken, skimmed)
    assert one.findings == other.findings
    assert one.policies == other.policies


@settings(max_examples=25, deadline=None)
@given(st.dictionaries(st.sampled_from(NAMES), VERSIONS, min_size=1, max_size=12))
def test_it_says_the_same_of_any_environment(pins: dict[str, str]) -> None:
    same(snapshot(*(f"{name}=={version}" for name, version in pins.items())))


def test_it_says_the_same_of_the_real_environments() -> None:
    for path in sorted((ROOT / "snapshots").glob("*.json")):
        same(decode(path.read_text(), at=path.name))


def test_lines_are_those_of_the_whole_file() -> None:
    installed = frozenset(NAMES)
    whole = {rule.reference for policy in WHOLE for rule in policy.rules}
    skimmed = load_policies(installed=installed)
    assert {rule.reference for policy in skimmed for rule in policy.rules} <= whole


def test_a_rule_sleeps_only_where_nothing_can_match() -> None:
    text = '[[rule]]\nid = "a"\ncompare = "full(Flash_Attn) == full(torch)"\nreason = "not six"\n'
    assert not concerns(text, frozenset({"torch", "six"}))
    assert concerns(text, frozenset({"torch", "flash-attn"}))
    assert concerns('forbid = ["nccl-cu*"]', frozenset({"nccl-cu12"}))
    assert not concerns('forbid = ["nccl-cu*"]', frozenset({"nccl"}))


def test_what_is_asleep_is_counted_and_known_by_its_id() -> None:
    text = (
        b'[policy]\nname = "x"\n[[rule]]\nid = "one"\nreason = "r"\nforbid = "a"\n'
        b'[[rule]]\nid = "two"\nreason = "r"\nforbid = "b"\n'
    )
    problems: list[Problem] = []
    policy = skim_policy(text, "x.toml", frozenset({"b"}), problems)
    assert policy is not None
    assert policy.asleep == ("one",)
    assert [(rule.reference.id, rule.reference.line) for rule in policy.rules] == [("two", 7)]


def test_a_mistake_in_what_is_awake_is_told_with_its_line() -> None:
    text = b'[policy]\nname = "x"\n[[rule]]\nid = "one"\nreason = "r"\nforbid = "a =="\n'
    problems: list[Problem] = []
    assert skim_policy(text, "x.toml", frozenset({"a"}), problems) is None
    assert problems[0].at == "x.toml:6:13"
