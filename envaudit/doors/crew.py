"""Who reads: several threads of this process, or several processes, and the report of how far.

``hashlib`` lets go of the interpreter's lock while it hashes a large piece, and the kernel while it
reads: two threads hash large files twice as fast where the disk can follow. Small files are mostly
Python's own work, which one thread at a time does: many of them are read by processes.
"""

import os
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from envaudit.doors.digests import Batch, Digested, UnderWay, digest_each
from envaudit.doors.disk import MEBIBYTE

if TYPE_CHECKING:
    from envaudit.doors.workers import Workers

_TICK_SECONDS = 0.1
_FEWEST_THREADS = 2
_MOST = 4
_MANY = 2_000
"""So many files take longer to read than processes to start."""
_LOAD_FILES = 256
_LOAD_FOLDERS = 32
_LOAD_BYTES = 16 * MEBIBYTE

Take = Callable[[Batch, list[Digested]], None]


class StoppedError(BaseException):
    """The user wants no more of it. No ``Exception``: nobody may take it for a bad file."""


def digest_all(
    batches: Iterator[Batch], take: Take, tell: Callable[[int], None], *, files: int
) -> bool:
    """Read every wanted file of ``batches``, and give what came of them to ``take``.

    ``files``: about how many there are. ``take`` and the iterator are called from other threads, by
    one at a time; ``tell`` from this one, every tenth of a second, with the bytes read of files
    that are still being read. Returns whether all was read: false after Ctrl-C.
    """
    cores = _count_cores()
    if files >= _MANY and cores > 1 and threading.active_count() == 1:
        from envaudit.doors.workers import Workers  # what few files do not need

        with Workers(min(cores, _MOST)) as workers:
            crew = _Crew(batches, take, workers.under_way)
            return _await(crew, [partial(crew.hand_out, workers)], tell, workers.end)
    count = max(_FEWEST_THREADS, min(cores, _MOST))
    crew = _Crew(batches, take, [0] * count)
    return _await(crew, [partial(crew.read, slot) for slot in range(count)], tell)


def _count_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _await(
    crew: "_Crew",
    duties: list[Callable[[], None]],
    tell: Callable[[int], None],
    interrupt: Callable[[], None] = lambda: None,
) -> bool:
    threads = [threading.Thread(target=crew.work, args=(duty,)) for duty in duties]
    for thread in threads:
        thread.start()
    whole = True
    try:
        tell(sum(crew.under_way))
        for thread in threads:
            while thread.is_alive():
                thread.join(_TICK_SECONDS)
                tell(sum(crew.under_way))
    except KeyboardInterrupt:
        whole = False
    finally:
        crew.stopped.set()
        interrupt()
        for thread in threads:
            thread.join()
    if crew.faults:
        raise crew.faults[0]
    return whole


class _Crew:
    """Takes batches until there are no more."""

    def __init__(self, batches: Iterator[Batch], take: Take, under_way: UnderWay) -> None:
        self._batches = batches
        self._take = take
        self._turn = threading.Lock()
        self.stopped = threading.Event()
        self.under_way = under_way
        self.faults: list[BaseException] = []

    def work(self, duty: Callable[[], None]) -> None:
        """Do what a thread is to do, and keep its fault for the main thread."""
        try:
            duty()
        except StoppedError:
            return
        except BaseException as error:  # noqa: BLE001 - it is raised again by the main thread
            self.faults.append(error)
            self.stopped.set()

    def read(self, slot: int) -> None:
        """Read batches as one thread of several."""
        buffer = memoryview(bytearray(MEBIBYTE))
        while (batch := self._next()) is not None:
            self._read_batch(batch, slot, buffer)

    def hand_out(self, workers: "Workers") -> None:
        """Let processes read, and read here what one leaves undone because it was ended."""
        buffer = memoryview(bytearray(MEBIBYTE))
        for load in self._loads():
            for batch, digested in workers.give(load):
                self._finish(batch, digested, buffer)
        for batch, digested in workers.answers():
            self._finish(batch, digested, buffer)

    def _finish(self, batch: Batch, digested: list[Digested] | None, buffer: memoryview) -> None:
        if digested is None and not self.stopped.is_set():
            self._read_batch(batch, 0, buffer)
            return
        with batch.folder, self._turn:
            self._take(batch, digested or [])

    def _loads(self) -> Iterator[list[Batch]]:
        """Yield batches, several at a time where they are small."""
        load: list[Batch] = []
        files, size = 0, 0
        while (batch := self._next()) is not None:
            load.append(batch)
            files += len(batch.wanted)
            size += sum(wanted.size or 0 for wanted in batch.wanted)
            if files >= _LOAD_FILES or size >= _LOAD_BYTES or len(load) >= _LOAD_FOLDERS:
                yield load
                load, files, size = [], 0, 0
        if load:
            yield load

    def _next(self) -> Batch | None:
        with self._turn:
            return None if self.stopped.is_set() else next(self._batches, None)

    def _read_batch(self, batch: Batch, slot: int, buffer: memoryview) -> None:
        def go_on(size: int) -> None:
            if self.stopped.is_set():
                raise StoppedError
            self.under_way[slot] += size

        found: list[Digested] = []
        with batch.folder:
            for one in digest_each(batch.folder, batch.wanted, buffer, go_on):
                found.append(one)
                if self.stopped.is_set():
                    break
            self.under_way[slot] = 0
            with self._turn:
                self._take(batch, found)
