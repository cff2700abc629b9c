"""The check ``editable-dangling``."""

from envaudit.model.distribution import Editable, EditableKind
from envaudit.model.finding import Remove
from tests.kit.builders import distribution, snapshot
from tests.kit.judging import judge, told


def editable(*dangling: str) -> Editable:
    return Editable(kind=EditableKind.PATH, targets=("/src/a",), dangling=dangling)


def test_a_source_tree_that_is_gone_is_an_error() -> None:
    env = snapshot(distribution("a==1", editable=editable("/src/a")))

    (finding, _) = judge(env)

    assert told((finding,)) == [
        "error[editable-dangling] `a 1` is imported from `/src/a`, which is not there"
    ]
    assert finding.remedies == (Remove(name="a"),)


def test_one_that_is_there_is_quiet() -> None:
    assert told(judge(snapshot(distribution("a==1", editable=editable()), "b==1"))) == []
