"""``envaudit exec -- CMD``: check, and then become CMD, or say in one line why not.

Judged is what ``check`` judges. The program is a value of the report: this command starts nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from envaudit.commands import check
from envaudit.commands.judging import Bench, fatal
from envaudit.commands.surroundings import Surroundings
from envaudit.doors import disk
from envaudit.doors.deadline import within
from envaudit.exits import Exit
from envaudit.model.errors import EnvauditError, Problem, UsageError
from envaudit.model.report import FailOn, OnUnknown, Report, Start, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Under which terms the program is started."""

    baseline: str | None = None
    on_unknown: OnUnknown = OnUnknown.REFUSE
    seconds: float | None = None
    """How long the check may take; ``None``: as long as it takes."""
    path: bool = False
    """Whether the environment's programs come first on ``PATH``."""


def run(surroundings: Surroundings, bench: Bench, command: Sequence[str], terms: Terms) -> Report:
    """Judge the environment; the report says what is to be started, or why nothing is."""
    try:
        if not command:
            raise UsageError(
                Problem(
                    message="there is no program to start",
                    hint="give it after `--`: `envaudit exec -- CMD …`",
                )
            )
        report = _judge(surroundings, bench, terms)
        if report.exit is not Exit.PASS:
            return replace(report, exit=Exit.REFUSED, lines=(_refused(report, bench.fail_on),))
        return _start(report, surroundings, tuple(command), terms)
    except EnvauditError as error:
        verdict = Verdict.UNKNOWN if error.exit is Exit.UNKNOWN else None
        return Report(
            command="exec",
            exit=Exit.REFUSED,
            verdict=verdict,
            complete=False,
            errors=error.problems,
            lines=(f"refused: {_said(error)}",),
        )


def _judge(surroundings: Surroundings, bench: Bench, terms: Terms) -> Report:
    try:
        with within(terms.seconds):
            report = check.run(surroundings, bench, baseline=terms.baseline)
    except EnvauditError as error:
        if error.exit is not Exit.UNKNOWN or terms.on_unknown is OnUnknown.REFUSE:
            raise
        return Report(
            command="exec",
            exit=Exit.PASS,
            verdict=Verdict.UNKNOWN,
            complete=False,
            notes=(f"started without a judgement: {_said(error)}",),
        )
    return replace(report, command="exec")


def _start(
    report: Report, surroundings: Surroundings, command: tuple[str, ...], terms: Terms
) -> Report:
    variables = dict(surroundings.variables)
    if terms.path:
        programs = str(surroundings.root() / "bin")
        variables["PATH"] = ":".join(filter(None, (programs, variables.get("PATH"))))
    name = command[0]
    named = str(surroundings.folder / name) if "/" in name else name
    program = disk.find_program(named, variables.get("PATH"))
    if program is None:
        where = "there" if "/" in name else "on `PATH`"
        line = f"not started: the program `{name}` is not {where}"
        return replace(report, exit=Exit.NOT_FOUND, lines=(line,))
    return replace(report, start=Start(program=program, command=command, variables=variables))


def _refused(report: Report, fail_on: FailOn) -> str:
    """Say the heaviest finding, and how many more there are, in one line."""
    first, *others = fatal(report.findings, fail_on)
    more = f" (and {len(others)} more: `envaudit check` lists them)" if others else ""
    return f"refused: {first.severity.value}[{first.code}] {first.message}{more}"


def _said(error: EnvauditError) -> str:
    return "; ".join(problem.message for problem in error.problems)
