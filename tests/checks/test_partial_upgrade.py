"""The check ``partial-upgrade``: siblings that moved apart since the baseline."""

from envaudit.model.snapshot import Snapshot
from tests.kit.builders import distribution, snapshot
from tests.kit.judging import judge, rule, told

SOURCE = ("https://github.com/owner/project",)


def _siblings(one: str, other: str) -> Snapshot:
    return snapshot(
        distribution(f"part-a=={one}", repositories=SOURCE),
        distribution(f"part-b=={other}", repositories=SOURCE),
    )


def test_siblings_that_moved_together_say_nothing() -> None:
    assert told(judge(_siblings("2", "2"), baseline=_siblings("1", "1"))) == []


def test_siblings_that_moved_apart_are_a_warning() -> None:
    assert told(judge(_siblings("2", "1"), baseline=_siblings("1", "1"))) == [
        "warning[partial-upgrade] `part-a` (now 2) moved from 1, and `part-b` stayed at 1"
    ]


def test_without_a_baseline_nothing_is_suspected() -> None:
    assert told(judge(_siblings("2", "1"))) == []


def test_where_a_rule_covers_the_pair_its_finding_stands_and_the_suspicion_is_evidence() -> None:
    covering = rule('compare = "part-a == part-b"')

    (found,) = judge(_siblings("2", "1"), covering, baseline=_siblings("1", "1"))

    assert found.code == "compare"
    assert any(text.startswith("since the baseline: ") for text in found.evidence)
