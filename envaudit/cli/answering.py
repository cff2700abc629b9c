"""A report to stdout, remarks to stderr, and the exit code to the shell."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

import typer

from envaudit.exits import Exit
from envaudit.model.errors import EnvauditError
from envaudit.model.report import Report, Verdict
from envaudit.render import FORMATS
from envaudit.render.style import Style, escape
from envaudit.render.text import render_problem


def answer(
    command: str,
    think: Callable[[], Report],
    *,
    form: str,
    output: Path | None,
    quiet: bool,
) -> None:
    """Run a command, show its report, keep it if asked to, and leave with its exit code."""
    if form not in FORMATS:
        raise typer.BadParameter(
            f"`{form}` is not one of {', '.join(FORMATS)}", param_hint="--format"
        )
    try:
        report = think()
    except EnvauditError as error:
        report = _failed(command, error)
    text = FORMATS[form](report, style(sys.stdout) if output is None else Style())
    try:
        if output is None:
            write(sys.stdout, text)
        else:
            from envaudit.effects.state_file import keep_report

            keep_report(output, text)
    except EnvauditError as error:
        report = _failed(command, error)
    for problem in report.errors:
        write(sys.stderr, render_problem(problem, style(sys.stderr)))
    if not quiet:
        for note in report.notes:
            write(sys.stderr, f"note: {escape(note)}\n")
    raise typer.Exit(int(report.exit))


def _failed(command: str, error: EnvauditError) -> Report:
    verdict = Verdict.UNKNOWN if error.exit is Exit.UNKNOWN else None
    return Report(
        command=command,
        exit=error.exit,
        verdict=verdict,
        complete=False,
        errors=error.problems,
    )


def style(stream: TextIO) -> Style:
    """Colour only on a terminal that can, and never with ``NO_COLOR`` (no-color.org)."""
    capable = os.environ.get("TERM", "") not in {"", "dumb"}
    return Style(colour=capable and stream.isatty() and not os.environ.get("NO_COLOR"))


def write(stream: TextIO, text: str) -> None:
    """Write ``text`` in the stream's encoding; what that cannot say is spelled out."""
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()
