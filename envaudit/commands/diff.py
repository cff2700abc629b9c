"""``envaudit diff``: what changed between any two of environments and snapshots, and why."""

from envaudit.commands.surroundings import Surroundings, read_subject
from envaudit.core import drift
from envaudit.core.graph import resolve
from envaudit.exits import Exit
from envaudit.model.report import Report, Verdict
from envaudit.readers import store


def run(surroundings: Surroundings, *, before: str | None, after: str | None) -> Report:
    """Compare ``before`` (``@last`` if not given) with ``after`` (the environment, if not given).

    Raises:
        EnvauditError: one of the two cannot be read.
    """
    if before is not None and not store.is_by_age(before):
        earlier = read_subject(before, surroundings, contents=True)
        later = read_subject(after, surroundings.beside(earlier), contents=True)
    else:
        later = read_subject(after, surroundings, contents=True)
        earlier = read_subject(before or "@last", surroundings.beside(later), contents=True)
    changes = drift.explain(
        drift.diff(earlier.snapshot, later.snapshot),
        resolve(earlier.snapshot),
        resolve(later.snapshot),
    )
    return Report(
        command="diff",
        exit=Exit.DRIFT if changes else Exit.PASS,
        verdict=Verdict.DRIFT if changes else Verdict.PASS,
        environment=later.summary(contents=True),
        complete=earlier.snapshot.complete and later.snapshot.complete,
        changes=changes,
        notes=tuple(dict.fromkeys((*earlier.notes, *later.notes))),
        lines=() if changes else ("no drift",),
        data={"before": earlier.source, "after": later.source},
    )
