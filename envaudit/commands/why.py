"""``envaudit why DIST``: every way by which the environment needs a distribution.

The number of paths in a real environment grows without bound, so they are told as a tree from the
distribution upward in which every dependent is unfolded once: each path can be read off, and none
is left out. A dependent that is already on the way up is a cycle, and is called one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from packaging.utils import canonicalize_name

from envaudit.commands.surroundings import Surroundings, read_subject
from envaudit.core.graph import Graph, resolve
from envaudit.exits import Exit
from envaudit.model.document import Json
from envaudit.model.errors import Problem, UsageError
from envaudit.model.report import Report
from envaudit.model.requirement import Need, State


def run(surroundings: Surroundings, *, name: str, subject: str | None = None) -> Report:
    """Say by which ways ``name`` is needed in ``subject``, or in the environment that is meant.

    Raises:
        EnvauditError: the subject cannot be read, or nothing in it knows the name.
    """
    reading = read_subject(subject, surroundings)
    graph = resolve(reading.snapshot)
    wanted = canonicalize_name(name)
    installed = reading.snapshot.by_name().get(wanted, ())
    needs = graph.requirers(wanted)
    if not installed and not needs:
        raise UsageError(
            Problem(
                message=f"`{name}` is not installed, and nothing that is installed requires it",
                at=reading.source,
                hint="check the spelling, or name another environment with `--python`",
            )
        )
    labels = tuple(record.label for record in installed) or (f"{wanted} (not installed)",)
    unfolded = _Unfolding(graph)
    rows = tuple(unfolded.rows(wanted, (wanted,)))
    return Report(
        command="why",
        exit=Exit.PASS,
        environment=reading.summary(contents=False),
        complete=reading.snapshot.complete,
        notes=reading.notes,
        lines=(
            *labels,
            *(row.text() for row in rows),
            *(() if rows else ("  nothing requires it: somebody asked for it",)),
        ),
        data={
            "name": wanted,
            "installed": list(labels) if installed else [],
            "needs": [row.encode() for row in rows],
        },
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One requirement on the way up."""

    need: Need
    depth: int
    remark: str | None
    """``cycle``, ``unfolded above``, or ``root``."""

    def text(self) -> str:
        state = "" if self.need.state is State.MET else f", {self.need.state.value}"
        extra = "" if self.need.extra is None else f", for its extra `{self.need.extra}`"
        remark = "" if self.remark is None else f" ({self.remark})"
        dependent = self.need.dependent.label
        return f"{'  ' * self.depth}{dependent} requires {self.need.text}{extra}{state}{remark}"

    def encode(self) -> Mapping[str, Json]:
        return {
            "depth": self.depth,
            "dependent": self.need.dependent.name,
            "version": self.need.dependent.version,
            "requirement": self.need.text,
            "requires": self.need.name,
            "extra": self.need.extra,
            "state": self.need.state.value,
            "remark": self.remark,
        }


class _Unfolding:
    """Walks upward, unfolding every dependent once."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._done: set[str] = set()

    def rows(self, name: str, way: tuple[str, ...]) -> Iterator[_Row]:
        """Yield the requirements that name ``name``; ``way``: the names from below up to it."""
        self._done.add(name)
        for need in self._graph.requirers(name):
            dependent = need.dependent.name
            if dependent in way:
                yield _Row(need=need, depth=len(way), remark="cycle")
            elif dependent in self._done and self._graph.requirers(dependent):
                yield _Row(need=need, depth=len(way), remark="unfolded above")
            elif not self._graph.requirers(dependent):
                yield _Row(need=need, depth=len(way), remark="root")
            else:
                yield _Row(need=need, depth=len(way), remark=None)
                yield from self.rows(dependent, (*way, dependent))
