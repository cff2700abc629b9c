"""What is in an environment's files, against its RECORDs: read once, for every check."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from envaudit.doors import disk
from envaudit.doors.crew import digest_all
from envaudit.doors.digests import Batch, Digested
from envaudit.doors.disk import DiskError, Folder
from envaudit.model.files import Files
from envaudit.model.inspection import Inspection
from envaudit.model.snapshot import Snapshot
from envaudit.readers.bytecode import judge_bytecode
from envaudit.readers.files import own_sites
from envaudit.readers.listed import Listed, read_listed
from envaudit.readers.uv_links import UvLinks
from envaudit.readers.verdicts import Verdicts
from envaudit.readers.walk import Found, Scope, Walk


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a run is."""

    files: int
    all_files: int
    size: int
    """Bytes that were read, or need not be."""
    all_size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is to be inspected, and how."""

    names: frozenset[str] = frozenset()
    """Normalised names; empty: all."""
    everything: bool = False
    """Whether files are read too that RECORD does not vouch for, to be told apart later."""
    deep: bool = False
    """Whether sources are compiled, and compared with the bytecode beside them."""
    known: Mapping[str, str] = field(default_factory=dict)
    """Digests by what their files are known by; see ``digest_cache``."""
    tell: Callable[[Progress], None] = lambda _: None
    """Is told ten times a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspected:
    """What was found, and what to remember of it."""

    files: Files
    """The files that were measured, with what was found of their contents."""
    known: Mapping[str, str]
    """Like ``Wish.known``, of the files that were seen now."""
    whole: bool = True
    """Whether all that was wished for was looked at; false after an interrupt."""


def inspect_files(root: Path, snapshot: Snapshot, files: Files, wish: Wish) -> Inspected:
    """Inspect the files of the environment at ``root``.

    ``snapshot`` and ``files`` have just been read of it. Nothing is raised for what cannot be read.
    """
    try:
        with disk.open_folder(root) as environment:
            listed = read_listed(environment, own_sites(snapshot))
            return _Run(environment, listed, snapshot, files, wish).inspect()
    except DiskError:  # which `files` say already
        inspection = Inspection(complete=False)
        return Inspected(files=replace(files, inspection=inspection), known=wish.known)


class _Run:
    """One run over one environment."""

    def __init__(
        self, environment: Folder, listed: Listed, snapshot: Snapshot, files: Files, wish: Wish
    ) -> None:
        self._environment = environment
        self._listed = listed
        self._snapshot = snapshot
        self._files = files
        self._wish = wish
        names = {record.folder: record.name for record in snapshot.distributions}
        self._chosen = frozenset(
            number
            for number, record in enumerate(listed.records)
            if not wish.names or names.get(record) in wish.names
        )
        scope = Scope(records=self._chosen, tag=_bytecode_tag(snapshot), everything=wish.everything)
        self._walk = Walk(listed, scope, wish.known, UvLinks(environment, listed))
        self._found: Found = self._walk.found
        self._all_files, self._all_size = self._weigh()
        self._sizes: list[int] = []
        """Of each batch that was read, its bytes."""

    def _weigh(self) -> tuple[int, int]:
        """Return how many files there are to verify, and their bytes."""
        sizes = [
            row.size or 0
            for rows in self._listed.folders.values()
            for row in rows.values()
            if row.digest and row.record in self._chosen
        ]
        return len(sizes), sum(sizes)

    def inspect(self) -> Inspected:
        batches = self._walk.batches(self._environment)
        unknown = self._all_files - len(self._wish.known)
        complete = digest_all(batches, self._take, self._tell, files=unknown)
        verdicts = Verdicts(
            self._listed,
            self._chosen,
            self._found,
            adaptable=_adaptable(self._snapshot),
            told=frozenset(
                path for one in self._files.manifests for path in (*one.missing, *one.dangling)
            ),
        )
        if complete:
            verdicts.account()
        bytecode, readable = judge_bytecode(
            self._walk,
            self._environment,
            self._listed,
            version=self._snapshot.interpreter.version,
            deep=self._wish.deep,
        )
        inspection = Inspection(
            tallies=verdicts.tallies(),
            bytecode=bytecode,
            read=self._found.read,
            known=self._found.known,
            complete=complete and readable and not verdicts.unread,
        )
        return Inspected(
            files=replace(self._files, inspection=inspection),
            whole=complete,
            known=self._walk.remembered(),
        )

    def _take(self, batch: Batch, digested: list[Digested]) -> None:
        self._walk.take(batch, digested)
        self._sizes.append(sum(one.status.size for one in digested if one.status is not None))

    def _tell(self, under_way: int) -> None:
        self._wish.tell(
            Progress(
                files=self._found.known + self._found.read,
                all_files=self._all_files,
                size=under_way + self._found.known_size + sum(self._sizes),
                all_size=self._all_size,
            )
        )


def _bytecode_tag(snapshot: Snapshot) -> str | None:
    """Return what the interpreter puts into the names of its bytecode (``cpython-311``)."""
    interpreter = snapshot.interpreter
    if interpreter.implementation != "cpython" or not interpreter.version:
        return None
    return "cpython-" + "".join(interpreter.version.split(".")[:2])


def _adaptable(snapshot: Snapshot) -> frozenset[str]:
    """Return the files that make editables importable: backends write them anew at every build."""
    return frozenset(
        path
        for record in snapshot.distributions
        if record.editable is not None
        for path in record.editable.files
    )
