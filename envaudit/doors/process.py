"""The door to other programs: an argument list, an absolute binary, a time and an output limit."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from envaudit.model.errors import Problem, UnreadableError

_OUTPUT_LIMIT = 16 * 1024 * 1024


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
) -> Completed:
    """Run ``command`` (its first word an absolute path) to its end and return what it said.

    Both streams go to unnamed files, so that a program that floods them fills no memory; each is
    read up to 16 MiB. The program has no standard input, and a process group of its own that is
    killed as a whole when the time is over.

    Raises:
        UnreadableError: it cannot be started, takes longer than ``seconds``, or says too much.
    """
    program = Path(command[0])
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as messages:
        try:
            child = subprocess.Popen(  # noqa: S603 - an argument list, and never a shell
                list(command),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=messages,
                env=dict(environment),
                cwd=folder,
                start_new_session=True,
            )
        except OSError as error:
            raise UnreadableError(
                Problem(
                    message=f"`{program}` cannot be started ({error.strerror})",
                    at=str(program),
                )
            ) from error
        try:
            code = child.wait(timeout=seconds)
        except subprocess.TimeoutExpired as error:
            raise UnreadableError(
                Problem(
                    message=f"`{program.name}` gave no answer within {seconds:g} seconds",
                    at=str(program),
                    hint="try again when its index answers faster",
                )
            ) from error
        finally:
            if child.returncode is None:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
        return Completed(
            code=code,
            output=_text(output.fileno(), program),
            messages=_text(messages.fileno(), program),
        )


def _text(descriptor: int, program: Path) -> str:
    size = os.fstat(descriptor).st_size
    if size > _OUTPUT_LIMIT:
        raise UnreadableError(
            Problem(
                message=f"`{program.name}` said {size} bytes, more than are read",
                at=str(program),
            )
        )
    return os.pread(descriptor, _OUTPUT_LIMIT, 0).decode("utf-8", "replace")
