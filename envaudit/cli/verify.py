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

AsPatch = Annotated[
    bool,
    typer.Option("--patch", help="Write the edits into the file of -o, for `patch -p1`."),
]


def verify(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]... [-- UV-FLAGS]",
            help="Distributions; else all. With --patch: flags for uv, such as an index.",
        ),
    ] = None,
    baseline: Baseline = None,
    no_cache: NoCache = False,
    deep: Deep = False,
    patch: AsPatch = False,
    fail_on: Fails = FailOn.ERROR,
    python: Python = None,
    site: Site = None,
    form: Format = "text",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Say whether the files on disk are the ones that were installed."""
    from envaudit.commands import verify as command

    if patch and output is None:
        raise typer.BadParameter("`--patch` needs a file to write: `-o FILE`", param_hint="--patch")
    words = names or []
    split = next((at for at, word in enumerate(words) if word.startswith("-")), len(words))
    terms = command.Terms(
        names=tuple(words[:split]),
        flags=tuple(words[split:]),
        patch=output if patch else None,
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
        output=None if patch else output,
        quiet=quiet,
    )
