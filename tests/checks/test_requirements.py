"""The checks on declared requirements."""

import pytest

from envaudit.model.distribution import Distribution
from envaudit.model.finding import Place
from envaudit.model.layout import Owner, Scope
from envaudit.model.record_name import Form
from tests.kit.builders import distribution, snapshot
from tests.kit.judging import judge, told


def test_a_requirement_that_is_met_says_nothing() -> None:
    env = snapshot(distribution("vllm==0.16.0", requires=("torch==2.9.1",)), "torch==2.9.1")

    assert told(judge(env)) == []


def test_a_missing_requirement_is_an_error() -> None:
    env = snapshot(distribution("vllm==0.16.0", requires=("torch==2.9.1",)))

    assert told(judge(env)) == [
        "error[requirement-missing] `vllm 0.16.0` requires `torch==2.9.1`, which is not installed"
    ]


def test_a_version_out_of_bounds_is_an_error() -> None:
    env = snapshot(distribution("vllm==0.16.0", requires=("torch==2.9.1",)), "torch==2.10.0")

    assert told(judge(env)) == [
        "error[requirement-unmet] `vllm 0.16.0` requires `torch==2.9.1`, and 2.10.0 is installed"
    ]


def test_an_extra_that_somebody_asks_for_is_judged() -> None:
    httpx = distribution("httpx==1.0", requires=('h2>=4 ; extra == "http2"',), extras=("http2",))
    asking = snapshot(distribution("client==1.0", requires=("httpx[http2]",)), httpx)

    assert told(judge(snapshot(httpx))) == []
    assert [item.code for item in judge(asking) if item.severity.value == "error"] == [
        "extra-unmet"
    ]


def test_a_line_that_is_no_requirement_is_said_and_is_no_error() -> None:
    env = snapshot(distribution("odd==1.0", requires=("torch (2.9",)))

    (line,) = told(judge(env))

    assert line.startswith("warning[requirement-unreadable] requirement `torch (2.9` of `odd 1.0`")


@pytest.mark.parametrize(
    "dependent",
    [
        distribution("old==2", requires=("six>=1.10",), form=Form.EGG_INFO),
        distribution("old==2", requires=("six>=1.10",), form=Form.EGG_LINK),
        distribution("old==2", requires=("six>=1.10",), scope=Scope.BASE),
    ],
)
def test_where_uv_does_not_know_the_dependent_what_is_missing_is_named(
    dependent: Distribution,
) -> None:
    finding = judge(snapshot(dependent))[0]

    assert (finding.code, finding.severity.value) == ("requirement-missing", "error")
    assert finding.remedies == (Place(name="six", specifier=">=1.10", up=True),)


def test_what_the_operating_system_left_out_is_a_warning_that_names_it() -> None:
    system = distribution(
        "PyGObject==3", requires=("pycairo",), scope=Scope.BASE, owner=Owner.SYSTEM
    )

    finding = judge(snapshot(system))[0]

    assert (finding.code, finding.severity.value) == ("requirement-missing", "warning")
    assert finding.remedies == ()
    assert any(line.startswith("owner: the operating system") for line in finding.evidence)
