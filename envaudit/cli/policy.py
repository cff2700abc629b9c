"""The subcommands of ``envaudit policy``."""

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

policy_commands = typer.Typer(
    help="The rules in force: list them, show one, test their examples.",
    no_args_is_help=False,
    rich_markup_mode=None,
)


@policy_commands.command("list")
def policy_list(
    policy: Policies = None,
    config: Config = None,
    no_builtin_policies: NoBuiltin = False,
    python: Python = None,
    form: Format = "text",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """List the rules in force, where they stand, and whether they meet something installed."""
    from envaudit.commands import policy as command

    judges = bench(policy, no_builtin=no_builtin_policies, fail_on=FailOn.ERROR, config=config)
    answer(
        "policy list",
        lambda: command.list_rules(surroundings(python), judges),
        form=form,
        output=output,
        quiet=quiet,
    )


@policy_commands.command("show")
def policy_show(
    identity: Annotated[str, typer.Argument(metavar="ID", help="The rule's id.")],
    policy: Policies = None,
    config: Config = None,
    no_builtin_policies: NoBuiltin = False,
    form: Format = "text",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Show what one rule says, why, and from which sources."""
    from envaudit.commands import policy as command

    judges = bench(policy, no_builtin=no_builtin_policies, fail_on=FailOn.ERROR, config=config)
    answer(
        "policy show",
        lambda: command.show_rule(surroundings(None), judges, identity=identity),
        form=form,
        output=output,
        quiet=quiet,
    )


@policy_commands.command("test")
def policy_test(
    policy: Policies = None,
    config: Config = None,
    no_builtin_policies: NoBuiltin = False,
    form: Format = "text",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Judge the examples that the rules in force bring with them."""
    from envaudit.commands import policy as command

    judges = bench(policy, no_builtin=no_builtin_policies, fail_on=FailOn.ERROR, config=config)
    answer(
        "policy test",
        lambda: command.test_examples(surroundings(None), judges),
        form=form,
        output=output,
        quiet=quiet,
    )
