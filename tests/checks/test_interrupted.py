"""The check ``change-interrupted``."""

from dataclasses import replace

from envaudit.core.evaluate import evaluate
from envaudit.model.interruption import Interruption
from tests.kit.builders import snapshot
from tests.kit.judging import judge

INTERRUPTION = Interruption(
    begun="20261202T101112", environment="/srv/a b", journal="/state/change.begun.json"
)


def test_a_change_without_an_end_is_an_error() -> None:
    (finding,) = evaluate(snapshot("a==1"), (), interruption=INTERRUPTION).errors()
    assert (finding.code, finding.severity.value) == ("change-interrupted", "error")
    assert "journal: /state/change.begun.json" in finding.evidence
    command = "envaudit restore @interrupted --apply --python '/srv/a b'"
    assert f"by hand: `{command}` puts things back" in finding.evidence


def test_one_that_is_under_way_is_waited_for() -> None:
    interruption = replace(INTERRUPTION, under_way=True)
    (finding,) = evaluate(snapshot("a==1"), (), interruption=interruption).errors()
    assert "is under way" in finding.message
    assert not any("restore" in line for line in finding.evidence)


def test_without_one_there_is_nothing_to_say() -> None:
    assert "change-interrupted" not in {item.code for item in judge(snapshot("a==1"))}
