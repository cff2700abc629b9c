"""Healthy environments that a naive rule would flag stay quiet."""

import pytest

from envaudit.model.policy import Example, Policy
from tests.pack.tables import Trap, heavy, judge, releases, say, traps

_TRAPS = traps()


def test_all_26_traps_are_set() -> None:
    assert {trap.number for trap in _TRAPS} == set(range(1, 27))


@pytest.mark.parametrize("trap", _TRAPS, ids=lambda trap: trap.id)
def test_a_trap_stays_quiet(trap: Trap, pack: tuple[Policy, ...]) -> None:
    findings = judge(trap.example, pack)
    if trap.unknown:
        assert heavy(findings) == ()
    else:
        assert [say(finding) for finding in findings] == []


@pytest.mark.parametrize("example", releases(), ids=lambda example: example.installed[0])
def test_what_was_released_together_is_not_flagged(
    example: Example, pack: tuple[Policy, ...]
) -> None:
    assert heavy(judge(example, pack)) == ()
