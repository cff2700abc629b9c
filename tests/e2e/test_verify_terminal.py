"""What a person sees of a long run: how far it is, how fast, and what Ctrl-C leaves."""

import json
import os
import pty
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.bare import Bare
from tests.kit.commands import COMMAND
from tests.kit.environments import hermetic_variables
from tests.kit.records import digest
from tests.kit.verifying import make_installed

HOLE_BYTES = 1000 * 1024 * 1024


@pytest.fixture
def bare(tmp_path: Path) -> Bare:
    """Return an environment with a file that takes seconds to read, and no space on the disk."""
    bare = make_installed(tmp_path / "environment")
    with (bare.site / "pkg" / "data.bin").open("r+b") as file:
        file.truncate(HOLE_BYTES)
    record = bare.site / "pkg-1.dist-info" / "RECORD"
    record.write_text(record.read_text().replace(",99\n", f",{HOLE_BYTES}\n"))
    return bare


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    """Return both ends of a terminal."""
    ours, theirs = pty.openpty()
    yield ours, theirs
    os.close(ours)


def _start(bare: Bare, terminal: tuple[int, int], tmp_path: Path) -> "subprocess.Popen[bytes]":
    program = subprocess.Popen(
        [*COMMAND, "verify", "--no-cache", "--format", "json", "--python", str(bare.root)],
        stdout=subprocess.PIPE,
        stderr=terminal[1],
        env={**hermetic_variables(tmp_path / "home"), "TERM": "xterm"},
    )
    os.close(terminal[1])
    return program


def _await_progress(ours: int) -> str:
    """Read the terminal until it shows how far the run is."""
    seen = ""
    while "MiB/s" not in seen:
        seen += os.read(ours, 4096).decode()
    return seen


def _add_many(bare: Bare) -> None:
    """Install so many files more that processes read them."""
    with (bare.site / "pkg-1.dist-info" / "RECORD").open("a") as record:
        for number in range(2_000):
            bare.put(f"pkg/m{number}.py", b"")
            record.write(f"pkg/m{number}.py,{digest(b'')},0\n")


@pytest.mark.parametrize("many", [False, True], ids=["threads", "processes"])
def test_ctrl_c_leaves_a_partial_result_that_says_so(
    bare: Bare, terminal: tuple[int, int], tmp_path: Path, *, many: bool
) -> None:
    if many:
        _add_many(bare)
    with _start(bare, terminal, tmp_path) as program:
        _await_progress(terminal[0])
        program.send_signal(signal.SIGINT)
        assert program.stdout is not None
        report = json.loads(program.stdout.read())

    assert program.returncode == 3
    assert (report["complete"], report["verdict"]) == (False, "unknown")
    assert [error["message"] for error in report["errors"]] == [
        "it was interrupted before every file was read"
    ]


def test_a_terminal_shows_how_far_it_is_and_the_line_goes_away(
    bare: Bare, terminal: tuple[int, int], tmp_path: Path
) -> None:
    with _start(bare, terminal, tmp_path) as program:
        seen = _await_progress(terminal[0])
        assert program.stdout is not None
        report = json.loads(program.stdout.read())
        while not seen.endswith("\r\x1b[K"):
            seen += os.read(terminal[0], 4096).decode()

    sizes = [int(size) for size in re.findall(r" files, (\d+) of 1000 MiB, ", seen)]
    assert sizes == sorted(sizes)
    assert len(set(sizes)) > 2, "it grows while the one large file is read"
    assert [finding["code"] for finding in report["findings"]] == ["files-modified"]
