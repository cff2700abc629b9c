"""Faults at the Nth file operation of the doors for writing: a kill, an error, a short write.

Operations are counted, not time: for N = 1, 2, 3 … until a run comes through without its fault, so
that every state in which a writer can be left is met (as SQLite is tested). It is the module ``os``
that is faulty, as ``disk_write``, ``moving``, ``packing``, ``lock``, and ``shutil``, by which they
remove, see it. A server imports envaudit once and forks for each run.
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.kit.commands import ROOT

_SERVER = """\
import errno, json, os, shutil, signal, sys, tempfile
sys.path.insert(0, ROOT)
from envaudit.doors import disk_write, lock, moving, packing
import envaudit.cli, envaudit.commands.snapshot, envaudit.effects.report_file
import envaudit.commands.apply, envaudit.commands.check, envaudit.commands.restore
COUNTED = {"open", "write", "fsync", "replace", "unlink", "mkdir", "close", "fstat", "listdir"}
COUNTED |= {"read", "rename", "rmdir", "scandir", "statvfs"}
def faulty(kind, at, log):
    performed = 0
    def perform(name, real, *arguments, **keywords):
        nonlocal performed
        performed += 1
        os.write(log, f"{name}\\n".encode())
        if performed == at:
            if kind == "kill before":
                os.kill(os.getpid(), signal.SIGKILL)
            if kind == "short" and name == "write":
                return real(arguments[0], bytes(arguments[1])[:7])
            if kind in ("ENOSPC", "EIO"):
                raise OSError(getattr(errno, kind), os.strerror(getattr(errno, kind)))
        result = real(*arguments, **keywords)
        if performed == at and kind == "kill after":
            os.kill(os.getpid(), signal.SIGKILL)
        return result
    class Faulty:
        def __getattr__(self, name):
            real = getattr(os, name)
            return (lambda *a, **k: perform(name, real, *a, **k)) if name in COUNTED else real
    return Faulty()
for line in sys.stdin:
    kind, at, words = json.loads(line)
    files = tempfile.TemporaryFile(), tempfile.TemporaryFile()
    said, log = (file.fileno() for file in files)
    child = os.fork()
    if not child:
        signal.alarm(120)  # a run that hangs ends, and its test fails
        os.dup2(said, 1), os.dup2(said, 2)
        disk_write.os = lock.os = moving.os = packing.os = shutil.os = faulty(kind, at, log)
        code = envaudit.cli.run(words)
        os._exit(code)
    _, status = os.waitpid(child, 0)
    texts = [os.pread(part, 1 << 20, 0).decode() for part in (said, log)]
    print(json.dumps([os.waitstatus_to_exitcode(status), *texts]), flush=True)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Faulted:
    """A run with a fault planted."""

    code: int
    said: str
    """Both of its streams."""
    operations: tuple[str, ...]
    """Names of the operations of ``os`` that the doors for writing performed, in order."""

    def met(self, at: int) -> bool:
        """Return whether the run came as far as its fault."""
        return len(self.operations) >= at


class FaultServer:
    """Runs envaudit with faults, each run in a process of its own."""

    def __init__(self, *, folder: Path, variables: Mapping[str, str]) -> None:
        """Start it in ``folder``."""
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"ROOT = {str(ROOT)!r}\n{_SERVER}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=dict(variables),
            cwd=folder,
            text=True,
        )

    def __enter__(self) -> Self:
        """Return itself; it is stopped at the end of the block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop it."""
        with self._process:
            if self._process.stdin is not None:
                self._process.stdin.close()

    def run(self, kind: str, at: int, *words: str) -> Faulted:
        """Run envaudit with ``words`` and a fault of ``kind`` at operation ``at`` (from 1).

        ``kind``: ``kill before``, ``kill after``, ``ENOSPC``, ``EIO``, ``short`` (a short write),
        or anything else for none.
        """
        if self._process.stdin is None or self._process.stdout is None:
            raise AssertionError("both are pipes")
        self._process.stdin.write(json.dumps([kind, at, words]) + "\n")
        self._process.stdin.flush()
        code, said, operations = json.loads(self._process.stdout.readline())
        return Faulted(code=code, said=said, operations=tuple(operations.split()))
