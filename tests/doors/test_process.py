"""The door to other programs: limits of time and output, with limits small enough to be reached."""

import os
import sys
from pathlib import Path

import pytest

from envaudit.doors.process import Completed, run, watch
from envaudit.model.errors import UnreadableError
from tests.kit.hostile import write_program

# Interrupts whoever watches it; asked to end it interrupts them again, and goes on.
_STUBBORN = """\
import os, signal, sys
def interrupt(*_):
    os.kill(os.getppid(), signal.SIGINT)
signal.signal(signal.SIGTERM, interrupt)
with open(sys.argv[1], "w") as file:
    file.write(str(os.getpid()))
interrupt()
while True:
    signal.pause()
"""


def _run(program: Path, *, seconds: float = 60.0, limit: int = 1000) -> Completed:
    return run((str(program),), environment={}, folder=Path("/"), seconds=seconds, limit=limit)


def test_both_streams_and_the_exit_code_are_heard(tmp_path: Path) -> None:
    program = write_program(tmp_path / "uv", "echo answer", "echo remark >&2", "exit 7")

    assert _run(program) == Completed(code=7, output="answer\n", messages="remark\n")


def test_undecodable_bytes_are_replaced(tmp_path: Path) -> None:
    assert _run(write_program(tmp_path / "uv", "printf '\\377'")).output == "\ufffd"


@pytest.mark.parametrize("stream", ["1", "2"])
def test_a_program_that_says_too_much_is_stopped(stream: str, tmp_path: Path) -> None:
    program = write_program(tmp_path / "uv", f"while :; do echo flood >&{stream}; done")

    with pytest.raises(UnreadableError, match="`uv` said more than 1000 bytes"):
        _run(program)


def test_a_program_that_never_answers_is_stopped_with_its_children(tmp_path: Path) -> None:
    """Both block on a FIFO that nobody writes to; the child holds the streams open."""
    program = write_program(
        tmp_path / "uv", f"read x < {tmp_path}/fifo &", f"read x < {tmp_path}/fifo"
    )
    os.mkfifo(tmp_path / "fifo")

    with pytest.raises(UnreadableError, match=r"`uv` gave no answer within 0.1 seconds"):
        _run(program, seconds=0.1)


def test_a_program_that_closes_its_streams_and_stays_is_stopped(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    program = write_program(tmp_path / "uv", "exec 3>&- >&- 2>&-", f"read x < {tmp_path}/fifo")

    with pytest.raises(UnreadableError, match="gave no answer"):
        _run(program, seconds=0.1)


def test_a_daemon_that_keeps_the_streams_open_is_not_waited_for(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    program = write_program(tmp_path / "uv", f"{{ read x; }} < {fifo} &", "echo done")

    assert _run(program).output == "done\n"
    with fifo.open("wb"):  # the daemon was waiting for somebody to write, and ends
        pass


@pytest.mark.parametrize(
    ("path", "reason"), [("absent", "No such file"), ("text", "Permission denied")]
)
def test_what_cannot_be_started_is_told(path: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no program", encoding="utf-8")

    with pytest.raises(UnreadableError, match=f"cannot be started .*{reason}"):
        _run(tmp_path / path)


def test_a_watched_program_has_ended_when_an_interrupt_is_heard_of(tmp_path: Path) -> None:
    """Python itself stops waiting for it after a Ctrl-C, and it would go on beside what follows."""
    program = (sys.executable, "-c", _STUBBORN, str(tmp_path / "number"))

    with pytest.raises(KeyboardInterrupt):
        watch(program, environment={}, folder=tmp_path, holding=0)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "number").read_text()), 0)
