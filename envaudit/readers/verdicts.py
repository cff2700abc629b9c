"""What was found of an environment's files compared with what its RECORDs list of them."""

import stat
from collections.abc import Iterable, Mapping

from envaudit.core.digests import agree, algorithm_of
from envaudit.doors.digests import Digested, Status
from envaudit.doors.disk import AbsentError, DiskError, IrregularError, LinkError
from envaudit.model.inspection import Deviation, DeviationKind, FileDigest, Tally
from envaudit.readers.listed import Listed, Row
from envaudit.readers.record import WRITTEN_BY_INSTALLERS
from envaudit.readers.walk import EXPOSING, LENDING, Found, is_own

_UNREAD = Digested()


class Verdicts:
    """Compares what was found with what is listed."""

    def __init__(
        self,
        listed: Listed,
        chosen: frozenset[int],
        found: Found,
        *,
        adaptable: frozenset[str],
        told: frozenset[str],
    ) -> None:
        """Compare at once.

        ``chosen``: the records to judge, counted as in ``Listed.records``; ``adaptable``: files
        that may be other ones than what is listed; ``told``: files of which it was measured before,
        and is said, that they are missing.
        """
        self._listed = listed
        self._chosen = chosen
        self._found = found
        self._adaptable = adaptable
        self._told = told
        self._verified = dict.fromkeys(chosen, 0)
        self._sizes = dict.fromkeys(chosen, 0)
        self._adapted = dict.fromkeys(chosen, 0)
        self._deviations: dict[int, list[Deviation]] = {number: [] for number in chosen}
        self._unhashed: dict[int, list[FileDigest]] = {number: [] for number in chosen}
        self._noted: set[str] = set()
        self.unread = False
        for folder, passed in found.passed.items():
            rows = listed.folders[folder]
            for name, status in passed.items():
                self._pass(rows[name].record, status)
        for path, one in found.digested:
            self._judge(path, one)
        for path, reason in found.irregular:
            if path not in told:  # a link that leads nowhere is a file that is missing
                self._deviate(path, DeviationKind.IRREGULAR, reason)
        for path, status in found.exposed:
            self._expose(path, status)
        for path, error in found.failed:
            self._fail(path, error)

    def account(self) -> None:
        """Say so of every listed file of which nothing is said yet: it was not read, so not passed.

        What was missing was measured before. A file that goes away between that and the reading is
        seen by neither.
        """
        seen = {path for path, one in self._found.digested if not _is_gone(one)}
        seen |= self._noted | self._told
        for folder, rows in self._listed.folders.items():
            prefix = f"{folder}/" if folder else ""
            for name in rows.keys() - self._found.passed.get(folder, {}).keys():
                if prefix + name not in seen and algorithm_of(rows[name].digest) is not None:
                    reason = "was not there any more when it was to be read"
                    self._deviate(prefix + name, DeviationKind.UNREADABLE, reason)

    def tallies(self) -> tuple[Tally, ...]:
        """Return how the files of each record stand."""
        unverifiable, unknown = self._count_unverifiable()
        return tuple(
            sorted(
                (
                    Tally(
                        record=self._listed.records[number],
                        installed=self._listed.installed[number],
                        verified=self._verified[number],
                        verified_bytes=self._sizes[number],
                        unverifiable=unverifiable[number],
                        unknown=unknown[number],
                        unhashed=tuple(sorted(self._unhashed[number], key=lambda one: one.path)),
                        adapted=self._adapted[number],
                        deviations=tuple(
                            sorted(self._deviations[number], key=lambda one: one.path)
                        ),
                    )
                    for number in self._chosen
                ),
                key=lambda tally: tally.record,
            )
        )

    def _count_unverifiable(self) -> tuple[Mapping[int, int], Mapping[int, int]]:
        """Return how many files of each record cannot be verified, and how many have a digest."""
        counts, unknown = dict.fromkeys(self._chosen, 0), dict.fromkeys(self._chosen, 0)
        for folder, rows in self._listed.folders.items():
            for name in rows.keys() - self._found.passed.get(folder, {}).keys():
                row = rows[name]
                if row.digest and algorithm_of(row.digest) is not None:
                    continue
                path = f"{folder}/{name}" if folder else name
                for one in self._listed.claims(path, row):
                    own = is_own(path, self._listed.records[one.record])
                    if one.record in counts and not own and algorithm_of(one.digest) is None:
                        counts[one.record] += 1
                        unknown[one.record] += bool(one.digest)
        return counts, unknown

    def _judge(self, path: str, one: Digested) -> None:
        folder, _, name = path.rpartition("/")
        row = self._listed.folders.get(folder, {}).get(name)
        if row is None or _is_gone(one):
            return  # it went away meanwhile, see `account`
        if one.failure is not None:
            self._deviate(path, _kind_of(one.failure), one.failure.reason, one)
            return
        if one.status is not None and one.status.mode & EXPOSING:
            self._deviate(path, DeviationKind.EXPOSED, _expose(one.status.mode), one)
        rows = self._listed.claims(path, row)
        passed = [
            claim for claim in rows if one.digest is not None and agree(claim.digest, one.digest)
        ]
        if passed and one.status is not None:
            for claim in passed:
                self._pass(claim.record, one.status)
            return
        hashed = [claim for claim in rows if algorithm_of(claim.digest) is not None]
        if hashed:
            self._differ(path, hashed, one)
        elif row.record in self._unhashed:
            self._unhashed[row.record].append(FileDigest(path=path, digest=one.digest))

    def _pass(self, record: int, status: Status) -> None:
        if record in self._verified:
            self._verified[record] += 1
            self._sizes[record] += status.size

    def _differ(self, path: str, rows: Iterable[Row], one: Digested) -> None:
        size = None if one.status is None else one.status.size
        for row in rows:
            if row.record not in self._chosen:
                continue
            folder, _, name = path.rpartition("/")
            own = folder == self._listed.records[row.record] and name in WRITTEN_BY_INSTALLERS
            if own or path in self._adaptable:
                self._adapted[row.record] += 1
                continue
            other = None not in {row.size, size} and row.size != size
            reason = f"has {size} bytes instead of {row.size}" if other else "has other content"
            self._add(path, row, DeviationKind.MODIFIED, reason, one)

    def _deviate(
        self, path: str, kind: DeviationKind, reason: str, one: Digested = _UNREAD
    ) -> None:
        folder, _, name = path.rpartition("/")
        for row in self._listed.claims(path, self._listed.folders[folder][name]):
            own = not row.digest and is_own(path, self._listed.records[row.record])
            if row.record in self._chosen and not own:
                self._add(path, row, kind, reason, one)

    def _add(self, path: str, row: Row, kind: DeviationKind, reason: str, one: Digested) -> None:
        status = one.status
        self.unread |= kind is DeviationKind.UNREADABLE
        self._noted.add(path)
        self._deviations[row.record].append(
            Deviation(
                path=path,
                record=self._listed.records[row.record],
                kind=kind,
                reason=reason,
                listed=row.digest or None,
                digest=one.digest,
                size=None if status is None else status.size,
                modified=None if status is None else status.modified,
                lends_rights=status is not None and bool(status.mode & LENDING),
                links=1 if status is None else status.links,
                cached=path in self._found.linked,
            )
        )

    def _expose(self, path: str, status: Status) -> None:
        """Say of a folder with listed files that anybody may exchange them, once a record."""
        reason = f"is a folder that may be written by anybody ({stat.S_IMODE(status.mode):04o})"
        one = Digested(status=status._replace(mode=status.mode & ~LENDING))  # inherited by files
        for record in {row.record for row in self._listed.folders[path].values()} & self._chosen:
            self._add(path or ".", Row(record, "", None), DeviationKind.EXPOSED, reason, one)

    def _fail(self, path: str, error: DiskError) -> None:
        """Say of every file in a folder that could not be listed that it was not read."""
        if isinstance(error, AbsentError):
            return  # it went away meanwhile, see `account`
        for folder, rows in self._listed.folders.items():
            if folder == path or folder.startswith(f"{path}/"):
                for name in rows:
                    reason = f"lies in `{path}`, which {error.reason}"
                    self._deviate(f"{folder}/{name}", _kind_of(error), reason)


def _expose(mode: int) -> str:
    """Say what is dangerous about the permissions ``mode``."""
    said = []
    if mode & LENDING:
        said.append("runs with its owner's rights, whoever starts it")
    if mode & stat.S_IWOTH:
        said.append("may be written by anybody")
    return f"{', and '.join(said)} ({stat.S_IMODE(mode):04o})"


def _kind_of(error: DiskError) -> DeviationKind:
    """Return what it means of a file that it could not be read."""
    exchanged = isinstance(error, LinkError | IrregularError)
    return DeviationKind.IRREGULAR if exchanged else DeviationKind.UNREADABLE


def _is_gone(one: Digested) -> bool:
    """Return whether a file was listed by its folder, and was not there to be opened."""
    return isinstance(one.failure, AbsentError)
