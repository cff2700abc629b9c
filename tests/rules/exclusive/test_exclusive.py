"""The rule kind ``exclusive``: rivals, allies, and which one is kept."""

import pytest

from envaudit.model.finding import Keep, Remove
from tests.kit import rules
from tests.kit.builders import distribution
from tests.kit.rules import judge, rule, verdict

RUNTIMES = rule(exclusive=["onnxruntime", "onnxruntime-gpu"], keep="onnxruntime-gpu")


@pytest.mark.parametrize(
    ("pins", "expected"),
    [
        (("onnxruntime==1", "onnxruntime-gpu==1"), "error"),
        (("onnxruntime==1",), "pass"),
        (("other==1",), "pass"),
    ],
)
def test_at_most_one_may_be_installed(pins: tuple[str, ...], expected: str) -> None:
    assert verdict(RUNTIMES, *pins) == expected


def test_all_rivals_are_one_finding() -> None:
    (finding,) = judge(
        rule(exclusive=["cupy-*", "cupy"]), "cupy==1", "cupy-cuda12x==2", "cupy-x==3"
    )
    assert finding.distributions == ("cupy", "cupy-cuda12x", "cupy-x")
    assert finding.message == "`cupy-cuda12x 2`, `cupy-x 3` and `cupy 1` exclude each other"


def test_one_that_requires_the_other_is_its_ally() -> None:
    family = rule(exclusive=["tensorflow", "tensorflow-intel", "tensorflow-gpu"])
    parent = distribution("tensorflow==2.15", requires=("tensorflow-intel==2.15",))
    assert verdict(family, parent, "tensorflow-intel==2.15") == "pass"
    assert verdict(family, parent, "tensorflow-gpu==2.12") == "error"


def test_a_rival_may_be_one_in_some_versions_only() -> None:
    family = rule(exclusive=["pynvml<12", "nvidia-ml-py"])
    assert verdict(family, "pynvml==11.5", "nvidia-ml-py==13") == "error"
    assert verdict(family, "pynvml==12.0", "nvidia-ml-py==13") == "pass"
    assert verdict(family, "pynvml==11.5+g0123abcd", "nvidia-ml-py==13") == "info"


def test_what_the_rule_leaves_alone_is_no_rival() -> None:
    family = rule(exclusive=["onnxruntime-*"], exempt=["onnxruntime-extensions"])
    assert verdict(family, "onnxruntime-gpu==1", "onnxruntime-extensions==1") == "pass"


def test_the_losers_are_removed_and_the_one_to_keep_is_reinstalled() -> None:
    (finding,) = judge(RUNTIMES, "onnxruntime==1", "onnxruntime-gpu==2")
    assert finding.remedies == (Keep(name="onnxruntime-gpu", version="2", losers=("onnxruntime",)),)


@pytest.mark.parametrize(
    ("torch", "kept"),
    [("torch==2.9+cu128", "nccl-cu12"), ("torch==2.9+cu130", "nccl-cu13")],
)
def test_which_one_is_kept_may_hang_on_a_fact(torch: str, kept: str) -> None:
    family = rule(
        exclusive=["nccl-cu*"],
        keep=[
            {"when": "cuda(torch) == 12", "name": "nccl-cu12"},
            {"when": "cuda(torch) == 13", "name": "nccl-cu13"},
        ],
    )
    (finding,) = judge(family, torch, "nccl-cu12==2", "nccl-cu13==3")
    assert [remedy.name for remedy in finding.remedies if isinstance(remedy, Keep)] == [kept]
    # Where it is not known, none is offered: half of the time it would be the wrong one.
    (finding,) = judge(family, "torch==2.9+g0123abcd", "nccl-cu12==2", "nccl-cu13==3")
    assert finding.remedies == ()


def test_without_a_preference_each_is_offered() -> None:
    (finding,) = judge(rule(exclusive=["a", "b"]), "a==1", "b==2")
    assert finding.remedies == (
        Keep(name="a", version="1", losers=("b",)),
        Keep(name="b", version="2", losers=("a",)),
    )


def test_it_offers_what_the_rule_wishes() -> None:
    (finding,) = judge(rule(exclusive=["a", "b"], remedies=["remove a"]), "a==1", "b==2")
    assert finding.remedies == (Remove(name="a"),)


@pytest.mark.parametrize(
    ("keys", "path", "message"),
    [
        ({"exclusive": ["a"]}, ("exclusive",), "at least two"),
        ({"exclusive": ["a", "b"], "keep": "c"}, ("keep",), "`c` is not one of"),
        ({"exclusive": ["*", "b"]}, ("exclusive", 0), "starts with the beginning of a name"),
    ],
)
def test_what_is_no_rule_is_a_mistake(
    keys: dict[str, object], path: tuple[str | int, ...], message: str
) -> None:
    assert any(at == path and message in told for at, told in rules.mistakes(**keys))
