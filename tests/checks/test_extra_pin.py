"""The check ``extra-pin``."""

from dataclasses import replace

import pytest

from envaudit.model.distribution import Distribution
from envaudit.model.finding import Satisfy
from tests.kit.builders import distribution, snapshot
from tests.kit.judging import judge, told


def test_a_pin_that_is_not_met_is_a_warning() -> None:
    env = snapshot(
        distribution("botocore==1.33.13", requires=('awscrt==0.19.17; extra == "crt"',)),
        "awscrt==0.16.0",
    )

    (finding, _) = judge(env)

    assert told((finding,)) == [
        (
            "warning[extra-pin] `botocore 1.33.13` with its extra `crt` pins `awscrt==0.19.17`, "
            "and 0.16.0 is installed"
        )
    ]
    assert isinstance(finding.remedies[0], Satisfy)


def test_it_is_an_error_where_names_are_kin() -> None:
    env = snapshot(
        distribution("psycopg==3.2.3", requires=('psycopg-binary==3.2.3; extra == "binary"',)),
        "psycopg-binary==3.1.18",
    )

    assert judge(env)[0].severity.value == "error"


@pytest.mark.parametrize(
    "line",
    [
        'awscrt==0.16.0; extra == "crt"',
        'awscrt>=0.19; extra == "crt"',
        'awscrt==0.19.*; extra == "crt"',
        'awscrt==0.19.17; extra == "test"',
        'awscrt==0.19.17; extra == "docs"',
        'awscrt==0.19.17; extra == "crt" and python_version < "3"',
        'absent==0.19.17; extra == "crt"',
        'awscrt==; extra == "crt"',
    ],
)
def test_what_is_no_pin_or_for_developers_or_not_in_force_is_quiet(line: str) -> None:
    env = snapshot(distribution("botocore==1", requires=(line,)), "awscrt==0.16.0")

    assert "extra-pin" not in {item.code for item in judge(env)}


def test_an_integration_with_what_requires_it_is_quiet() -> None:
    env = snapshot(
        distribution("ray==2.60.0", requires=('vllm==0.29.0; extra == "llm"',)),
        distribution("vllm==0.16.0", requires=("ray",)),
    )

    assert told(judge(env)) == []


@pytest.mark.parametrize("line", ["pydantic>=2.9", 'pydantic>=2; extra == "standard"', "pydantic"])
def test_where_something_else_explains_what_is_installed_it_is_an_info(line: str) -> None:
    pin = 'pydantic==2.14.1; extra == "pydantic"'
    celery = distribution("celery==5.7.0", requires=(pin,))
    other = distribution("fastapi==0.165.0", requires=(line,))

    assert _severity(celery, "pydantic==2.14.4", other) == "info"
    assert _severity(celery, "pydantic==2.14.4") == "warning"
    assert _severity(celery, "pydantic==1.10.0", replace(other, requires=("pydantic>=2",))) == (
        "warning"
    )


def _severity(*distributions: Distribution | str) -> str:
    found = judge(snapshot(*distributions))
    return next(item.severity.value for item in found if item.code == "extra-pin")
