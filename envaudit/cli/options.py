"""The options that several commands have, once, and what is made of them."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from envaudit.model.report import FailOn

if TYPE_CHECKING:
    from envaudit.commands.judging import Bench
    from envaudit.commands.surroundings import Surroundings

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
VerifyFiles = Annotated[
    bool, typer.Option("--verify", help="Read all files, too: see `envaudit verify`.")
]
Policies = Annotated[
    list[str] | None,
    typer.Option("--policy", help="A policy file or a folder of them; may be repeated."),
]
Config = Annotated[
    str | None, typer.Option("--config", help="A configuration file instead of ./envaudit.toml.")
]
NoBuiltin = Annotated[
    bool, typer.Option("--no-builtin-policies", help="Judge without the built-in pack.")
]
Fails = Annotated[FailOn, typer.Option("--fail-on", help="From which severity on to exit with 1.")]
Baseline = Annotated[
    str | None,
    typer.Option("--baseline", help="The snapshot to compare with: a file, a name or @last."),
]


def surroundings(python: str | None, site: str | None = None) -> "Surroundings":
    """Return where this call runs, and what ``--python`` and ``--site`` say."""
    from envaudit.commands.surroundings import Surroundings

    return Surroundings(variables=dict(os.environ), folder=Path.cwd(), python=python, site=site)


def bench(
    policies: list[str] | None, *, no_builtin: bool, fail_on: FailOn, config: str | None = None
) -> "Bench":
    """Return by which policies is judged, and from when on it fails."""
    from envaudit.commands.judging import Bench

    return Bench(
        paths=tuple(policies or ()),
        builtin=not no_builtin,
        fail_on=fail_on,
        configuration=config,
    )
