"""Findings in a real environment, the command that ``fix`` prints, and what is left after it."""

from dataclasses import dataclass
from pathlib import Path

from envaudit.commands import check, fix
from envaudit.commands.judging import Bench
from envaudit.model.finding import Finding, Severity
from envaudit.model.plan import Plan
from tests.kit.commands import surroundings
from tests.kit.environments import run

_BENCH = Bench(builtin=False)
_LOUD = (Severity.ERROR, Severity.WARNING)


def find(environment: Path, *, baseline: Path | None = None) -> tuple[Finding, ...]:
    """Return what ``check`` says about ``environment``, but for the remark that no policy is."""
    report = check.run(
        surroundings(environment), _BENCH, baseline=None if baseline is None else str(baseline)
    )
    return tuple(finding for finding in report.findings if finding.code != "policy-none")


def loud(environment: Path, *, baseline: Path | None = None) -> dict[str, tuple[str, ...]]:
    """Return the distributions of each error and warning, by ``severity[code]``."""
    return {
        f"{finding.severity.value}[{finding.code}]": finding.distributions
        for finding in find(environment, baseline=baseline)
        if finding.severity in _LOUD
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """What ``fix`` printed, and what ``check`` says after it was run."""

    plan: Plan
    left: dict[str, tuple[str, ...]]


def repair(environment: Path, index: Path | None, *, baseline: Path | None = None) -> Repair:
    """Run the command that ``fix`` prints; ``index``: the folder of wheels that uv may use."""
    flags = () if index is None else ("--no-index", "--find-links", str(index))
    report = fix.run(
        surroundings(environment),
        _BENCH,
        flags=flags,
        baseline=None if baseline is None else str(baseline),
    )
    if report.plan is None:
        raise AssertionError((report.lines, report.notes, report.rejected))
    done = run("sh", "-c", report.plan.shell)
    if done.code != 0:
        raise AssertionError(f"{report.plan.shell}\n{done.stdout}{done.stderr}")
    return Repair(plan=report.plan, left=loud(environment))
