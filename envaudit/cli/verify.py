"""The subcommand ``envaudit verify``."""

from typing import Annotated

import typer

from envaudit.cli.answering import answer
from envaudit.cli.meter import measured
from envaudit.cli.options import (
    Baseline,
    Fails,
    Format,
    Output,
    Python,
    Quiet,
    Site,
    surroundings,
)
from envaudit.model.report import FailOn

NoCache = Annotated[
    bool, typer.Option("--no-cache", help="Read every file, even what has not changed.")
]

Deep = Annotated[
    bool, typer.Option("--deep", help="Compile sources; compare the bytecode beside them.")
]


def verify(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Distributions; else all.")
    ] = None,
    baseline: Baseline = None,
    no_cache: NoCache = False,
    deep: Deep = False,
    fail_on: Fails = FailOn.ERROR,
    python: Python = None,
    site: Site = None,
    form: Format = "text",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Say whether the files on disk are the ones that were installed."""
    from envaudit.commands import verify as command

    terms = command.Terms(
        names=tuple(names or ()),
        baseline=baseline,
        cache=not no_cache,
        deep=deep,
        fail_on=fail_on,
    )
    answer(
        "verify",
        lambda: measured(
            lambda tell: command.run(surroundings(python, site), terms, tell=tell), quiet=quiet
        ),
        form=form,
        output=output,
        quiet=quiet,
    )
