"""The graph: what is required of whom, by which way, cycles included."""

import pytest

from envaudit.core.graph import resolve
from envaudit.model.declared import hangs_on_another_extra
from envaudit.model.requirement import State
from tests.kit.builders import distribution, snapshot


def test_a_requirement_is_met_missing_or_unmet() -> None:
    graph = resolve(
        snapshot(
            distribution("app==1", requires=("met>=1", "missing", "unmet<2")),
            "met==1.5",
            "unmet==2.0",
        )
    )
    assert {need.name: need.state for need in graph.needs()} == {
        "met": State.MET,
        "missing": State.MISSING,
        "unmet": State.UNMET,
    }


def test_a_line_whose_marker_does_not_hold_on_the_target_is_not_in_force() -> None:
    graph = resolve(
        snapshot(
            distribution(
                "app==1",
                requires=("old; python_version < '3.10'", "win; sys_platform == 'win32'", "lib"),
            )
        )
    )
    assert [need.name for need in graph.needs()] == ["lib"]


def test_an_extra_comes_in_when_something_installed_asks_for_it() -> None:
    client = distribution("client==1", requires=('h2>=4; extra == "http2"',), extras=("http2",))
    assert resolve(snapshot(client)).needs() == ()
    (_, need) = resolve(
        snapshot(client, distribution("app==1", requires=("client[http2]",)))
    ).needs()
    assert (need.name, need.extra, need.asked_by) == ("h2", "http2", "app 1")
    assert need.state is State.MISSING


def test_extras_are_expanded_until_nothing_new_comes() -> None:
    graph = resolve(
        snapshot(
            distribution("app==1", requires=("a[x]",)),
            distribution("a==1", requires=('b[y]; extra == "x"',), extras=("x",)),
            distribution(
                "b==1", requires=('c; extra == "y"', 'd; extra == "z"'), extras=("y", "z")
            ),
        )
    )
    assert [need.name for need in graph.needs() if need.state is State.MISSING] == ["c"]


def test_an_extra_is_known_under_any_spelling() -> None:
    graph = resolve(
        snapshot(
            distribution("app==1", requires=("a[Foo_Bar]",)),
            distribution("a==1", requires=('b; extra == "foo.bar"',), extras=("foo-bar",)),
        )
    )
    assert [need.name for need in graph.needs()] == ["a", "b"]


def test_a_distribution_that_asks_for_its_own_extra_is_no_endless_loop() -> None:
    image = distribution(
        "mistral-common==1.13.1",
        requires=('mistral-common[opencv]; extra == "image"', 'opencv; extra == "opencv"'),
        extras=("image", "opencv"),
    )
    graph = resolve(snapshot(distribution("vllm==1", requires=("mistral_common[image]",)), image))
    assert [need.name for need in graph.needs() if need.state is State.MISSING] == ["opencv"]
    assert [root.name for root in graph.roots()] == ["vllm"]


def test_members_of_a_cycle_that_nothing_else_requires_are_roots() -> None:
    graph = resolve(
        snapshot(
            distribution("a==1", requires=("b",)),
            distribution("b==1", requires=("a", "c")),
            "c==1",
        )
    )
    assert graph.cycles() == (("a", "b"),)
    assert [root.name for root in graph.roots()] == ["a", "b"]
    assert graph.layers() == (("a", "b"), ("c",))


def test_needs_stand_in_the_order_of_the_dag() -> None:
    graph = resolve(
        snapshot(
            distribution("z==1", requires=("a",)),
            distribution("a==1", requires=("m",)),
            distribution("m==1", requires=("gone",)),
        )
    )
    assert [need.dependent.name for need in graph.needs()] == ["z", "a", "m"]


def test_two_records_of_one_name_are_two_nodes_and_the_worst_wins() -> None:
    old = distribution("torch==2.9.1", folder="lib/python3.11/site-packages/torch-2.9.1.dist-info")
    new = distribution(
        "torch==2.10.0", folder="lib/python3.11/site-packages/torch-2.10.0.dist-info"
    )
    graph = resolve(snapshot(old, new, distribution("vllm==1", requires=("torch==2.9.1",))))
    (need,) = graph.needs()
    assert need.state is State.UNMET
    assert len(need.targets) == 2
    assert len(list(graph.edges())) == 2


def test_a_line_that_cannot_be_parsed_is_unknown_and_nothing_is_raised() -> None:
    (need,) = resolve(snapshot(distribution("app==1", requires=("what is this?",)))).needs()
    assert need.state is State.UNKNOWN
    assert need.reason == "is not a requirement that PEP 508 knows"


def test_a_marker_that_needs_the_unknown_patch_level_is_unknown() -> None:
    lines = ("lib; python_full_version >= '3.11.4'", "other; python_version >= '3.11'")
    needs = resolve(snapshot(distribution("app==1", requires=lines), python="3.11")).needs()
    assert {need.name: need.state for need in needs} == {
        "lib": State.UNKNOWN,
        "other": State.MISSING,
    }


def test_an_installed_version_that_is_none_is_unknown_under_a_specifier_only() -> None:
    app = distribution("app==1", requires=("lib>=1", "bare"))
    needs = resolve(snapshot(app, "lib==2013b-x", "bare==2013b-x")).needs()
    assert {need.name: need.state for need in needs} == {
        "lib": State.UNKNOWN,
        "bare": State.MET,
    }


@pytest.mark.parametrize(
    ("specifier", "version", "state"),
    [
        (">=1.1", "1.1.dev3+gabc", State.UNMET),
        ("<2", "2.0rc1", State.UNMET),
        ("==1.0", "1.0+deb.1", State.MET),
        ("==1.0", "1.0.post1", State.UNMET),
        (">=2.0", "1!2.0", State.MET),
        (">=1", "2.0rc1", State.MET),
    ],
)
def test_specifiers_are_judged_as_pip_and_uv_judge_them(
    specifier: str, version: str, state: State
) -> None:
    app = distribution("app==1", requires=(f"lib{specifier}",))
    (need,) = resolve(snapshot(app, f"lib=={version}")).needs()
    assert need.state is state


def test_why_is_the_shortest_chain_from_a_root() -> None:
    graph = resolve(
        snapshot(
            distribution("app==1", requires=("far", "near==1")),
            distribution("far==1", requires=("middle",)),
            distribution("middle==1", requires=("lib",)),
            distribution("near==1", requires=("lib>=0",)),
            "lib==2",
        )
    )
    lib = graph.snapshot.by_name()["lib"][0]
    assert [(link.name, link.requirement) for link in graph.why(lib)] == [
        ("app", None),
        ("near", "near==1"),
        ("lib", "lib>=0"),
    ]


@pytest.mark.parametrize(
    ("text", "hangs"),
    [
        ('a; extra == "x"', True),
        ("a (>=1) ; extra == 'x'", True),
        ("a; (os_name == 'nt' or sys_platform == 'linux') and extra == 'x'", True),
        ("a; python_version < '3' and extra == 'x'", True),
        ("a; python_version < '4' or extra == 'x'", False),
        ("a; extra == 'x' or extra == 'y'", False),
        ("a; os_name == '(' or os_name == ')' and extra == 'x'", False),
        ("a; extra != 'x'", False),
        ("a", False),
        ("extra-name>=1", False),
    ],
)
def test_a_line_is_skipped_unparsed_only_where_it_surely_hangs_on_another_extra(
    text: str, *, hangs: bool
) -> None:
    assert hangs_on_another_extra(text, None) is hangs
    assert hangs_on_another_extra(text, "x") is False


@pytest.mark.parametrize(
    "marker", ["'x' in extras", "'x' in dependency_groups", "os_name ~= 'x'", "sys_platform ~= '1'"]
)
def test_a_marker_that_means_nothing_is_unknown_and_raises_nothing(marker: str) -> None:
    (need,) = resolve(snapshot(distribution("app==1", requires=(f"lib; {marker}",)))).needs()
    assert need.state in {State.UNKNOWN, State.MISSING}


def test_a_link_says_whether_its_requirement_is_met() -> None:
    graph = resolve(snapshot(distribution("app==1", requires=("lib==1",)), "lib==2"))
    (lib,) = graph.snapshot.by_name()["lib"]
    assert [link.met for link in graph.why(lib)] == [True, False]
