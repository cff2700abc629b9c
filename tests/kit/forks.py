"""envaudit in processes of their own, forked from one that has imported it already.

To start Python and to import envaudit takes longer than what most commands then do. A forked
process is like a started one in all but what Python settles while it starts: see ``may_fork``.
"""

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from tests.kit.environments import SECONDS, Outcome

_SETTLED_AT_START = ("PYTHON", "LC_", "LANG", "TZ", "LD_", "DYLD_", "TMPDIR")


class ForkServer:
    """Forks a process for each command. It is started for the first, and again after a failure."""

    def __init__(self, *command: str) -> None:
        """Keep the words that start ``serve``."""
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._settled: Mapping[str, str] = {}

    def may_fork(self, variables: Mapping[str, str]) -> bool:
        """Return whether Python would start with ``variables`` as the server has started."""
        if self._process is None:
            self._settled = _settled(os.environ)
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # so that it can be ended with all that it has forked
            )
        return _settled(variables) == self._settled

    def run(self, words: Sequence[str], *, variables: Mapping[str, str], folder: Path) -> Outcome:
        """Run envaudit with ``words`` to its end, without standard input; see ``environments.run``.

        ``may_fork`` has said that it may.
        """
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise AssertionError("`may_fork` has started it, and both are pipes")
        order = json.dumps([list(words), dict(variables), str(folder)])
        process.stdin.write(order.encode() + b"\n")
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], SECONDS)
        answer = process.stdout.readline() if ready else b""
        if not answer:
            os.killpg(process.pid, signal.SIGKILL)
            self.stop()
            raise AssertionError(f"no end within {SECONDS:.0f} seconds, or none at all: {words}")
        code, stdout, stderr = json.loads(answer)
        return Outcome(code=code, stdout=stdout, stderr=stderr)

    def stop(self) -> None:
        """Stop it, if it was started."""
        process, self._process = self._process, None
        if process is not None:
            process.communicate()


def serve() -> None:
    """Import all of envaudit, and fork for each line on standard input until there is no more."""
    for module in walk_packages(import_module("envaudit").__path__, "envaudit."):
        import_module(module.name)
    main = import_module("envaudit.__main__").main
    orders, answers = os.fdopen(os.dup(0), "rb"), os.dup(1)
    for line in orders:
        with tempfile.TemporaryFile("a+b") as stdout, tempfile.TemporaryFile("a+b") as stderr:
            child = os.fork()
            if not child:
                _become(*json.loads(line), stdout=stdout.fileno(), stderr=stderr.fileno())
                main()
            _, status = os.waitpid(child, 0)
            texts = [_read(file.fileno()) for file in (stdout, stderr)]
        answer = json.dumps([os.waitstatus_to_exitcode(status), *texts])
        os.write(answers, answer.encode() + b"\n")


def _become(
    words: list[str], variables: dict[str, str], folder: str, *, stdout: int, stderr: int
) -> None:
    """Make this process like one that was started with these words, variables, folder and files."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(stdout, 1)
    os.dup2(stderr, 2)
    os.environ.clear()
    os.environ.update(variables)
    os.chdir(folder)
    sys.argv[1:] = words


def _read(file: int) -> str:
    return os.pread(file, os.fstat(file).st_size, 0).decode("utf-8", "replace")


def _settled(variables: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in variables.items() if name.startswith(_SETTLED_AT_START)}
