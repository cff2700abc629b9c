"""Words from a shell to one call; its report to stdout, a file and an exit code.

The only owner of typer. A command is imported inside the function that runs it, so that ``check``
does not pay for ``demo``. Nothing is decided here: what a command concludes stands in its report.
"""

import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Annotated, NoReturn

import typer

from envaudit import __version__
from envaudit.cli.answering import ReaderGoneError, answer, style, write
from envaudit.cli.changing import apply, fix, restore
from envaudit.cli.exec import start
from envaudit.cli.meter import measured
from envaudit.cli.options import (
    Baseline,
    Config,
    Fails,
    Format,
    NoBuiltin,
    Output,
    Policies,
    Python,
    Quiet,
    Site,
    VerifyFiles,
    bench,
    surroundings,
)
from envaudit.cli.policy import policy_commands
from envaudit.cli.verify import verify
from envaudit.exits import Exit
from envaudit.model.errors import EnvauditError, Problem
from envaudit.model.report import FailOn, Report
from envaudit.render import FORMATS
from envaudit.render.style import Style
from envaudit.render.text import render_problem

application = typer.Typer(
    name="envaudit",
    help="Record, compare, judge and repair installed Python environments.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

application.add_typer(policy_commands, name="policy")
application.command()(verify)
application.command()(apply)
application.command()(fix)
application.command()(restore)
# What comes after the first word that is no option belongs to the program, `--` or not.
application.command("exec", context_settings={"allow_interspersed_args": False})(start)


@application.callback(invoke_without_command=True)
def _main(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        write(sys.stdout, f"envaudit {__version__}\n")
        raise typer.Exit
    if context.invoked_subcommand is None:
        write(sys.stderr, f"{context.get_help()}\n")
        raise typer.Exit(int(Exit.USAGE))


@application.command()
def snapshot(
    name: Annotated[
        str | None, typer.Option("--name", help="Keep it as snapshots/NAME.json.")
    ] = None,
    to: Annotated[str | None, typer.Option("--to", help="Keep it in this file.")] = None,
    keep: Annotated[
        int | None, typer.Option("--keep", help="Keep so many unnamed snapshots; the oldest go.")
    ] = None,
    listing: Annotated[bool, typer.Option("--list", help="List what is kept instead.")] = False,
    files: Annotated[
        bool,
        typer.Option("--files", help="Read all files; record those that RECORD is wrong about."),
    ] = False,
    python: Python = None,
    site: Site = None,
    form: Format = "text",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Record the environment, and print where; or list what is kept."""
    from envaudit.commands import snapshot as command

    answer(
        "snapshot",
        lambda: (
            command.list_kept(surroundings(python, site), name=name, to=to, keep=keep, files=files)
            if listing
            else measured(
                lambda tell: command.run(
                    surroundings(python, site),
                    name=name,
                    to=to,
                    keep=keep,
                    files=files,
                    tell=tell,
                ),
                quiet=quiet,
            )
        ),
        form=form,
        output=output,
        quiet=quiet,
    )


@application.command()
def diff(
    before: Annotated[str | None, typer.Argument(help="@last if not given.")] = None,
    after: Annotated[str | None, typer.Argument(help="The environment if not given.")] = None,
    python: Python = None,
    site: Site = None,
    form: Format = "text",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Say what changed between any two of: snapshot file, stored name, @last, @-2, environment."""
    from envaudit.commands import diff as command

    answer(
        "diff",
        lambda: command.run(surroundings(python, site), before=before, after=after),
        form=form,
        output=output,
        quiet=quiet,
    )


@application.command()
def check(
    subject: Annotated[
        str | None, typer.Argument(help="An environment or a snapshot; else the environment meant.")
    ] = None,
    baseline: Baseline = None,
    policy: Policies = None,
    config: Config = None,
    no_builtin_policies: NoBuiltin = False,
    fail_on: Fails = FailOn.ERROR,
    verify_files: VerifyFiles = False,
    python: Python = None,
    site: Site = None,
    form: Format = "text",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Judge an environment, or a snapshot of one, by the built-in checks and the policies."""
    from envaudit.commands import check as command

    judges = bench(policy, no_builtin=no_builtin_policies, fail_on=fail_on, config=config)
    answer(
        "check",
        lambda: measured(
            lambda tell: command.run(
                surroundings(python, site),
                judges,
                subject=subject,
                baseline=baseline,
                verify=verify_files,
                tell=tell,
            ),
            quiet=quiet,
        ),
        form=form,
        output=output,
        quiet=quiet,
    )


@application.command()
def gate(
    command: Annotated[
        list[str] | None, typer.Argument(help="After --: the install command to judge.")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse for what was there before, too.")
    ] = False,
    allow_build: Annotated[
        bool,
        typer.Option("--allow-build", help="Let uv build source trees, which runs their code."),
    ] = False,
    allow_undetermined: Annotated[
        list[str] | None,
        typer.Option("--allow-undetermined", help="A name that uv plans without a version."),
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", help="Keep the judged plan in this file, if it passes.")
    ] = None,
    snapshot: Annotated[
        str | None, typer.Option("--snapshot", help="Judge against a recorded environment.")
    ] = None,
    seconds: Annotated[
        float, typer.Option("--timeout", min=1, help="Seconds that uv may take for one answer.")
    ] = 300,
    policy: Policies = None,
    config: Config = None,
    no_builtin_policies: NoBuiltin = False,
    python: Python = None,
    form: Format = "text",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Say what an install command would do, judge that, and refuse before anything is touched."""
    from packaging.utils import canonicalize_name

    from envaudit.commands import gate as judged
    from envaudit.commands.hearing import Terms

    judges = bench(policy, no_builtin=no_builtin_policies, fail_on=FailOn.ERROR, config=config)
    terms = Terms(
        strict=strict,
        allow_build=allow_build,
        allow_undetermined=frozenset(map(canonicalize_name, allow_undetermined or ())),
        seconds=seconds,
        save=save,
    )
    answer(
        "gate",
        lambda: judged.run(
            surroundings(python), judges, tuple(command or ()), terms, snapshot=snapshot
        ),
        form=form,
        output=output,
        quiet=quiet,
    )


@application.command()
def demo(form: Format = "text", output: Output = None, quiet: Quiet = False) -> None:
    """Watch the founding incident happen, be caught and be repaired, in scratch environments."""
    from envaudit.commands import demo as command

    answer(
        "demo",
        lambda: command.run(surroundings(None), tell=_teller(form, output)),
        form=form,
        output=output,
        quiet=quiet,
    )


@application.command()
def why(
    name: Annotated[str, typer.Argument(help="The distribution.")],
    subject: Annotated[
        str | None, typer.Argument(help="An environment or a snapshot; else the environment meant.")
    ] = None,
    python: Python = None,
    site: Site = None,
    form: Format = "text",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Say every way by which the environment needs a distribution."""
    from envaudit.commands import why as command

    answer(
        "why",
        lambda: command.run(surroundings(python, site), name=name, subject=subject),
        form=form,
        output=output,
        quiet=quiet,
    )


@application.command()
def explain(
    code: Annotated[str | None, typer.Argument(help="A finding's code; all if not given.")] = None,
    form: Format = "text",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Say what a finding means, why it matters, and how it is repaired."""
    from envaudit.commands import explain as command

    answer("explain", lambda: command.run(code=code), form=form, output=output, quiet=quiet)


def _teller(form: str, output: Path | None) -> Callable[[str], None]:
    """Return what shows a line while the command still runs; only a person wants that."""
    if form != "text" or output is not None:
        return lambda _: None
    return lambda line: write(sys.stdout, line)


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code."""
    signal.signal(signal.SIGTERM, _terminate)
    try:
        code = _run(arguments)
    except ReaderGoneError:
        code = 128 + signal.SIGPIPE  # nothing is wrong, and nothing more can be said
    except EnvauditError:
        code = Exit.UNKNOWN  # the answer could not be written, nor could why
    finally:
        _let_go()
    return _code(arguments, code)


_UNSTARTED = frozenset({Exit.USAGE, Exit.UNKNOWN, Exit.FAULT, 128 + signal.SIGPIPE})


def _code(arguments: Sequence[str], code: int) -> int:
    """Return ``code``; of ``exec``, what keeps a service from being restarted for ever."""
    if code in _UNSTARTED and next(iter(arguments), None) == "exec":
        return Exit.REFUSED
    return code


def _let_go() -> None:
    """Give what cannot be written somewhere to go: Python flushes once more on its way out."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _run(arguments: Sequence[str]) -> int:
    """Run one command line. The only place that catches everything."""
    try:
        return int(application(list(arguments), standalone_mode=False) or 0)
    except typer.TyperException as error:
        hint = "`envaudit --help` lists the commands and their options"
        problem = Problem(message=error.format_message(), hint=hint)
        return _refuse(arguments, problem, Exit.USAGE)
    except (KeyboardInterrupt, typer.Abort):
        return 128 + signal.SIGINT
    except ReaderGoneError:
        raise
    except EnvauditError as error:
        return _refuse(arguments, error.problems[0], error.exit)
    except Exception as error:  # noqa: BLE001 - a fault of ours, said as one
        return _refuse(arguments, *_unforeseen(error))


def _unforeseen(error: Exception) -> tuple[Problem, Exit]:
    """Return what to say of an exception that nobody caught: nearly always a fault of ours.

    Help is written by typer itself, to a disk that may be full. That has no file name; what cannot
    be opened has one.
    """
    if isinstance(error, OSError) and error.filename is None:
        problem = Problem(message=f"the answer cannot be written ({error.strerror})")
        return problem, Exit.UNKNOWN
    problem = Problem(
        message=f"a fault of envaudit itself: {type(error).__name__}: {error}",
        hint="report it with the lines above",
        excerpt="".join(traceback.format_exception(error)).strip(),
    )
    return problem, Exit.FAULT


def _refuse(arguments: Sequence[str], problem: Problem, code: Exit) -> int:
    """Say why there is no answer, in the format that was asked for too, and return ``code``."""
    asked = zip(("", *arguments), arguments, strict=False)
    if any("--format=json" in pair or pair == ("--format", "json") for pair in asked):
        command = next((word for word in arguments if not word.startswith("-")), "")
        shown = Exit(_code(arguments, code))
        report = Report(command=command, exit=shown, complete=False, errors=(problem,))
        write(sys.stdout, FORMATS["json"](report, Style()))
    write(sys.stderr, render_problem(problem, style(sys.stderr)))
    return code


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    """Leave by way of an exception, so that scratch folders are removed."""
    del frame
    sys.exit(128 + number)
