"""Laws of inferred lockstep."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from envaudit.core.evaluate import evaluate
from envaudit.core.infer import families
from envaudit.model.snapshot import Snapshot
from tests.kit.strategies import snapshots


def suspicions(after: Snapshot, before: Snapshot) -> list[tuple[str, ...]]:
    findings = evaluate(after, (), baseline=before).findings
    return [item.distributions for item in findings if item.code == "partial-upgrade"]


@given(snapshots(), st.sampled_from(("9.0", "9.1+cu130")))
def test_siblings_that_all_moved_together_are_never_flagged(before: Snapshot, to: str) -> None:
    moved = {name for family in families(before) for name in family.members}
    after = replace(
        before,
        distributions=tuple(
            replace(record, version=to) if record.name in moved else record
            for record in before.distributions
        ),
    )
    assert suspicions(after, before) == []


@given(snapshots())
def test_what_did_not_move_is_never_flagged(before: Snapshot) -> None:
    names = [record.name for record in before.distributions]
    if len(set(names)) == len(names):
        assert suspicions(before, before) == []
