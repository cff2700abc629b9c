"""The check ``python-unsupported``."""

import pytest

from tests.kit.builders import distribution, snapshot
from tests.kit.judging import judge


def said(bound: str, python: str = "3.11.7") -> list[tuple[str, str]]:
    env = snapshot(distribution("x==1", requires_python=bound), python=python)
    return [(item.code, item.severity.value) for item in judge(env) if item.code != "policy-none"]


@pytest.mark.parametrize("bound", [">=3.12", ">3.11.7", "==3.12.*", "~=3.12"])
def test_below_a_bound_is_an_error(bound: str) -> None:
    assert said(bound) == [("python-unsupported", "error")]


@pytest.mark.parametrize("bound", ["<3.8", "<=3.11.0", "==3.10.*", "!=3.11.7", ">=3.6,<3.11"])
def test_above_a_bound_is_a_warning(bound: str) -> None:
    assert said(bound) == [("python-unsupported", "warning")]


@pytest.mark.parametrize("bound", [">=3.8", ">=3.8,<4", "==3.11.*", ">=3.11.0"])
def test_inside_the_bounds_is_quiet(bound: str) -> None:
    assert said(bound) == []


def test_a_patch_level_that_is_not_known_excludes_nothing() -> None:
    assert said(">=3.11.4", python="3.11") == []
    assert said(">=3.12", python="3.11") == [("python-unsupported", "error")]


def test_a_bound_that_is_none_is_said() -> None:
    assert said(">=3.") == [("requirement-unreadable", "warning")]
