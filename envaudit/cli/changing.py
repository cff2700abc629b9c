"""The subcommands that change an environment: ``envaudit apply`` and ``envaudit restore``."""

from pathlib import Path
from typing import Annotated

import typer

from envaudit.cli.answering import answer
from envaudit.cli.options import (
    Config,
    Format,
    NoBuiltin,
    Output,
    Policies,
    Python,
    Quiet,
    bench,
    surroundings,
)
from envaudit.model.report import FailOn

Wait = Annotated[
    float, typer.Option("--wait", min=0, help="Seconds to wait for another change to be done.")
]


def apply(
    command: Annotated[
        list[str] | None, typer.Argument(help="After --: the install command to carry out.")
    ] = None,
    plan: Annotated[
        Path | None, typer.Option("--plan", help="A plan that `gate --save` kept, instead.")
    ] = None,
    no_stash: Annotated[
        bool, typer.Option("--no-stash", help="Keep no copy of what is replaced or removed.")
    ] = False,
    keep: Annotated[
        bool, typer.Option("--keep", help="Leave a bad result in place, and exit with 1.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse for what was there before, too.")
    ] = False,
    seconds: Annotated[
        float, typer.Option("--timeout", min=1, help="Seconds that uv may take for one answer.")
    ] = 300,
    wait: Wait = 10,
    policy: Policies = None,
    config: Config = None,
    no_builtin_policies: NoBuiltin = False,
    python: Python = None,
    form: Format = "text",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Judge an install command, carry it out, judge the result, and undo it if that is bad."""
    from envaudit.commands import apply as applied
    from envaudit.commands.changing import Terms
    from envaudit.commands.hearing import Terms as Allowed

    judges = bench(policy, no_builtin=no_builtin_policies, fail_on=FailOn.ERROR, config=config)
    wish = applied.Wish(
        command=tuple(command or ()),
        plan=plan,
        terms=Terms(stash=not no_stash, keep=keep, strict=strict),
        seconds=wait,
    )
    answer(
        "apply",
        lambda: applied.run(
            surroundings(python), judges, wish, Allowed(strict=strict, seconds=seconds)
        ),
        form=form,
        output=output,
        quiet=quiet,
    )
