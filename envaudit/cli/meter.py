"""How far a long command is: one line on a terminal's stderr, written over and over."""

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from envaudit.cli.answering import write
from envaudit.model.report import Report

if TYPE_CHECKING:
    from envaudit.readers.inspection import Progress

_MEBIBYTE = 1024 * 1024
_CLEAR = "\r\x1b[K"


def measured(run: Callable[[Callable[["Progress"], None]], Report], *, quiet: bool) -> Report:
    """Run what tells its progress, show that, and return its report."""
    meter = Meter(quiet=quiet)
    try:
        return run(meter.show)
    finally:
        meter.clear()


class Meter:
    """Shows progress, if a person is looking."""

    def __init__(self, *, quiet: bool) -> None:
        """Start the clock."""
        self._shown = False
        self._looking = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._began = time.monotonic()

    def show(self, progress: "Progress") -> None:
        """Show how far it is, and how fast."""
        if not self._looking:
            return
        self._shown = True
        rate = progress.size / _MEBIBYTE / max(time.monotonic() - self._began, 0.001)
        write(
            sys.stderr,
            f"{_CLEAR}{progress.files} of {progress.all_files} files, "
            f"{progress.size // _MEBIBYTE} of {progress.all_size // _MEBIBYTE} MiB, "
            f"{rate:.0f} MiB/s",
        )

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            write(sys.stderr, _CLEAR)
            self._shown = False
