"""The door to other programs: an argument list, an absolute binary, a time and an output limit."""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from envaudit.model.errors import Problem, UnreadableError

_OUTPUT_LIMIT = 16 * 1024 * 1024
_CHUNK = 64 * 1024
# How long a program that has ended may leave its streams open (a daemon of its own that inherited
# them) before they are taken for finished. A program without such children is never waited for.
_LINGERING_SECONDS = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Completed:
    """What a program said."""

    code: int
    """Exit code; negative: the signal that ended it."""
    output: str
    messages: str
    """Its standard error."""


def run(
    command: Sequence[str],
    *,
    environment: Mapping[str, str],
    folder: Path,
    seconds: float,
    limit: int = _OUTPUT_LIMIT,
) -> Completed:
    """Run ``command`` (its first word an absolute path) to its end and return what it said.

    Of both streams together up to ``limit`` bytes are read. The program has no standard input, and
    a process group of its own that is killed as a whole when the time is over or it says too much.

    Raises:
        UnreadableError: it cannot be started, takes longer than ``seconds``, or says too much.
    """
    program = Path(command[0])
    try:
        child = subprocess.Popen(  # noqa: S603 - an argument list, and never a shell
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environment),
            cwd=folder,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise _unstartable(program, error) from error
    with child:  # closes both streams
        listener = _Listener(child, program, limit)
        try:
            listener.listen(time.monotonic() + seconds, seconds)
            code = child.wait()
        finally:
            if child.returncode is None:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
    return Completed(code=code, output=listener.output(), messages=listener.messages())


def watch(
    command: Sequence[str], *, environment: Mapping[str, str], folder: Path, holding: int
) -> int:
    """Run ``command`` to its end, its words straight to the caller's standard error.

    It takes as long as it takes, and where this process is asked to end meanwhile, it is asked too,
    and waited for: whoever goes on then is alone. Asked once more, it is killed.
    ``holding``: a descriptor that it keeps open as long as it lives. Returns its exit code;
    negative: the signal that ended it.

    Raises:
        UnreadableError: it cannot be started.
    """
    try:
        child = subprocess.Popen(  # noqa: S603 - an argument list, and never a shell
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=2,
            env=dict(environment),
            cwd=folder,
            pass_fds=(holding,),
        )
    except (OSError, ValueError) as error:
        raise _unstartable(Path(command[0]), error) from error
    try:
        return child.wait()
    except BaseException:
        _end(child)
        raise


def _end(child: "subprocess.Popen[bytes]") -> None:
    """Ask a program to end, and wait for that, as Python itself does not after a Ctrl-C."""
    ask = child.terminate
    while child.returncode is None:
        try:  # around both: the next Ctrl-C may come at once
            ask()
            child.wait()
        except (KeyboardInterrupt, SystemExit):
            ask = child.kill


def become(program: Path, command: Sequence[str], environment: Mapping[str, str]) -> NoReturn:
    """Become ``program`` (``execve``): process id, streams, limits and control group stay.

    ``command``: its argument list, its own name first. Signals that Python ignores from its start
    on are set back, or the program would ignore them too.

    Raises:
        UnreadableError: it cannot be started, and this process goes on.
    """
    for name in ("SIGPIPE", "SIGXFSZ"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    try:
        os.execve(program, list(command), dict(environment))  # noqa: S606 - never a shell
    except (OSError, ValueError) as error:
        raise _unstartable(program, error) from error


def _unstartable(program: Path, error: OSError | ValueError) -> UnreadableError:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return UnreadableError(
        Problem(message=f"`{program}` cannot be started ({reason})", at=str(program))
    )


class _Listener:
    """Hears both streams of a program to their end, within limits."""

    def __init__(self, child: "subprocess.Popen[bytes]", program: Path, limit: int) -> None:
        if child.stdout is None or child.stderr is None:  # pragma: no cover - both are pipes
            raise AssertionError(program)
        self._child = child
        self._program = program
        self._left = limit
        self._limit = limit
        self._output, self._messages = child.stdout.fileno(), child.stderr.fileno()
        self._heard: dict[int, list[bytes]] = {self._output: [], self._messages: []}

    def listen(self, deadline: float, seconds: float) -> None:
        """Read until both streams end, the program has ended, or a limit is reached."""
        with selectors.DefaultSelector() as selector:
            for descriptor in self._heard:
                selector.register(descriptor, selectors.EVENT_READ)
            while selector.get_map():
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    raise self._late(seconds)
                ready = selector.select(min(remaining, _LINGERING_SECONDS))
                if not ready and self._child.poll() is not None:
                    return
                for key, _ in ready:
                    if not self._read(key.fd):
                        selector.unregister(key.fd)
        self._await_end(deadline, seconds)

    def _read(self, descriptor: int) -> bool:
        chunk = os.read(descriptor, _CHUNK)
        self._heard[descriptor].append(chunk)
        self._left -= len(chunk)
        if self._left < 0:
            raise UnreadableError(
                Problem(
                    message=f"`{self._program.name}` said more than {self._limit} bytes",
                    at=str(self._program),
                    hint="run the same command by hand and look at what it says",
                )
            )
        return bool(chunk)

    def _await_end(self, deadline: float, seconds: float) -> None:
        """Wait for a program that closed its streams before it ended."""
        try:
            self._child.wait(timeout=max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise self._late(seconds) from None

    def _late(self, seconds: float) -> UnreadableError:
        return UnreadableError(
            Problem(
                message=f"`{self._program.name}` gave no answer within {seconds:g} seconds",
                at=str(self._program),
                hint="try again when its index answers faster",
            )
        )

    def output(self) -> str:
        """Return what it wrote to standard output."""
        return b"".join(self._heard[self._output]).decode("utf-8", "replace")

    def messages(self) -> str:
        """Return what it wrote to standard error."""
        return b"".join(self._heard[self._messages]).decode("utf-8", "replace")
