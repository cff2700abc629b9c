"""The checks ``environment-empty`` and ``policy-none``: a pass that says less than it seems to."""

from tests.kit.builders import snapshot
from tests.kit.judging import judge, rule


def test_an_empty_environment_is_said() -> None:
    found = judge(snapshot(), rule('compare = "a == b"'))

    assert [(item.severity.value, item.code) for item in found] == [("info", "environment-empty")]


def test_no_policy_at_all_is_said() -> None:
    found = judge(snapshot("torch==2.9.1"))

    assert [(item.severity.value, item.code) for item in found] == [("info", "policy-none")]
