"""The check ``editable-stale``."""

import pytest

from envaudit.model.distribution import Distribution, Editable, EditableKind, Tree
from tests.kit.builders import distribution, snapshot
from tests.kit.judging import judge, told

REQUIRES = ("Six>=1.10,<2", 'tomli; python_version < "3.11"', 'pytest; extra == "test"')


def editable(version: str | None, *requires: str, computed: bool = False) -> Distribution:
    tree = Tree(path="/src/my tree", version=version, requires=None if computed else requires)
    held = Editable(kind=EditableKind.PATH, targets=("/src/my tree",), tree=tree)
    return distribution("a==1.0", requires=REQUIRES, editable=held)


def stale(record: Distribution) -> list[str]:
    found = judge(snapshot(record, "six==1.16"))
    return [line for line in told(found) if "editable-stale" in line]


def test_another_version_is_an_info() -> None:
    same = ('tomli ; python_version<"3.11"', "six <2, >=1.10")

    assert stale(editable("1.1", *same)) == [
        "info[editable-stale] `a 1.0` is an editable, and its source tree is 1.1 by now"
    ]


def test_other_requirements_are_a_warning_that_lists_them() -> None:
    env = snapshot(editable("1.0", "six<2,>=1.10", "attrs"), "six==1.16")

    (finding,) = (item for item in judge(env) if item.code == "editable-stale")

    assert finding.severity.value == "warning"
    assert finding.evidence == (
        "required now: attrs",
        'required no more: tomli; python_version < "3.11"',
        "by hand, since it builds the tree: `uv pip install -e '/src/my tree'`",
    )


@pytest.mark.parametrize(
    "record",
    [
        editable("1.0.0", *REQUIRES[:2]),
        editable(None, *REQUIRES[:2]),
        editable("1.0", computed=True),
        editable(None, computed=True),
    ],
)
def test_what_is_the_same_or_computed_is_quiet(record: Distribution) -> None:
    assert stale(record) == []
