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
from typing import TYPE_CHECKING, Annotated, NoReturn, TextIO

import typer

from envaudit import __version__
from envaudit.exits import Exit
from envaudit.model.errors import EnvauditError, Problem
from envaudit.model.plan import Direction
from envaudit.model.report import FailOn, Report, Verdict
from envaudit.render import FORMATS
from envaudit.render.style import Style, escape
from envaudit.render.text import render_problem

if TYPE_CHECKING:
    from envaudit.commands.judging import Bench
    from envaudit.commands.surroundings import Surroundings

application = typer.Typer(
    name="envaudit",
    help="Record, compare, judge and repair installed Python environments.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Python = Annotated[
    str | None,
    typer.Option("--python", "-p", help="The environment: its folder or its interpreter."),
]
Site = Annotated[
    str | None,
    typer.Option("--site", help="A plain folder of distributions, instead of an environment."),
]
Format = Annotated[str, typer.Option("--format", help="How to answer: text or json.")]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write the report to this file instead.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No remarks on stderr.")]
Policies = Annotated[
    list[str] | None,
    typer.Option("--policy", help="A policy file or a folder of them; may be repeated."),
]
NoBuiltin = Annotated[
    bool, typer.Option("--no-builtin-policies", help="Judge without the built-in pack.")
]
Fails = Annotated[FailOn, typer.Option("--fail-on", help="From which severity on to exit with 1.")]
Baseline = Annotated[
    str | None,
    typer.Option("--baseline", help="The snapshot to compare with: a file, a name or @last."),
]


def _surroundings(python: str | None, site: str | None = None) -> "Surroundings":
    from envaudit.commands.surroundings import Surroundings

    return Surroundings(variables=dict(os.environ), folder=Path.cwd(), python=python, site=site)


def _bench(policies: list[str] | None, *, no_builtin: bool, fail_on: FailOn) -> "Bench":
    from envaudit.commands.judging import Bench

    return Bench(paths=tuple(policies or ()), builtin=not no_builtin, fail_on=fail_on)


@application.callback(invoke_without_command=True)
def _main(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        sys.stdout.write(f"envaudit {__version__}\n")
        raise typer.Exit
    if context.invoked_subcommand is None:
        _write(sys.stderr, f"{context.get_help()}\n")
        raise typer.Exit(int(Exit.USAGE))


@application.command()
def snapshot(
    name: Annotated[
        str | None, typer.Option("--name", help="Keep it as snapshots/NAME.json.")
    ] = None,
    to: Annotated[str | None, typer.Option("--to", help="Keep it in this file.")] = None,
    python: Python = None,
    site: Site = None,
    form: Format = "text",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Record the environment, and print where."""
    from envaudit.commands import snapshot as command

    _answer(
        "snapshot",
        lambda: command.run(_surroundings(python, site), name=name, to=to),
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

    _answer(
        "diff",
        lambda: command.run(_surroundings(python, site), before=before, after=after),
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
    no_builtin_policies: NoBuiltin = False,
    fail_on: Fails = FailOn.ERROR,
    python: Python = None,
    site: Site = None,
    form: Format = "text",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Judge an environment, or a snapshot of one, by the built-in checks and the policies."""
    from envaudit.commands import check as command

    bench = _bench(policy, no_builtin=no_builtin_policies, fail_on=fail_on)
    _answer(
        "check",
        lambda: command.run(_surroundings(python, site), bench, subject=subject, baseline=baseline),
        form=form,
        output=output,
        quiet=quiet,
    )


@application.command()
def fix(
    uv_flags: Annotated[
        list[str] | None, typer.Argument(help="After --: flags for uv, such as an index.")
    ] = None,
    baseline: Baseline = None,
    direction: Annotated[
        Direction | None, typer.Option("--direction", help="Which way to prefer.")
    ] = None,
    policy: Policies = None,
    no_builtin_policies: NoBuiltin = False,
    python: Python = None,
    form: Format = "text",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Print the command that repairs the environment, tried with uv and judged beforehand."""
    from envaudit.commands import fix as command

    bench = _bench(policy, no_builtin=no_builtin_policies, fail_on=FailOn.ERROR)
    _answer(
        "fix",
        lambda: command.run(
            _surroundings(python),
            bench,
            baseline=baseline,
            direction=direction,
            flags=tuple(uv_flags or ()),
        ),
        form=form,
        output=output,
        quiet=quiet,
    )


@application.command()
def demo(form: Format = "text", output: Output = None, quiet: Quiet = False) -> None:
    """Watch the founding incident happen, be caught and be repaired, in scratch environments."""
    from envaudit.commands import demo as command

    _answer(
        "demo",
        lambda: command.run(_surroundings(None), tell=_teller(form, output)),
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

    _answer(
        "why",
        lambda: command.run(_surroundings(python, site), name=name, subject=subject),
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

    _answer("explain", lambda: command.run(code=code), form=form, output=output, quiet=quiet)


policy_commands = typer.Typer(
    help="The rules in force: list them, show one, test their examples.",
    no_args_is_help=False,
    rich_markup_mode=None,
)
application.add_typer(policy_commands, name="policy")


@policy_commands.command("list")
def policy_list(
    policy: Policies = None,
    no_builtin_policies: NoBuiltin = False,
    python: Python = None,
    form: Format = "text",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """List the rules in force, where they stand, and whether they meet something installed."""
    from envaudit.commands import policy as command

    bench = _bench(policy, no_builtin=no_builtin_policies, fail_on=FailOn.ERROR)
    _answer(
        "policy list",
        lambda: command.list_rules(_surroundings(python), bench),
        form=form,
        output=output,
        quiet=quiet,
    )


@policy_commands.command("show")
def policy_show(
    identity: Annotated[str, typer.Argument(metavar="ID", help="The rule's id.")],
    policy: Policies = None,
    no_builtin_policies: NoBuiltin = False,
    form: Format = "text",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Show what one rule says, why, and from which sources."""
    from envaudit.commands import policy as command

    bench = _bench(policy, no_builtin=no_builtin_policies, fail_on=FailOn.ERROR)
    _answer(
        "policy show",
        lambda: command.show_rule(_surroundings(None), bench, identity=identity),
        form=form,
        output=output,
        quiet=quiet,
    )


@policy_commands.command("test")
def policy_test(
    policy: Policies = None,
    no_builtin_policies: NoBuiltin = False,
    form: Format = "text",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Judge the examples that the rules in force bring with them."""
    from envaudit.commands import policy as command

    bench = _bench(policy, no_builtin=no_builtin_policies, fail_on=FailOn.ERROR)
    _answer(
        "policy test",
        lambda: command.test_examples(_surroundings(None), bench),
        form=form,
        output=output,
        quiet=quiet,
    )


def _teller(form: str, output: Path | None) -> Callable[[str], None]:
    """Return what shows a line while the command still runs; only a person wants that."""
    if form != "text" or output is not None:
        return lambda _: None
    return lambda line: _write(sys.stdout, line)


def _answer(
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
    text = FORMATS[form](report, _style(sys.stdout) if output is None else Style())
    try:
        if output is None:
            _write(sys.stdout, text)
        else:
            from envaudit.effects.state_file import keep_report

            keep_report(output, text)
    except EnvauditError as error:
        report = _failed(command, error)
    for problem in report.errors:
        _write(sys.stderr, render_problem(problem, _style(sys.stderr)))
    if not quiet:
        for note in report.notes:
            _write(sys.stderr, f"note: {escape(note)}\n")
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


def _style(stream: TextIO) -> Style:
    """Colour only on a terminal that can, and never with ``NO_COLOR`` (no-color.org)."""
    capable = os.environ.get("TERM", "") not in {"", "dumb"}
    return Style(colour=capable and stream.isatty() and not os.environ.get("NO_COLOR"))


def _write(stream: TextIO, text: str) -> None:
    """Write ``text`` in the stream's encoding; what that cannot say is spelled out."""
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code. The only place that catches everything."""
    signal.signal(signal.SIGTERM, _terminate)
    try:
        return int(application(list(arguments), standalone_mode=False) or 0)
    except typer.TyperException as error:
        hint = "`envaudit --help` lists the commands and their options"
        problem = Problem(message=error.format_message(), hint=hint)
        _write(sys.stderr, render_problem(problem, _style(sys.stderr)))
        return Exit.USAGE
    except (KeyboardInterrupt, typer.Abort):
        return 128 + signal.SIGINT
    except BrokenPipeError:
        # The reader has left (`| head`): nothing is wrong, and nothing more can be said. Python
        # would flush stdout once more on its way out, so give it somewhere to flush to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except Exception as error:  # noqa: BLE001 - a fault of ours, said as one
        problem = Problem(
            message=f"a fault of envaudit itself: {type(error).__name__}: {error}",
            hint="report it with the lines below",
        )
        _write(sys.stderr, render_problem(problem, _style(sys.stderr)))
        _write(
            sys.stderr,
            "".join(f"  {escape(line)}\n" for line in traceback.format_exc().split("\n")),
        )
        return Exit.FAULT


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    """Leave by way of an exception, so that scratch folders are removed."""
    del frame
    sys.exit(128 + number)
