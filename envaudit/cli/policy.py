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
    help="The rules in force: list, show, test, add, waive and suggest.",
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


@policy_commands.command("add")
def policy_add(
    compare: Annotated[str, typer.Argument(help='The rule: "a == b", "cuda(a) == cuda(b)".')],
    reason: Annotated[str, typer.Option("--reason", help="What goes wrong otherwise.")],
    identity: Annotated[str | None, typer.Option("--id", help="The rule's id.")] = None,
    source: Annotated[list[str] | None, typer.Option("--source", help="Where it is said.")] = None,
    severity: Annotated[str | None, typer.Option("--severity", help="How heavy it is.")] = None,
    when: Annotated[list[str] | None, typer.Option("--when", help="A condition.")] = None,
    policy: Policies = None,
    config: Config = None,
    form: Format = "text",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Write a rule into the first policy file of your own."""
    from envaudit.commands import policy_change as command

    rule = command.NewRule(
        compare=compare,
        reason=reason,
        identity=identity,
        sources=tuple(source or ()),
        severity=severity,
        when=tuple(when or ()),
    )
    judges = bench(policy, no_builtin=False, fail_on=FailOn.ERROR, config=config)
    answer(
        "policy add",
        lambda: command.add(surroundings(None), judges, rule),
        form=form,
        output=output,
        quiet=quiet,
    )


@policy_commands.command("waive")
def policy_waive(
    identity: Annotated[str, typer.Argument(metavar="ID", help="A rule's id, or a check's code.")],
    until: Annotated[
        str, typer.Option("--until", metavar="YYYY-MM-DD", help="The last day of it.")
    ],
    reason: Annotated[str, typer.Option("--reason", help="Why it is accepted.")],
    distribution: Annotated[
        list[str] | None, typer.Option("--distribution", help="Only where it names this one.")
    ] = None,
    policy: Policies = None,
    config: Config = None,
    form: Format = "text",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Write a dated exception into the first policy file of your own."""
    from envaudit.commands import policy_change as command

    judges = bench(policy, no_builtin=False, fail_on=FailOn.ERROR, config=config)
    answer(
        "policy waive",
        lambda: command.waive(
            surroundings(None),
            judges,
            identity=identity,
            until=until,
            reason=reason,
            distributions=tuple(distribution or ()),
        ),
        form=form,
        output=output,
        quiet=quiet,
    )


@policy_commands.command("suggest")
def policy_suggest(
    snapshots: Annotated[list[str], typer.Argument(metavar="SNAP…", help="Snapshots, in time.")],
    policy: Policies = None,
    config: Config = None,
    no_builtin_policies: NoBuiltin = False,
    form: Format = "text",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Propose rules for siblings that stood together, as a policy ready to commit."""
    from envaudit.commands import policy_suggest as command

    judges = bench(policy, no_builtin=no_builtin_policies, fail_on=FailOn.ERROR, config=config)
    answer(
        "policy suggest",
        lambda: command.run(surroundings(None), judges, references=snapshots),
        form=form,
        output=output,
        quiet=quiet,
    )
