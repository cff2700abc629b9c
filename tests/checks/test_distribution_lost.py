"""The check ``distribution-lost``."""

from envaudit.core.evaluate import evaluate
from envaudit.model.distribution import Remnant, RemnantKind
from tests.kit.builders import distribution, snapshot
from tests.kit.judging import judge, told

BEFORE = snapshot(
    "botocore==1.34.0", distribution("boto3==1", requires=("jmespath",)), "jmespath==1"
)


def test_a_root_that_is_gone_is_a_warning_and_comes_back_at_its_version() -> None:
    now = snapshot(distribution("boto3==1", requires=("jmespath",)), "jmespath==1")

    findings = judge(now, baseline=BEFORE)

    assert told(findings) == [
        "warning[distribution-lost] `botocore 1.34.0` was there in the baseline and is gone"
    ]
    (remedy,) = findings[0].remedies
    assert (remedy.name, remedy.specifier) == ("botocore", "==1.34.0")  # type: ignore[union-attr]


def test_what_left_remains_is_an_error() -> None:
    remnant = Remnant(
        folder="lib/python3.11/site-packages/~otocore-1.34.0.dist-info",
        kind=RemnantKind.LEFTOVER,
        name="botocore",
        version="1.34.0",
    )
    now = snapshot(distribution("boto3==1"), "jmespath==1", remnants=(remnant,))

    found = {item.code: item.severity.value for item in judge(now, baseline=BEFORE)}
    assert found["distribution-lost"] == "error"


def test_what_went_along_with_its_only_dependent_is_not_lost() -> None:
    now = snapshot("botocore==1.34.0", distribution("boto3==2"))

    assert told(judge(now, baseline=BEFORE)) == []


def test_what_a_plan_removes_is_not_lost() -> None:
    now = snapshot(distribution("boto3==1"), "jmespath==1")
    leaving = frozenset({"botocore"})

    found = evaluate(now, (), baseline=BEFORE, leaving=leaving).findings

    assert {item.code for item in found} == {"policy-none"}


def test_without_a_baseline_nothing_is_lost() -> None:
    assert told(judge(snapshot("six==1"))) == []
