"""Processes that read: the same answers as threads, whatever befalls them."""

import hashlib
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from envaudit.core.digests import spell
from envaudit.doors import crew
from envaudit.doors.digests import Batch, Digested, Wanted
from envaudit.doors.disk import (
    MEBIBYTE,
    AbsentError,
    IrregularError,
    LinkError,
    open_folder,
)
from envaudit.doors.workers import Workers
from tests.kit.commands import ROOT

pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")

CONTENTS = {"empty": b"", "small": b"abc", "large": b"x" * (MEBIBYTE + 1)}
ODD = {"fifo": IrregularError, "folder": IrregularError, "link": LinkError, "gone": AbsentError}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with regular files and others."""
    for name, content in CONTENTS.items():
        (tmp_path / name).write_bytes(content)
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("small")
    return tmp_path


def _batches(folder: Path, names: tuple[str, ...], times: int = 1) -> Iterator[Batch]:
    for number in range(times):
        with open_folder(folder) as opened:
            yield Batch(opened, f"{number}/", [Wanted(name, "sha256") for name in names])


def _read(
    batches: Iterator[Batch], monkeypatch: pytest.MonkeyPatch, *, forks: bool
) -> dict[str, Digested]:
    found: dict[str, Digested] = {}

    def take(batch: Batch, digested: list[Digested]) -> None:
        for wanted, one in zip(batch.wanted, digested, strict=True):
            found[batch.prefix + wanted.name] = one

    monkeypatch.setattr(crew, "_count_cores", lambda: 2)
    monkeypatch.setattr("threading.active_count", lambda: 1)
    assert crew.digest_all(batches, take, lambda _: None, files=10_000 if forks else 1)
    return found


def test_workers_answer_what_threads_answer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = (*CONTENTS, *ODD)
    threads = _read(_batches(folder, names, 20), monkeypatch, forks=False)
    workers = _read(_batches(folder, names, 20), monkeypatch, forks=True)

    assert _told(workers) == _told(threads)
    assert len(workers) == 20 * len(names)
    for name, content in CONTENTS.items():
        digest = spell("sha256", hashlib.sha256(content).digest())
        assert workers[f"19/{name}"].digest == digest
    for name, kind in ODD.items():
        assert type(workers[f"19/{name}"].failure) is kind


def _told(found: dict[str, Digested]) -> dict[str, tuple[object, ...]]:
    return {
        path: (one.status, one.digest, None if one.failure is None else one.failure.reason)
        for path, one in found.items()
    }


def test_what_a_worker_leaves_undone_is_read_all_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = Workers._start  # noqa: SLF001 - what becomes of it is the test

    def start_and_lose(self: Workers, slot: int) -> None:
        start(self, slot)
        os.kill(self._workers[slot].number, signal.SIGKILL)

    monkeypatch.setattr(Workers, "_start", start_and_lose)

    found = _read(_batches(folder, ("small",), 600), monkeypatch, forks=True)

    assert len(found) == 600
    assert all(one.digest is not None for one in found.values())


def test_threads_read_where_no_process_can_be_started(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", refuse)

    found = _read(_batches(folder, tuple(CONTENTS)), monkeypatch, forks=True)

    assert all(one.digest is not None for one in found.values())


def test_no_process_is_left_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = []
    fork = os.fork

    def fork_and_tell() -> int:
        number = fork()
        numbers.append(number)
        return number

    monkeypatch.setattr(os, "fork", fork_and_tell)

    _read(_batches(folder, tuple(CONTENTS)), monkeypatch, forks=True)

    assert numbers
    for number in numbers:
        with pytest.raises(ProcessLookupError):  # one that nobody has waited for is still there
            os.kill(number, 0)


def test_no_descriptor_is_left_open(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = _descriptors()
    _read(_batches(folder, tuple(CONTENTS), 50), monkeypatch, forks=True)

    assert _descriptors() == before


def _descriptors() -> set[str]:
    return {path.name for path in Path("/dev/fd").iterdir()}


_START_AND_DIE = f"""\
import os, sys
sys.path.insert(0, {str(ROOT)!r})
from envaudit.doors.workers import Workers
workers = Workers(3)
os.kill(os.getpid(), 9)
"""


def test_the_workers_of_a_killed_parent_end() -> None:
    """What they all hold open is at its end once none of them is left."""
    ours, theirs = os.pipe()
    command = [sys.executable, "-c", _START_AND_DIE]
    with subprocess.Popen(command, pass_fds=[theirs]) as parent:
        os.close(theirs)
        assert parent.wait() == -signal.SIGKILL
    ready, _, _ = select.select([ours], [], [], 60)

    assert ready
    assert os.read(ours, 1) == b""
    os.close(ours)
