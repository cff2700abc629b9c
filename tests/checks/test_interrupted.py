"""The check ``change-interrupted``."""

from envaudit.core.evaluate import evaluate
from envaudit.model.interruption import Interruption
from tests.kit.builders import snapshot
from tests.kit.judging import judge


def test_a_change_without_an_end_is_an_error() -> None:
    interruption = Interruption(begun="20261202T101112", journal="/state/change.begun.json")
    (finding,) = evaluate(snapshot("a==1"), (), interruption=interruption).errors()
    assert (finding.code, finding.severity.value) == ("change-interrupted", "error")
    assert "journal: /state/change.begun.json" in finding.evidence


def test_without_one_there_is_nothing_to_say() -> None:
    assert "change-interrupted" not in {item.code for item in judge(snapshot("a==1"))}
