"""Bytecode against its source, by the header of the ``.pyc`` (PEP 552 and before).

The interpreter runs what is in ``__pycache__`` for as long as the header fits the source: by time
and size, or by a hash of the source; or, for "unchecked" ones, whatever the source is.
"""

from typing import NamedTuple

from envaudit.core.marshalled import UnparsableError, understand
from envaudit.doors.bytecode import (
    MAGIC_BYTES,
    compile_source,
    hash_source,
    is_own_version,
    own_magic,
)
from envaudit.doors.digests import HEAD_BYTES, Digested, Status, look
from envaudit.doors.disk import MEBIBYTE, AbsentError, DiskError, Folder
from envaudit.model.inspection import Bytecode, BytecodeState
from envaudit.readers.listed import Listed
from envaudit.readers.walk import Compiled, Walk

_SOURCE_LIMIT = 64 * MEBIBYTE
_HASHED, _CHECKED = 1, 2
_MODULO = 1 << 32
_SECOND = 1_000_000_000
_FIRST_SIPHASH_13 = 3495
"""The magic number of CPython 3.11, since when sources are hashed as the one that runs does."""


class _Told(NamedTuple):
    state: BytecodeState
    reason: str


def judge_bytecode(
    walk: Walk, environment: Folder, listed: Listed, *, version: str, deep: bool
) -> tuple[tuple[Bytecode, ...], bool]:
    """Return what is to be said of the ``.pyc`` files that were found, and whether all were read.

    ``version``: of the environment's interpreter, ``3.11.7``. ``deep``: whether sources are
    compiled and compared, where the interpreter that runs is of that very version.
    """
    magic = own_magic(".".join(version.split(".")[:2]))
    judge = _Judge(walk, environment, magic, deep=deep and is_own_version(version))
    told = [(one, judge.judge(one)) for one in walk.found.compiled]
    bytecode = tuple(
        Bytecode(
            path=one.path,
            state=said.state,
            reason=said.reason,
            record=None if one.near is None else listed.records[one.near],
        )
        for one, said in sorted(told)
        if said is not None
    )
    return bytecode, all(one.state is not BytecodeState.UNREADABLE for one in bytecode)


class _Judge:
    def __init__(self, walk: Walk, environment: Folder, magic: bytes | None, *, deep: bool) -> None:
        self._walk = walk
        self._environment = environment
        found = walk.found
        self._magic = magic
        self._deep = deep
        self._heads = found.heads
        self._passed = found.passed
        self._others = {path: one.status for path, one in found.digested}

    def judge(self, one: Compiled) -> _Told | None:
        """Return what is to be said of one ``.pyc``; ``None``: nothing."""
        seen = self._heads.get(one.path, Digested())
        if isinstance(seen.failure, AbsentError):
            return None
        if seen.digest is None:
            reason = "was not read" if seen.failure is None else seen.failure.reason
            return _Told(BytecodeState.UNREADABLE, reason)
        source = self._status_of(one.source)
        if source is None:
            return _Told(BytecodeState.ORPHAN, "has no source")
        return self._judge_head(bytes.fromhex(seen.digest[1:]), one, source)

    def _judge_head(self, head: bytes, one: Compiled, source: Status) -> _Told | None:
        magic, flags = head[:MAGIC_BYTES], int.from_bytes(head[4:8], "little")
        if len(head) < HEAD_BYTES:
            return _Told(BytecodeState.STALE, "is cut short")
        if self._magic is not None and magic != self._magic:
            return _Told(BytecodeState.STALE, "was compiled by another Python")
        if flags & ~(_HASHED | _CHECKED):
            return _Told(BytecodeState.STALE, "has flags that no Python knows")
        if flags & _HASHED:
            return self._judge_hash(head, one, checked=bool(flags & _CHECKED))
        times = {source.modified // _SECOND, int(source.modified / _SECOND)}
        written, size = (int.from_bytes(part, "little") for part in (head[8:12], head[12:16]))
        if written in {time % _MODULO for time in times} and size == source.size % _MODULO:
            return self._compare(one)
        return _Told(BytecodeState.STALE, "was compiled from a source of another time or size")

    def _judge_hash(self, head: bytes, one: Compiled, *, checked: bool) -> _Told | None:
        same = self._has_hash(head, one.source)
        if checked:
            stale = _Told(BytecodeState.STALE, "has the hash of another source")
            return stale if same is False else self._compare(one)
        if same is False:
            reason = "has the hash of another source, and is run all the same: it is not checked"
            return _Told(BytecodeState.FOREIGN, reason)
        if self._deep:
            reason = "is not checked, and is what its source compiles to"
            return self._compare(one) or _Told(BytecodeState.PROVEN, reason)
        return _Told(BytecodeState.UNCHECKED, "is run whatever its source says: it is not checked")

    def _compare(self, one: Compiled) -> _Told | None:
        """Say whether a ``.pyc`` that is run is not what its source compiles to."""
        if not self._deep:
            return None
        try:
            source = self._read_source(one.source)
            body = self._environment.read_below(one.path, limit=_SOURCE_LIMIT)[HEAD_BYTES:]
        except DiskError as error:
            return _Told(BytecodeState.UNREADABLE, f"could not be compared: {error.reason}")
        compiled = compile_source(source, optimization=_optimization(one.path))
        if compiled is None:
            return _Told(BytecodeState.FOREIGN, "runs, and its source does not compile")
        if compiled == body:
            return None
        try:
            wanted = understand(compiled)
        except UnparsableError:  # deeper than is parsed
            return _Told(BytecodeState.UNREADABLE, "could not be compared with its source")
        try:
            same = understand(body) == wanted
        except UnparsableError:
            same = False
        reason = "is not what its source compiles to, whatever its header says"
        return None if same else _Told(BytecodeState.FOREIGN, reason)

    def _has_hash(self, head: bytes, source: str) -> bool | None:
        """Return whether the source has the hash that a header states; ``None``: not known."""
        magic = head[:MAGIC_BYTES]
        if int.from_bytes(magic[:2], "little") < _FIRST_SIPHASH_13:
            return None
        try:
            content = self._read_source(source)
        except DiskError:
            return None
        return hash_source(magic, content) == head[8:16]

    def _read_source(self, path: str) -> bytes:
        """Return a source, from uv's cache where that is what it is linked to.

        Raises:
            DiskError: it cannot be read.
        """
        if path not in self._walk.found.linked:
            return self._environment.read_below(path, limit=_SOURCE_LIMIT)
        with self._walk.links.open_parent(path) as folder:
            return folder.read(path.rpartition("/")[2], limit=_SOURCE_LIMIT)

    def _status_of(self, source: str) -> Status | None:
        folder, _, name = source.rpartition("/")
        status = self._passed.get(folder, {}).get(name) or self._others.get(source)
        if status is not None:
            return status
        try:
            with self._environment.folder_below(folder or ".") as opened:
                return look(opened, name)
        except DiskError:
            return None


def _optimization(path: str) -> int:
    """Return the level that the name of a ``.pyc`` states: ``core.cpython-311.opt-2.pyc``."""
    level = path.removesuffix(".pyc").rpartition(".opt-")[2]
    return int(level) if level in {"1", "2"} else 0
