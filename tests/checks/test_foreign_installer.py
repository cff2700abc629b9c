"""The check ``foreign-installer``."""

from envaudit.model.layout import Owner
from tests.kit.builders import distribution, snapshot
from tests.kit.judging import judge, told


def test_each_owner_is_said_once() -> None:
    env = snapshot(
        distribution("a==1", owner=Owner.CONDA), distribution("b==1", owner=Owner.CONDA), "c==1"
    )

    (finding, _) = judge(env)

    assert told((finding,)) == ["info[foreign-installer] conda looks after 2 distributions"]
    assert finding.distributions == ("a", "b")


def test_where_no_other_tool_is_at_work_nothing_is_said() -> None:
    assert told(judge(snapshot("c==1"))) == []
