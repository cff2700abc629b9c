"""From where the distributions of a snapshot can be had, found out by asking uv, without a change.

What the stash does not bring back is looked for in uv's cache, without a network, and then on the
indexes. uv refuses a command as a whole, so where it refuses, each is asked about by itself.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from envaudit.model.errors import UnreadableError
from envaudit.model.plan import Refused
from envaudit.model.way import Source, Step, Way
from envaudit.uv.ask import in_one_line
from envaudit.uv.binary import Uv
from envaudit.uv.cached import find_missing
from envaudit.uv.dry_run import ask_install
from envaudit.uv.prefix import Prefix
from envaudit.uv.scratch import scratch_folder


@dataclass(frozen=True, slots=True, kw_only=True)
class Sourcing:
    """Whom to ask, and for which interpreter."""

    uv: Uv
    base: Path
    """The environment's base interpreter."""
    flags: tuple[str, ...]
    """From where uv may install."""

    def find(self, way: Way) -> Way:
        """Return ``way``, each step with the source that was found, or why there is none.

        Raises:
            UnreadableError: uv cannot be asked.
        """
        untried = tuple(step for step in way.steps if step.source is Source.UNTRIED)
        found = _try(untried, Source.CACHE, self._find_missing)
        missed = tuple(step for step in found if step.source is Source.NOWHERE)
        if missed:
            again = {
                step.record.folder: step for step in _try(missed, Source.INDEX, self._ask_indexes)
            }
            found = tuple(again.get(step.record.folder, step) for step in found)
        known = {step.record.folder: step for step in found}
        return replace(way, steps=tuple(known.get(step.record.folder, step) for step in way.steps))

    def _find_missing(self, pins: Sequence[str]) -> str | None:
        with scratch_folder() as folder:
            return find_missing(self.uv, pins, self.flags, folder, self.base)

    def _ask_indexes(self, pins: Sequence[str]) -> str | None:
        """Ask as for an empty environment: what stands in the real one is no reason."""
        with scratch_folder() as folder:
            prefix = Prefix(root=folder, base=self.base)
            try:
                answer = ask_install(self.uv, pins, (*self.flags, "--no-deps"), prefix)
            except UnreadableError as error:
                return str(error)
        return answer.reason if isinstance(answer, Refused) else None


def _try(
    steps: tuple[Step, ...], source: Source, ask: Callable[[Sequence[str]], str | None]
) -> tuple[Step, ...]:
    """Ask about all at once, and where that is refused about each half by itself."""
    if not steps:
        return ()
    reason = ask([step.requirement for step in steps if step.requirement is not None])
    if reason is None:
        return tuple(replace(step, source=source, reason=None) for step in steps)
    if len(steps) == 1:
        return (replace(steps[0], source=Source.NOWHERE, reason=in_one_line(reason)),)
    middle = len(steps) // 2
    return (*_try(steps[:middle], source, ask), *_try(steps[middle:], source, ask))
