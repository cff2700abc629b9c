"""The dependency graph of one environment, and the DAG under it. The only owner of networkx.

A node is a *record* (its folder), since a broken environment can hold one name twice. An edge is a
requirement that is in force: its marker holds on the target interpreter, and the extra it hangs on
is asked for by something installed. Extras are expanded to a fixpoint: what asks for
``fastapi[standard]`` brings in that extra's lines, which may ask for further extras.

Real environments hold self-loops and cycles (``mistral-common[image]`` asks for its own
``[opencv]``), so everything that needs an order works on ``networkx.condensation``, which is
always acyclic: its nodes are the strongly connected components.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

import networkx
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from envaudit.model.declared import (
    admits,
    hangs_on_another_extra,
    holds,
    parse_requirement,
    unknown_marker,
)
from envaudit.model.distribution import Distribution
from envaudit.model.requirement import Chain, Link, Need, State
from envaudit.model.snapshot import Snapshot


class Graph:
    """One environment's requirements, resolved. Made by ``resolve``."""

    def __init__(
        self, snapshot: Snapshot, edges: "networkx.MultiDiGraph[str]", needs: tuple[Need, ...]
    ) -> None:
        """Keep the parts; ``resolve`` makes them."""
        self.snapshot = snapshot
        self._edges = edges
        self._needs = needs

    @cached_property
    def _records(self) -> Mapping[str, Distribution]:
        return {record.folder: record for record in self.snapshot.distributions}

    @cached_property
    def _components(self) -> "networkx.DiGraph[int]":
        return networkx.condensation(self._edges)

    @cached_property
    def _rank(self) -> Mapping[str, int]:
        """The layer of each record: roots first, every dependent before what it requires."""
        ranks: dict[str, int] = {}
        for layer, components in enumerate(networkx.topological_generations(self._components)):
            for component in components:
                for folder in self._components.nodes[component]["members"]:
                    ranks[folder] = layer
        return ranks

    def needs(self) -> tuple[Need, ...]:
        """Return every requirement in force, in the order of the DAG, then by name and text."""
        return tuple(
            sorted(
                self._needs,
                key=lambda need: (
                    self._rank[need.dependent.folder],
                    need.dependent.name,
                    need.text,
                ),
            )
        )

    def layers(self) -> tuple[tuple[str, ...], ...]:
        """Return the normalised names layer by layer, roots first, each layer sorted."""
        layers: dict[int, set[str]] = {}
        for folder, rank in self._rank.items():
            layers.setdefault(rank, set()).add(self._records[folder].name)
        return tuple(tuple(sorted(layers[rank])) for rank in sorted(layers))

    def roots(self) -> tuple[Distribution, ...]:
        """Return what nothing else requires: the members of components without a predecessor."""
        return tuple(
            sorted(
                (
                    self._records[folder]
                    for component, degree in self._components.in_degree()
                    if degree == 0
                    for folder in self._components.nodes[component]["members"]
                ),
                key=lambda record: (record.name, record.folder),
            )
        )

    def cycles(self) -> tuple[tuple[str, ...], ...]:
        """Return the sorted names of each group of distributions that require each other."""
        return tuple(
            sorted(
                tuple(sorted(self._records[folder].name for folder in members))
                for _, members in self._components.nodes(data="members")
                if len(members) > 1
            )
        )

    def requirers(self, name: str) -> tuple[Need, ...]:
        """Return the requirements in force that name ``name`` (normalised), in DAG order."""
        return tuple(need for need in self.needs() if need.name == name)

    @cached_property
    def _chains(self) -> Mapping[str, Chain]:
        """The shortest chain from a root to every record, in one breadth-first walk."""
        chains: dict[str, Chain] = {}
        queue: deque[str] = deque()
        for root in self.roots():
            if root.folder not in chains:
                chains[root.folder] = (Link(name=root.spelling, version=root.version),)
                queue.append(root.folder)
        while queue:
            folder = queue.popleft()
            for successor in sorted(self._edges.successors(folder)):
                if successor not in chains:
                    chains[successor] = (*chains[folder], self._link(folder, successor))
                    queue.append(successor)
        return chains

    def _link(self, dependent: str, target: str) -> Link:
        record = self._records[target]
        text = min(self._edges[dependent][target])
        specifier = self._edges[dependent][target][text]["specifier"]
        return Link(
            name=record.spelling,
            version=record.version,
            requirement=text,
            met=admits(specifier, record.version) is not False,
        )

    def why(self, record: Distribution) -> Chain:
        """Return the shortest chain from a root to ``record``; a root's chain is itself."""
        return self._chains[record.folder]

    def edges(self) -> Iterator[tuple[Distribution, Distribution, str]]:
        """Yield every edge: dependent, what it requires, and the text of the requirement."""
        for dependent, target, text in self._edges.edges(keys=True):
            yield self._records[dependent], self._records[target], text


def resolve(snapshot: Snapshot) -> Graph:
    """Resolve what every installed distribution requires, extras included, on the target.

    Costs time linear in the number of requirement lines. Nothing is raised for what a distribution
    declares: a line that cannot be parsed is a ``Need`` in state *unknown*.

    >>> from envaudit.model.snapshot import Interpreter
    >>> vllm = Distribution(
    ...     name="vllm", spelling="vllm", version="0.17.0", folder="v", requires=("torch==2.10.0",)
    ... )
    >>> torch = Distribution(name="torch", spelling="torch", version="2.9.1", folder="t")
    >>> python = Interpreter(implementation="cpython", version="3.11.7", markers=())
    >>> graph = resolve(Snapshot(interpreter=python, distributions=(torch, vllm)))
    >>> [record.label for record in graph.roots()]
    ['vllm 0.17.0']
    >>> [(need.text, need.state.value) for need in graph.needs()]
    [('torch==2.10.0', 'unmet')]
    """
    installed = snapshot.by_name()
    resolver = _Resolver(snapshot, installed)
    edges: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
    edges.add_nodes_from(record.folder for record in snapshot.distributions)
    needs = resolver.needs()
    for need in needs:
        for target in need.targets:
            edges.add_edge(
                need.dependent.folder,
                target.folder,
                key=need.text,
                specifier=need.specifier,
                extra=need.extra,
            )
    return Graph(snapshot, edges, needs)


class _Resolver:
    """Expands requirement lines and extras to a fixpoint over one snapshot."""

    def __init__(
        self, snapshot: Snapshot, installed: Mapping[str, tuple[Distribution, ...]]
    ) -> None:
        self._snapshot = snapshot
        self._installed = installed
        self._markers = snapshot.interpreter.marker_values()
        self._asked: dict[tuple[str, str], str] = {}
        """(name, extra) -> label of who asked for it first."""
        self._queue: deque[tuple[str, str]] = deque()
        self._found: dict[tuple[str, str], Need] = {}
        """By record and line: a line in force for two reasons is one requirement."""

    def needs(self) -> tuple[Need, ...]:
        for record in self._snapshot.distributions:
            for text in record.requires or ():
                self._declare(record, text, None)
        while self._queue:
            name, extra = self._queue.popleft()
            for record in self._installed.get(name, ()):
                for text in record.requires or ():
                    if "extra" in text:
                        self._declare(record, text, extra)
        return tuple(self._found.values())

    def _declare(self, record: Distribution, text: str, extra: str | None) -> None:
        if (record.folder, text) in self._found:
            return
        if hangs_on_another_extra(text, extra):
            return
        need = self._judge(record, text, extra)
        if need is not None:
            self._found[record.folder, text] = need

    def _judge(self, record: Distribution, text: str, extra: str | None) -> Need | None:
        parsed = parse_requirement(text)
        if parsed is None:
            return Need(
                dependent=record,
                text=text,
                name="",
                state=State.UNKNOWN,
                reason="is not a requirement that PEP 508 knows",
            )
        name = canonicalize_name(parsed.name)
        if parsed.marker is not None:
            unknown = unknown_marker(parsed, self._markers)
            if unknown is not None:
                return Need(
                    dependent=record,
                    text=text,
                    name=name,
                    state=State.UNKNOWN,
                    reason=f"depends on the marker `{unknown}`, which is not known here",
                )
            held = holds(parsed, self._markers, extra)
            if held is None:
                return Need(
                    dependent=record,
                    text=text,
                    name=name,
                    state=State.UNKNOWN,
                    reason="has a marker that cannot be evaluated",
                )
            if not held:
                return None
        for asked in parsed.extras:
            self._ask(name, canonicalize_name(asked), by=record.label)
        return self._stand(record, text, parsed, extra)

    def _ask(self, name: str, extra: str, *, by: str) -> None:
        if (name, extra) not in self._asked:
            self._asked[name, extra] = by
            self._queue.append((name, extra))

    def _stand(
        self, record: Distribution, text: str, parsed: Requirement, extra: str | None
    ) -> Need:
        name = canonicalize_name(parsed.name)
        targets = self._installed.get(name, ())
        specifier = str(parsed.specifier)
        state, reason = _state(specifier, targets)
        return Need(
            dependent=record,
            text=text,
            name=name,
            specifier=specifier,
            extra=extra,
            asked_by=self._asked[record.name, extra] if extra else None,
            targets=targets,
            state=state,
            reason=reason,
        )


def _state(specifier: str, targets: Iterable[Distribution]) -> tuple[State, str | None]:
    """Judge a specifier against all records of one name: the worst record wins."""
    records = tuple(targets)
    if not records:
        return State.MISSING, None
    answers = {record.version: admits(specifier, record.version) for record in records}
    if False in answers.values():
        return State.UNMET, None
    for version, answer in answers.items():
        if answer is None and specifier:
            return State.UNKNOWN, f"meets version `{version}`, which PEP 440 does not know"
    return State.MET, None
