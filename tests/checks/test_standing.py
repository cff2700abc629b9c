"""The checks on what an environment stands on."""

from dataclasses import replace

import pytest

from envaudit.model.layout import EnvironmentKind, Layout, Scope, Site
from envaudit.model.snapshot import Snapshot
from tests.kit.builders import distribution, snapshot
from tests.kit.judging import judge

SOUND = Layout(
    kind=EnvironmentKind.VENV,
    sites=(Site(path="lib/python3.11/site-packages", scope=Scope.OWN),),
    interpreter="bin/python",
    base="/usr/bin",
    base_version="3.11.7",
    stated_version="3.11.7",
)


def said(layout: Layout, *more: Snapshot) -> list[tuple[str, str]]:
    env = more[0] if more else snapshot("six==1")
    found = judge(replace(env, layout=layout))
    return [(item.code, item.severity.value) for item in found if item.code != "policy-none"]


def test_a_sound_layout_and_an_unknown_one_are_quiet() -> None:
    assert said(SOUND) == []
    assert [item.code for item in judge(snapshot("six==1"))] == ["policy-none"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"interpreter_found": False}, ("interpreter-missing", "error")),
        ({"base_found": False}, ("interpreter-missing", "error")),
        ({"base_version": "3.12.1"}, ("python-changed", "error")),
        ({"base_version": "3.11.9"}, ("python-changed", "info")),
        ({"stranded": ("lib/python3.10/site-packages",)}, ("site-stranded", "warning")),
        ({"moved_from": "/before"}, ("environment-moved", "warning")),
    ],
)
def test_each_fault_is_named(change: dict[str, object], expected: tuple[str, str]) -> None:
    assert said(replace(SOUND, **change)) == [expected]  # type: ignore[arg-type]


def test_a_minor_version_that_is_all_that_is_known_is_no_change() -> None:
    assert said(replace(SOUND, base_version="3.11")) == []


def test_another_folder_is_an_info_and_an_error_where_it_hides_something() -> None:
    outside = Site(path="/shared", scope=Scope.VARIABLE)
    layout = replace(SOUND, sites=(outside, *SOUND.sites))
    foreign = distribution("six==1.10", folder="/shared/six-1.10.dist-info", scope=Scope.VARIABLE)
    hiding = replace(snapshot(foreign), shadowed=(distribution("six==1.16"),))

    assert said(layout, snapshot(foreign)) == [("outside-path", "info")]
    assert said(layout, hiding) == [("outside-path", "error")]
