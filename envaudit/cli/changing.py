"""The subcommands that change an environment, or say how: ``apply``, ``restore`` and ``fix``."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from envaudit.cli.answering import answer, teller
from envaudit.cli.meter import measured
from envaudit.cli.options import (
    Baseline,
    Config,
    Format,
    NoBuiltin,
    Output,
    Policies,
    Python,
    Quiet,
    VerifyFiles,
    bench,
    surroundings,
)
from envaudit.model.plan import Direction
from envaudit.model.report import FailOn, Report

if TYPE_CHECKING:
    from envaudit.commands.changing import Terms
    from envaudit.readers.inspection import Progress

Wait = Annotated[
    float, typer.Option("--wait", min=0, help="Seconds to wait for another change to be done.")
]

NoStash = Annotated[
    bool, typer.Option("--no-stash", help="Keep no copy of what is replaced or removed.")
]
Foreign = Annotated[
    bool, typer.Option("--foreign", help="Change an environment that is another user's.")
]
Keep = Annotated[bool, typer.Option("--keep", help="Leave a bad result in place, and exit with 1.")]


def _terms(*, no_stash: bool, keep: bool, foreign: bool, wait: float, quiet: bool) -> "Terms":
    from envaudit.commands.changing import Terms

    return Terms(
        stash=not no_stash, keep=keep, seconds=wait, foreign=foreign, tell=teller(quiet=quiet)
    )


def apply(
    command: Annotated[
        list[str] | None, typer.Argument(help="After --: the install command to carry out.")
    ] = None,
    plan: Annotated[
        Path | None, typer.Option("--plan", help="A plan that `gate --save` kept, instead.")
    ] = None,
    no_stash: NoStash = False,
    keep: Keep = False,
    foreign: Foreign = False,
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
    from envaudit.commands.hearing import Terms as Allowed

    judges = bench(policy, no_builtin=no_builtin_policies, fail_on=FailOn.ERROR, config=config)
    wish = applied.Wish(
        command=tuple(command or ()),
        plan=plan,
        terms=_terms(no_stash=no_stash, keep=keep, foreign=foreign, wait=wait, quiet=quiet),
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


def restore(
    reference: Annotated[
        str | None,
        typer.Argument(
            metavar="[SNAP]",
            help="A snapshot, or @interrupted: before the change that was; @last if not given.",
        ),
    ] = None,
    uv_flags: Annotated[
        list[str] | None, typer.Argument(help="After --: flags for uv, such as an index.")
    ] = None,
    apply_it: Annotated[bool, typer.Option("--apply", help="Do it, and not only say it.")] = False,
    no_stash: NoStash = False,
    keep: Keep = False,
    foreign: Foreign = False,
    wait: Wait = 10,
    python: Python = None,
    form: Format = "text",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Say how the environment comes back to a snapshot, and from where; or put it back."""
    from envaudit.commands import restore as command

    words = [word for word in (reference, *(uv_flags or ())) if word is not None]
    named = reference is not None and not reference.startswith("-")  # else it stood after `--`
    wish = command.Wish(
        reference=words[0] if named else "@last",
        flags=tuple(words[1:] if named else words),
        terms=_terms(no_stash=no_stash, keep=keep, foreign=foreign, wait=wait, quiet=quiet),
    )
    act = command.run if apply_it else command.plan
    answer(
        "restore",
        lambda: act(surroundings(python), wish),
        form=form,
        output=output,
        quiet=quiet,
    )


def fix(
    uv_flags: Annotated[
        list[str] | None, typer.Argument(help="After --: flags for uv, such as an index.")
    ] = None,
    baseline: Baseline = None,
    direction: Annotated[
        Direction | None, typer.Option("--direction", help="Which way to prefer.")
    ] = None,
    policy: Policies = None,
    config: Config = None,
    no_builtin_policies: NoBuiltin = False,
    verify_files: VerifyFiles = False,
    apply_it: Annotated[
        bool, typer.Option("--apply", help="Run it, and undo it if that fails.")
    ] = False,
    no_stash: NoStash = False,
    keep: Keep = False,
    foreign: Foreign = False,
    wait: Wait = 10,
    python: Python = None,
    form: Format = "text",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Print the command that repairs the environment, tried with uv and judged; or run it."""
    from envaudit.commands import fix as command

    judges = bench(policy, no_builtin=no_builtin_policies, fail_on=FailOn.ERROR, config=config)
    asked = tuple(uv_flags or ())

    def think(tell: Callable[["Progress"], None]) -> Report:
        verify = tell if verify_files else None
        if not apply_it:
            return command.run(
                surroundings(python),
                judges,
                baseline=baseline,
                direction=direction,
                flags=asked,
                verify=verify,
            )
        from envaudit.commands import repair

        wish = repair.Wish(
            baseline=baseline,
            direction=direction,
            flags=asked,
            verify=verify,
            terms=_terms(no_stash=no_stash, keep=keep, foreign=foreign, wait=wait, quiet=quiet),
        )
        return repair.run(surroundings(python), judges, wish)

    answer("fix", lambda: measured(think, quiet=quiet), form=form, output=output, quiet=quiet)
