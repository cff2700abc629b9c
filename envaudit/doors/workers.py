"""Processes that read for this one: forked, spoken to over socket pairs, gone when it is gone.

A worker is handed open folders and the names in them, and answers with digests: it opens what this
process would open, through the same descriptors, and no path is walked a second time. It holds
nothing that could be lost, so it is ended by a kill. It ends itself when this process is gone: its
socket then is at its end, and its parent another one.

A worker that has work is the only one to write, and one that has none the only one to wait: no two
ever wait for each other.
"""

import gc
import marshal
import mmap
import os
import select
import signal
import socket
from collections.abc import Iterator, Sequence
from typing import Any, Self

from envaudit.doors import disk
from envaudit.doors.digests import Batch, Digested, Status, UnderWay, Wanted, digest_each
from envaudit.doors.disk import MEBIBYTE, DiskError, Folder

_LENGTH_BYTES = 8
_MOST_FOLDERS = 253
"""Linux passes no more descriptors at a time."""
_CELL_BYTES = 8

Answer = tuple[Batch, list[Digested] | None]
"""``None``: the worker was ended before it had read the batch."""


class Workers:
    """Some processes, and who of them is at work."""

    def __init__(self, count: int) -> None:
        """Start ``count`` processes, or as many as the system gives."""
        self.under_way: UnderWay = memoryview(mmap.mmap(-1, _CELL_BYTES * count)).cast("Q")
        """Shared: a worker writes its cell while it works, this process while the worker waits."""
        self._workers: list[_Worker] = []
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            for slot in range(count):
                self._start(slot)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        self._idle = list(self._workers)
        self._busy: dict[socket.socket, _Worker] = {}

    def _start(self, slot: int) -> None:
        ours, theirs = socket.socketpair()
        parent = os.getpid()
        try:
            number = os.fork()
        except OSError:  # no more processes: those that are there do it
            ours.close()
            theirs.close()
            return
        if number:
            theirs.close()
            self._workers.append(_Worker(slot, ours, number))
            return
        try:
            # Ctrl-C goes to everybody at a terminal, and is the parent's to answer.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            gc.disable()  # it would look through all that this process has of its parent
            ours.close()
            for other in self._workers:  # else they would not see their parent go
                other.channel.close()
            _serve(theirs, parent, self.under_way, slot)
        finally:
            os._exit(0)

    def __enter__(self) -> Self:
        """Return itself; the processes are ended at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the processes, and wait until they are gone."""
        self.end()
        for worker in self._workers:
            worker.channel.close()
            os.waitpid(worker.number, 0)

    def end(self) -> None:
        """End the processes, whatever they are at."""
        for worker in self._workers:
            os.kill(worker.number, signal.SIGKILL)

    def give(self, load: Sequence[Batch]) -> Iterator[Answer]:
        """Give ``load`` to a process, as soon as one is idle, and yield what was read meanwhile."""
        while not self._idle:
            if not self._busy:
                yield from ((batch, None) for batch in load)
                return
            yield from self._listen()
        worker = self._idle.pop()
        self._busy[worker.channel] = worker
        worker.send(load)

    def answers(self) -> Iterator[Answer]:
        """Yield what is still being read."""
        while self._busy:
            yield from self._listen()

    def _listen(self) -> Iterator[Answer]:
        ready, _, _ = select.select(list(self._busy), [], [])
        for channel in ready:
            worker = self._busy.pop(channel)
            try:
                answers = worker.receive()
                self._idle.append(worker)
            except OSError:
                answers = [None] * len(worker.load)
            self.under_way[worker.slot] = 0
            yield from zip(worker.load, answers, strict=True)


class _Worker:
    """One process, seen from its parent."""

    def __init__(self, slot: int, channel: socket.socket, number: int) -> None:
        self.slot = slot
        self.channel = channel
        self.number = number
        self.load: Sequence[Batch] = ()

    def send(self, load: Sequence[Batch]) -> None:
        self.load = load
        content = marshal.dumps([[tuple(wanted) for wanted in batch.wanted] for batch in load])
        folders = [batch.folder.descriptor() for batch in load]
        length = len(content).to_bytes(_LENGTH_BYTES, "little")
        try:
            socket.send_fds(self.channel, [length], folders)
            self.channel.sendall(content)
        except OSError:
            return  # it was ended, which is seen when its answer does not come

    def receive(self) -> list[list[Digested] | None]:
        length = int.from_bytes(_receive(self.channel, _LENGTH_BYTES), "little")
        answers = marshal.loads(_receive(self.channel, length))  # noqa: S302 - from our own process
        return [[_unpack(one) for one in answer] for answer in answers]


def _receive(channel: socket.socket, length: int) -> bytes:
    """Return the next ``length`` bytes.

    Raises:
        OSError: who would send them is gone.
    """
    content = bytearray(length)
    left = memoryview(content)
    while left:
        count = channel.recv_into(left)
        if not count:
            raise ConnectionResetError
        left = left[count:]
    return bytes(content)


# -- in the worker


def _serve(channel: socket.socket, parent: int, under_way: UnderWay, slot: int) -> None:
    """Read loads until the parent is gone."""

    def go_on(size: int) -> None:
        if os.getppid() != parent:
            os._exit(0)
        under_way[slot] += size

    buffer = memoryview(bytearray(MEBIBYTE))
    while True:
        head, folders, _, _ = socket.recv_fds(channel, _LENGTH_BYTES, _MOST_FOLDERS)
        length = int.from_bytes(head, "little")
        if not length:
            return
        load = marshal.loads(_receive(channel, length))  # noqa: S302 - from our own process
        answers = []
        for descriptor, names in zip(folders, load, strict=True):
            with Folder(descriptor) as folder:
                found = digest_each(folder, (Wanted(*one) for one in names), buffer, go_on)
                answers.append([_pack(one) for one in found])
        content = marshal.dumps(answers)
        channel.sendall(len(content).to_bytes(_LENGTH_BYTES, "little") + content)


def _pack(one: Digested) -> tuple[Any, ...]:
    """Return what `marshal` takes: tuples that are nothing else."""
    failure = one.failure
    return (
        None if one.status is None else tuple(one.status),
        one.digest,
        None if failure is None else (type(failure).__name__, failure.reason),
        one.settled,
    )


def _unpack(one: tuple[Any, ...]) -> Digested:
    status, digest, failure, settled = one
    return Digested(
        None if status is None else Status._make(status),
        digest,
        None if failure is None else _FAILURES[failure[0]](failure[1]),
        settled,
    )


_FAILURES = {
    kind.__name__: kind
    for kind in (DiskError, disk.AbsentError, disk.IrregularError, disk.LinkError)
}
