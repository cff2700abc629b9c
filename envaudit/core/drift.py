"""What changed between two snapshots, and why each change came about.

The reason of a change is looked for in three places, the first that answers wins:

1. *the change that caused it*: a distribution that itself was added or moved, and that now requires
   what the earlier version did not satisfy (``vllm 0.17.0`` requires ``torch==2.10.0``, and 2.9.1
   was there). The cause may have a cause of its own, up to the distribution somebody asked for.
2. the shortest chain from a root of the graph;
3. nothing: the distribution is a root itself.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from envaudit.core.graph import Graph
from envaudit.model.declared import admits, parse_version
from envaudit.model.distribution import Distribution, Unreadable
from envaudit.model.drift import (
    Added,
    Alteration,
    Altered,
    Change,
    HookChanged,
    InterpreterChanged,
    Obscured,
    Removed,
    change_kind,
    changed_name,
)
from envaudit.model.requirement import Chain, Link, Need
from envaudit.model.snapshot import Snapshot, StartupHook

_Movement = tuple[str, str, str | None, str | None]
"""What siblings that moved together have in common: repository, kind, version before and after."""


def diff(before: Snapshot, after: Snapshot) -> tuple[Change, ...]:
    """Return the changes from ``before`` to ``after``, without reasons.

    The interpreter comes first, then families that moved together, each in one place, and all by
    name; then startup hooks, and what can be read in one of the two alone. A name with several
    records is compared record by record: equal versions pair off first.

    >>> from envaudit.model.distribution import Distribution
    >>> from envaudit.model.snapshot import Interpreter
    >>> python = Interpreter(implementation="cpython", version="3.11.7", markers=())
    >>> old, new = (
    ...     Snapshot(
    ...         interpreter=python,
    ...         distributions=(
    ...             Distribution(name="torch", spelling="torch", version=version, folder="torch"),
    ...         ),
    ...     )
    ...     for version in ("2.9.1", "2.10.0")
    ... )
    >>> [(change_kind(change), changed_name(change)) for change in diff(old, new)]
    [('upgraded', 'torch')]
    >>> diff(old, old)
    ()
    """
    earlier, later = before.by_name(), after.by_name()
    changes: list[Added | Removed | Altered] = []
    for name in sorted(earlier.keys() | later.keys()):
        changes.extend(_compare(earlier.get(name, ()), later.get(name, ())))
    interpreters: tuple[Change, ...] = ()
    if before.interpreter != after.interpreter:
        interpreters = (InterpreterChanged(before=before.interpreter, after=after.interpreter),)
    return (
        *interpreters,
        *_gathered(changes),
        *_compare_hooks(before.hooks, after.hooks),
        *_compare_unreadable(before.unreadable, after.unreadable),
    )


def _compare_hooks(
    earlier: Iterable[StartupHook], later: Iterable[StartupHook]
) -> Iterator[HookChanged]:
    """Compare startup hooks by path; an owner that is known now and was not is no change."""
    gone, come = {hook.path: hook for hook in earlier}, {hook.path: hook for hook in later}
    for path in sorted(gone.keys() | come.keys()):
        before, after = gone.get(path), come.get(path)
        if before is None or after is None or before.digest != after.digest:
            yield HookChanged(before=before, after=after)


def _compare_unreadable(
    earlier: Iterable[Unreadable], later: Iterable[Unreadable]
) -> Iterator[Obscured]:
    """Compare what could not be read, by place: another reason is no change."""
    gone = {(part.folder, part.part): part for part in earlier}
    come = {(part.folder, part.part): part for part in later}
    for place in sorted(gone.keys() ^ come.keys()):
        yield Obscured(part=gone.get(place) or come[place], readable=place in gone)


def _compare(
    earlier: tuple[Distribution, ...], later: tuple[Distribution, ...]
) -> Iterator[Added | Removed | Altered]:
    """Compare the records of one name."""
    gone, come = list(earlier), list(later)
    for alike in (_same_spelling, _equal_version):
        for record in tuple(gone):
            twin = next((other for other in come if alike(record, other)), None)
            if twin is not None:
                gone.remove(record)
                come.remove(twin)
                yield from _same_version(record, twin)
    while gone and come:
        yield _other_version(gone.pop(0), come.pop(0))
    yield from (Removed(before=record) for record in gone)
    yield from (Added(after=record) for record in come)


def _same_spelling(before: Distribution, after: Distribution) -> bool:
    return before.version == after.version


def _equal_version(before: Distribution, after: Distribution) -> bool:
    """Return whether two versions are one by PEP 440: `1.0` and `1.0.0`."""
    version = parse_version(before.version)
    return version is not None and version == parse_version(after.version)


def _same_version(before: Distribution, after: Distribution) -> Iterator[Altered]:
    if before.origin != after.origin:
        yield Altered(how=Alteration.MOVED, before=before, after=after)
    if _rebuilt(before, after):
        yield Altered(how=Alteration.REBUILT, before=before, after=after)
    if None not in {before.requires, after.requires} and (
        sorted(before.requires or ()) != sorted(after.requires or ())
    ):
        yield Altered(how=Alteration.REWIRED, before=before, after=after)


def _rebuilt(before: Distribution, after: Distribution) -> bool:
    """Return whether the content surely is another one.

    It is where the version is spelled otherwise: it stands in the metadata.
    """
    if before.version != after.version:
        return True
    known = None not in {before.content_id, after.content_id}
    return known and before.content_id != after.content_id


def _other_version(before: Distribution, after: Distribution) -> Altered:
    old, new = parse_version(before.version), parse_version(after.version)
    up = before.version < after.version if old is None or new is None else old < new
    return Altered(
        how=Alteration.UPGRADED if up else Alteration.DOWNGRADED,
        before=before,
        after=after,
        commits=_commits_between(before.version, after.version),
    )


def _commits_between(before: str, after: str) -> int | None:
    """Return how far two development builds of one release are apart.

    setuptools-scm and its like count commits since the last tag in the ``.devN`` part.
    """
    old, new = parse_version(before), parse_version(after)
    if old is None or new is None or old.dev is None or new.dev is None:
        return None
    same_release = (old.epoch, old.release, old.pre, old.post) == (
        new.epoch,
        new.release,
        new.pre,
        new.post,
    )
    return abs(new.dev - old.dev) if same_release else None


def _gathered(changes: Iterable[Added | Removed | Altered]) -> tuple[Change, ...]:
    """Put members of one family beside each other, where the first of them stands by name."""
    families: dict[_Movement, list[str]] = {}
    for change in changes:
        for key in _movements(change):
            families.setdefault(key, []).append(changed_name(change))
    placed: list[tuple[str, str, Change]] = []
    for change in changes:
        together = [key for key in _movements(change) if len(families[key]) > 1]
        family = max(together, key=lambda key: len(families[key]), default=None)
        name = changed_name(change)
        if family is None:
            placed.append((name, name, change))
        else:
            placed.append((families[family][0], name, replace(change, family=family[0])))
    placed.sort(key=lambda place: place[:2])
    return tuple(change for _, _, change in placed)


def _movements(
    change: Added | Removed | Altered,
) -> Iterator[_Movement]:
    """Yield what a change has in common with its siblings: repository, kind and both versions."""
    before = None if isinstance(change, Added) else change.before
    after = None if isinstance(change, Removed) else change.after
    record = after or before
    for repository in () if record is None else record.repositories:
        yield (
            repository,
            change_kind(change),
            None if before is None else before.version,
            None if after is None else after.version,
        )


def explain(changes: tuple[Change, ...], before: Graph, after: Graph) -> tuple[Change, ...]:
    """Return ``changes`` with the reason of each filled in."""
    causes = _Causes(changes, after)
    explained: list[Change] = []
    for change in changes:
        match change:
            case Removed(before=record):
                explained.append(replace(change, why=before.why(record)))
            case Added(after=record) | Altered(after=record):
                explained.append(replace(change, why=causes.chain(record)))
            case InterpreterChanged() | HookChanged() | Obscured():
                explained.append(change)
    return tuple(explained)


class _Causes:
    """Finds, for a record that changed, the chain of changes that led to it."""

    def __init__(self, changes: tuple[Change, ...], after: Graph) -> None:
        self._after = after
        self._versions: Mapping[str, str | None] = {
            changed_name(change): _version_before(change)
            for change in changes
            if not isinstance(change, InterpreterChanged | HookChanged | Obscured)
        }
        self._needs: dict[str, list[Need]] = {}
        for need in after.needs():
            if need.dependent.name in self._versions and need.dependent.name != need.name:
                self._needs.setdefault(need.name, []).append(need)

    def chain(self, record: Distribution) -> Chain:
        """Return the shortest chain of causes that ends in ``record``, else the way from a root."""
        chain = self._search(record)
        return chain if len(chain) > 1 else self._after.why(record)

    def _search(self, record: Distribution) -> Chain:
        """Walk from ``record`` towards its causes, breadth first, up to one without a cause."""
        start: Chain = (Link(name=record.spelling, version=record.version),)
        waiting = [(record, start)]
        seen = {record.name}
        for current, chain in waiting:
            needs = [need for need in self._forcing(current) if need.dependent.name not in seen]
            if not needs:
                return chain
            for need in needs:
                seen.add(need.dependent.name)
                head = Link(name=current.spelling, version=current.version, requirement=need.text)
                cause = Link(name=need.dependent.spelling, version=need.dependent.version)
                waiting.append((need.dependent, (cause, head, *chain[1:])))
        return start

    def _forcing(self, record: Distribution) -> tuple[Need, ...]:
        """Return the requirements of changed distributions that the version before did not meet."""
        before = self._versions.get(record.name)
        return tuple(
            need
            for need in self._needs.get(record.name, ())
            if before is None or admits(need.specifier, before) is False
        )


def _version_before(change: Change) -> str | None:
    match change:
        case Removed(before=record) | Altered(before=record):
            return record.version
        case Added() | InterpreterChanged() | HookChanged() | Obscured():
            return None
