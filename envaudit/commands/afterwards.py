"""What came of a change: whether the environment is what was promised, and no worse."""

from collections.abc import Iterable
from dataclasses import dataclass

from envaudit.commands.inspecting import inspect
from envaudit.commands.surroundings import Reading, Surroundings
from envaudit.core.evaluate import Judgement, evaluate
from envaudit.core.projection import leaving
from envaudit.core.promise import find_broken
from envaudit.model.finding import Finding
from envaudit.model.plan import Move
from envaudit.model.policy import Policy
from envaudit.readers.inspection import Wish


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What came of a change."""

    failures: tuple[str, ...] = ()
    """Why it is not what was promised, in sentences."""
    judgement: Judgement | None = None


def judge_after(
    surroundings: Surroundings,
    policies: tuple[Policy, ...],
    before: Reading,
    moves: Iterable[Move],
    after: Reading,
    *,
    cleared: frozenset[str] = frozenset(),
) -> Judged:
    """Judge what ``moves`` led to as ``check`` does, and what was touched as ``verify`` does.

    Errors that were there before are none of it. ``cleared``: names of which a record was taken
    away.

    Raises:
        EnvauditError: the environment cannot be read.
    """
    made = tuple(moves)
    touched = frozenset(move.name for move in made) & after.snapshot.by_name().keys()
    files = after.files
    if touched:
        files = inspect(after, surroundings, Wish(names=touched), cache=False).files
    judgement = evaluate(
        after.snapshot,
        policies,
        baseline=before.snapshot,
        files=files,
        files_before=before.files,
        leaving=leaving(made),
        variables=surroundings.set_variables,
        today=surroundings.today(),
    )
    new = (item for item in judgement.errors() if item.introduced is not False)
    broken = find_broken(before.snapshot, after.snapshot, made, cleared)
    return Judged(failures=(*broken, *map(_tell, new)), judgement=judgement)


def _tell(finding: Finding) -> str:
    return f"{finding.severity.value}[{finding.code}] {finding.message}"
