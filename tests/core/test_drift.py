"""Drift: every kind of change, and its reason."""

from dataclasses import replace

import pytest

from envaudit.core.drift import diff, explain
from envaudit.core.graph import resolve
from envaudit.model.distribution import Origin, OriginKind, Unreadable
from envaudit.model.drift import (
    Added,
    Alteration,
    Altered,
    Change,
    InterpreterChanged,
    Removed,
    change_kind,
    changed_name,
)
from envaudit.model.snapshot import Snapshot, StartupHook
from tests.kit.builders import distribution, snapshot


def kinds(before: Snapshot, after: Snapshot) -> list[tuple[str, str]]:
    return [(change_kind(change), changed_name(change)) for change in diff(before, after)]


def reasons(before: Snapshot, after: Snapshot) -> dict[str, list[str]]:
    changes = explain(diff(before, after), resolve(before), resolve(after))
    return {
        changed_name(change): [link.requirement or link.name for link in change.why]
        for change in changes
        if isinstance(change, Added | Removed | Altered)
    }


def test_nothing_changed_is_no_drift() -> None:
    assert diff(snapshot("a==1", "b==2"), snapshot("b==2", "a==1")) == ()


def test_added_removed_upgraded_and_downgraded() -> None:
    before = snapshot("gone==1", "up==1.9", "down==2")
    after = snapshot("new==1", "up==1.10", "down==1")
    assert kinds(before, after) == [
        ("downgraded", "down"),
        ("removed", "gone"),
        ("added", "new"),
        ("upgraded", "up"),
    ]


def test_a_rebuilt_distribution_has_other_content_under_the_same_version() -> None:
    before = snapshot(distribution("a==1", content_id="sha256:1"))
    assert kinds(before, snapshot(distribution("a==1", content_id="sha256:2"))) == [
        ("rebuilt", "a")
    ]
    assert kinds(before, snapshot("a==1")) == []


def test_a_version_that_is_spelled_otherwise_is_the_same_version() -> None:
    before = snapshot(distribution("a==1.0", content_id="sha256:1"))
    after = snapshot(distribution("a==1.0.0", content_id="sha256:2"))
    assert kinds(before, after) == [("rebuilt", "a")]
    assert kinds(after, before) == [("rebuilt", "a")]
    assert kinds(snapshot("a==1.0"), snapshot("a==1.0.0")) == [("rebuilt", "a")]
    assert kinds(snapshot("a==1.0+cu130"), snapshot("a==1.0")) == [("downgraded", "a")]


def test_records_spelled_alike_pair_off_first() -> None:
    double = tuple(
        distribution(f"a=={version}", folder=version) for version in ("1", "1.0", "1.0.0")
    )
    assert kinds(snapshot(*double), snapshot(*double[1:])) == [("removed", "a")]


def test_a_moved_distribution_comes_from_another_origin() -> None:
    other = Origin(kind=OriginKind.VCS, url="https://example.org/a", revision="abc")
    assert kinds(snapshot("a==1"), snapshot(distribution("a==1", origin=other))) == [("moved", "a")]


def test_a_rewired_distribution_requires_other_things_under_the_same_version() -> None:
    before = snapshot(distribution("a==1", requires=("b", "c")))
    assert kinds(before, snapshot(distribution("a==1", requires=("c", "b")))) == []
    assert kinds(before, snapshot(distribution("a==1", requires=("c",)))) == [("rewired", "a")]
    assert kinds(before, snapshot(distribution("a==1", requires=None))) == []


def test_another_interpreter_is_a_change_of_its_own() -> None:
    (change,) = diff(snapshot(python="3.11.7"), snapshot(python="3.11.9"))
    assert isinstance(change, InterpreterChanged)


@pytest.mark.parametrize(
    ("before", "after", "commits"),
    [
        ("0.16.0rc2.dev313+g662205d34", "0.16.0rc2.dev344+gea5f903f8", 31),
        ("0.16.0rc2.dev344", "0.16.0rc2.dev313", 31),
        ("0.16.0rc1.dev313", "0.16.0rc2.dev344", None),
        ("0.16.0.dev1", "0.17.0.dev2", None),
        ("0.16.0", "0.16.1", None),
    ],
)
def test_development_builds_of_one_release_say_how_far_apart_they_are(
    before: str, after: str, commits: int | None
) -> None:
    (change,) = diff(snapshot(f"vllm=={before}"), snapshot(f"vllm=={after}"))
    assert isinstance(change, Altered)
    assert change.commits == commits


def test_equal_versions_of_a_name_with_two_records_pair_off_first() -> None:
    one = distribution("a==1", folder="lib/python3.11/site-packages/a-1.dist-info")
    two = distribution("a==2", folder="lib/python3.11/site-packages/a-2.dist-info")
    three = distribution("a==3", folder="lib/python3.11/site-packages/a-3.dist-info")
    assert kinds(snapshot(one, two), snapshot(two)) == [("removed", "a")]
    (change,) = diff(snapshot(one, two), snapshot(two, three))
    assert isinstance(change, Altered)
    assert (change.how, change.before.version) == (Alteration.UPGRADED, "1")


def test_families_that_moved_together_stand_together() -> None:
    repository = ("https://example.org/otel/python",)

    def at(version: str) -> Snapshot:
        return snapshot(
            distribution(f"otel-api=={version}", repositories=repository),
            f"otel-between=={version}",
            distribution(f"otel-sdk=={version}", repositories=repository),
            distribution("otel-stays==1", repositories=repository),
        )

    changes = diff(at("1"), at("2"))
    assert [(changed_name(change), change.family) for change in changes] == [
        ("otel-api", repository[0]),
        ("otel-sdk", repository[0]),
        ("otel-between", None),
    ]


def test_the_reason_is_the_change_that_caused_it_and_its_cause_in_turn() -> None:
    before = snapshot(
        distribution("vllm==0.16.0", requires=("torch==2.9.1",)),
        distribution("torch==2.9.1", requires=("triton==3.5.1",)),
        "triton==3.5.1",
    )
    after = snapshot(
        distribution("vllm==0.17.0", requires=("torch==2.10.0", "extra-lib")),
        distribution("torch==2.10.0", requires=("triton==3.6.0",)),
        "triton==3.6.0",
        "extra-lib==1",
    )
    assert reasons(before, after) == {
        "vllm": ["vllm"],
        "torch": ["vllm", "torch==2.10.0"],
        "triton": ["vllm", "torch==2.10.0", "triton==3.6.0"],
        "extra-lib": ["vllm", "extra-lib"],
    }


def test_a_change_that_nothing_forced_is_explained_by_the_way_from_a_root() -> None:
    app = distribution("app==1", requires=("lib",))
    assert reasons(snapshot(app, "lib==1"), snapshot(app, "lib==2")) == {"lib": ["app", "lib"]}


def test_a_removal_is_explained_by_who_needed_it_before() -> None:
    before = snapshot(distribution("app==1", requires=("lib",)), "lib==1")
    assert reasons(before, snapshot("app==1"))["lib"] == ["app", "lib"]


def test_a_startup_hook_that_came_went_or_is_other_code_is_drift() -> None:
    def hooked(*hooks: StartupHook) -> Snapshot:
        return replace(snapshot("a==1"), hooks=hooks)

    old, new = StartupHook(path="x.pth", digest="1"), StartupHook(path="x.pth", digest="2")
    other = StartupHook(path="y.pth", digest="1")
    assert kinds(hooked(old), hooked(old)) == []
    assert kinds(hooked(), hooked(old)) == [("hook-added", "x.pth")]
    assert kinds(hooked(old), hooked(new, other)) == [
        ("hook-changed", "x.pth"),
        ("hook-added", "y.pth"),
    ]
    assert kinds(hooked(old), hooked()) == [("hook-removed", "x.pth")]
    assert kinds(hooked(old), hooked(replace(old, owner="a"))) == []


def test_what_cannot_be_read_any_more_is_drift() -> None:
    part = Unreadable(folder="x.dist-info", part="METADATA", reason="is a link")
    clear, dark = snapshot("a==1"), snapshot("a==1", unreadable=(part,))
    assert kinds(clear, dark) == [("became-unreadable", "x.dist-info/METADATA")]
    assert kinds(dark, clear) == [("became-readable", "x.dist-info/METADATA")]
    assert kinds(dark, replace(dark, unreadable=(replace(part, reason="is gone"),))) == []


def test_causes_that_run_in_a_circle_end() -> None:
    def at(version: str) -> Snapshot:
        return snapshot(
            distribution(f"a=={version}", requires=(f"b=={version}",)),
            distribution(f"b=={version}", requires=(f"a=={version}",)),
        )

    assert reasons(at("1"), at("2")) == {"a": ["b", "a==2"], "b": ["a", "b==2"]}


def test_every_kind_of_change_has_a_word() -> None:
    record = distribution("a==1")
    changes: tuple[Change, ...] = (
        Added(after=record),
        Removed(before=record),
        *(Altered(how=how, before=record, after=record) for how in Alteration),
    )
    assert [change_kind(change) for change in changes] == [
        "added",
        "removed",
        "upgraded",
        "downgraded",
        "moved",
        "rebuilt",
        "rewired",
    ]
