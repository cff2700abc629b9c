"""``envaudit exec``: the one command after which another program goes on.

Standard output belongs to that program. Where none is started, the cause is one line on stderr, and
``--format json`` puts the report on stdout; ``-o`` keeps it in a file either way.
"""

from typing import Annotated

import typer

from envaudit.cli.answering import complain, demand_format, remark, show
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
    bench,
    surroundings,
)
from envaudit.exits import Exit
from envaudit.model.errors import EnvauditError
from envaudit.model.report import FailOn, OnUnknown


def start(
    command: Annotated[
        list[str] | None, typer.Argument(help="After --: the program to start.")
    ] = None,
    deadline: Annotated[
        float | None, typer.Option("--deadline", min=0.001, help="Seconds the check may take.")
    ] = None,
    on_unknown: Annotated[
        OnUnknown, typer.Option("--on-unknown", help="Where the environment cannot be judged.")
    ] = OnUnknown.REFUSE,
    path: Annotated[
        bool, typer.Option("--path", help="Put the environment's programs first on PATH.")
    ] = False,
    baseline: Baseline = None,
    policy: Policies = None,
    config: Config = None,
    no_builtin_policies: NoBuiltin = False,
    fail_on: Fails = FailOn.ERROR,
    python: Python = None,
    site: Site = None,
    form: Format = "text",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Check, and then become a program; refuse with exit code 78 where the check fails."""
    from envaudit.commands import exec as judged

    demand_format(form)
    terms = judged.Terms(baseline=baseline, on_unknown=on_unknown, seconds=deadline, path=path)
    judges = bench(policy, no_builtin=no_builtin_policies, fail_on=fail_on, config=config)
    report = judged.run(surroundings(python, site), judges, tuple(command or ()), terms)
    for line in report.lines:
        complain(line)
    if not quiet:
        remark(report)
    try:
        if output is not None or (form != "text" and report.start is None):
            show(report, form, output)
        if report.start is not None:
            from envaudit.effects.become import become

            become(report.start)
    except EnvauditError as error:
        complain(f"refused: {error}")
        raise typer.Exit(int(Exit.REFUSED)) from None
    raise typer.Exit(int(report.exit))
