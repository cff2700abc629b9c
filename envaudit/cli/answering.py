"""A report to stdout, remarks to stderr, and the exit code to the shell."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

import typer

from envaudit.exits import Exit
from envaudit.model.errors import EnvauditError, Problem, UnreadableError
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
    demand_format(form)
    try:
        report = think()
        _keep(report)
    except EnvauditError as error:
        report = failed(command, error)
    try:
        show(report, form, output)
    except EnvauditError as error:
        if output is None:
            raise
        report = failed(command, error)
        show(report, form, None)
    for problem in report.errors:
        write(sys.stderr, render_problem(problem, style(sys.stderr)))
    if not quiet:
        remark(report)
    raise typer.Exit(int(report.exit))


def _keep(report: Report) -> None:
    """Write what a report wants kept beside itself.

    Raises:
        UnreadableError: what the user asked to be kept cannot be written. What is only kept to
            spare the next run work is no reason to withhold an answer.
    """
    if report.kept is not None:
        from envaudit.effects.report_file import keep_plan

        keep_plan(report.kept)
    if report.patch is not None:
        from envaudit.effects.report_file import keep_patch

        keep_patch(report.patch)
    for kept in report.remembered:
        from envaudit.effects.report_file import keep_state

        try:
            keep_state(kept)
        except EnvauditError as error:
            complain(f"note: the next run can use nothing of this one: {error}")


def demand_format(form: str) -> None:
    """Refuse a format that there is not."""
    if form not in FORMATS:
        raise typer.BadParameter(
            f"`{form}` is not one of {', '.join(FORMATS)}", param_hint="--format"
        )


def show(report: Report, form: str, output: Path | None) -> None:
    """Render the report to stdout, or into a file.

    Raises:
        UnreadableError: it cannot be written.
    """
    text = FORMATS[form](report, style(sys.stdout) if output is None else Style())
    if output is None:
        write(sys.stdout, text)
    else:
        from envaudit.effects.report_file import keep_report

        keep_report(output, text)


def complain(line: str) -> None:
    """Say one line on stderr."""
    write(sys.stderr, f"{escape(line)}\n")


def teller(*, quiet: bool) -> Callable[[str], None]:
    """Return what says on stderr what is under way, as soon as it is."""
    return (lambda _: None) if quiet else (lambda line: complain(f"note: {line}"))


def remark(report: Report) -> None:
    """Say on stderr what a person should know beside the answer."""
    for note in report.notes:
        complain(f"note: {note}")


def failed(command: str, error: EnvauditError) -> Report:
    """Return the report of a command that could not judge."""
    verdict = Verdict.UNKNOWN if error.exit is Exit.UNKNOWN else None
    return Report(
        command=command,
        exit=error.exit,
        verdict=verdict,
        complete=False,
        errors=error.problems,
    )


def style(stream: TextIO | None) -> Style:
    """Colour only on a terminal that can, and never with ``NO_COLOR`` (no-color.org)."""
    capable = os.environ.get("TERM", "") not in {"", "dumb"}
    if stream is None:
        return Style()
    return Style(colour=capable and stream.isatty() and not os.environ.get("NO_COLOR"))


class ReaderGoneError(Exception):
    """Nobody reads what is written any more (``| head``, a closed descriptor)."""


def write(stream: TextIO | None, text: str) -> None:
    """Write ``text`` in the stream's encoding; what that cannot say is spelled out.

    Raises:
        ReaderGoneError: nobody reads it.
        UnreadableError: it cannot be written, on a full disk for example.
    """
    if stream is None:  # the descriptor was closed before the start: `>&-`
        raise ReaderGoneError
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except BrokenPipeError as error:
        raise ReaderGoneError from error
    except OSError as error:
        raise UnreadableError(
            Problem(message=f"the answer cannot be written ({error.strerror})", at=stream.name)
        ) from error
