"""``envaudit policy``: which rules are in force, what one says, and whether its examples hold."""

from collections.abc import Iterable
from difflib import get_close_matches

from envaudit.commands.columns import align
from envaudit.commands.judging import Bench, Law
from envaudit.commands.surroundings import Surroundings, read_subject
from envaudit.core.examples import Trial, try_examples
from envaudit.exits import Exit
from envaudit.model.document import Json
from envaudit.model.errors import Problem, UnreadableError, UsageError
from envaudit.model.policy import Example, Policy, Rule
from envaudit.model.report import PolicySummary, Report, Verdict


def list_rules(surroundings: Surroundings, bench: Bench) -> Report:
    """List the rules in force, from where they come, and whether they meet something installed.

    Raises:
        EnvauditError: a policy does not load.
    """
    law = bench.law(surroundings)
    policies = law.policies
    installed = _installed(surroundings)
    rows = [
        (_matched(rule, installed), rule.reference.id, _place(rule), rule.kind.summary)
        for policy in policies
        for rule in policy.rules
    ]
    return Report(
        command="policy list",
        exit=Exit.PASS,
        policies=_summaries(policies, installed),
        configurations=law.configurations,
        lines=align(rows) or ("no rule is in force",),
        data={
            "rules": [
                {**_encode(rule), "matched": _matched(rule, installed)}
                for policy in policies
                for rule in policy.rules
            ]
        },
    )


def show_rule(surroundings: Surroundings, bench: Bench, *, identity: str) -> Report:
    """Show what the rule ``identity`` says, why, and from which sources.

    Raises:
        EnvauditError: no rule has that id, or a policy does not load.
    """
    law = bench.law(surroundings)
    rules = [
        rule for policy in law.policies for rule in policy.rules if rule.reference.id == identity
    ]
    if not rules:
        raise UsageError(_not_in_force(identity, law))
    return Report(
        command="policy show",
        exit=Exit.PASS,
        lines=tuple(line for rule in rules for line in _lines(rule)),
        data={"rules": [_encode(rule) for rule in rules]},
    )


def _not_in_force(identity: str, law: Law) -> Problem:
    by = [one.file for one in law.configurations if identity in one.disabled]
    known = [rule.reference.id for policy in law.policies for rule in policy.rules]
    near = [] if by else get_close_matches(identity, known, n=1)
    return Problem(
        message=f"no rule in force has the id `{identity}`"
        + (f": it is disabled by `{by[0]}`" if by else ""),
        hint=f"did you mean `{near[0]}`?" if near else "`envaudit policy list` lists them",
    )


def test_examples(surroundings: Surroundings, bench: Bench) -> Report:
    """Judge the examples of every rule in force; a wrong one fails.

    Raises:
        EnvauditError: a policy does not load.
    """
    policies = bench.policies(surroundings)
    trials = [trial for policy in policies for rule in policy.rules for trial in try_examples(rule)]
    wrong = [trial for trial in trials if not trial.right]
    without = [
        rule.reference.id for policy in policies for rule in policy.rules if not rule.examples
    ]
    return Report(
        command="policy test",
        exit=Exit.FINDINGS if wrong else Exit.PASS,
        verdict=Verdict.FAIL if wrong else Verdict.PASS,
        policies=_summaries(policies, frozenset()),
        lines=(
            *(_wrong(trial) for trial in wrong),
            f"{len(trials)} examples, {len(wrong)} wrong",
        ),
        notes=(
            *(() if policies else ("no policy is in force: there is nothing to try",)),
            *(f"rule `{identity}` has no example" for identity in without),
        ),
        data={
            "examples": len(trials),
            "wrong": [
                {
                    **_encode(trial.rule),
                    "installed": list(trial.example.installed),
                    "expected": trial.example.verdict,
                    "verdict": trial.verdict,
                }
                for trial in wrong
            ],
        },
    )


def _installed(surroundings: Surroundings) -> frozenset[str] | None:
    """Return the names in the environment that is meant; ``None`` where none is.

    Raises:
        UnreadableError: one is named, and cannot be read.
    """
    try:
        reading = read_subject(None, surroundings)
    except UnreadableError:
        if surroundings.python is not None or surroundings.site is not None:
            raise
        return None
    return frozenset(record.name for record in reading.snapshot.distributions)


def _matched(rule: Rule, installed: frozenset[str] | None) -> str:
    if installed is None:
        return "unknown"
    return "matched" if rule.kind.meets(installed) else "unmatched"


def _summaries(
    policies: Iterable[Policy], installed: frozenset[str] | None
) -> tuple[PolicySummary, ...]:
    return tuple(
        PolicySummary(
            file=policy.file,
            digest=policy.digest,
            rules=len(policy.rules),
            matched=sum(_matched(rule, installed) == "matched" for rule in policy.rules),
        )
        for policy in policies
    )


def _place(rule: Rule) -> str:
    return f"{rule.reference.file}:{rule.reference.line}"


def _lines(rule: Rule) -> tuple[str, ...]:
    return (
        f"{rule.reference.id}, {_place(rule)}",
        f"  the rule: {rule.kind.summary}",
        *(f"  {line}" for line in rule.kind.details),
        *(() if rule.severity is None else (f"  in force: severity {rule.severity.value}",)),
        f"  why: {rule.reason}",
        *(f"  source: {source}" for source in rule.sources),
        *(f"  example: {_environment(example)} is {example.verdict}" for example in rule.examples),
    )


def _environment(example: Example) -> str:
    """Say what an example describes, in words; what is usual needs none."""
    usual = Example(installed=(), verdict="")
    words = [
        ", ".join(example.installed),
        *(f"with {name} built against torch {torch}" for name, torch in example.built),
        *(f"with {name} requiring {', '.join(lines)}" for name, lines in example.requires),
        f"with {', '.join(sorted(example.variables))} set" if example.variables else "",
        f"on Python {example.python}" if example.python != usual.python else "",
        f"on {example.platform}" if example.platform != usual.platform else "",
    ]
    return " ".join(word for word in words if word)


def _wrong(trial: Trial) -> str:
    example = trial.example
    expected = example.verdict
    said = trial.verdict
    if said == expected:  # it names others than the example says
        expected = f"{expected} of {', '.join(example.distributions)}"
        said = f"{said} of {', '.join(trial.distributions)}"
    return (
        f"{_place(trial.rule)}: rule `{trial.rule.reference.id}` says {said} where "
        f"{_environment(example)}, and its example says {expected}"
    )


def _encode(rule: Rule) -> dict[str, Json]:
    return {
        "id": rule.reference.id,
        "policy": rule.reference.policy,
        "file": rule.reference.file,
        "line": rule.reference.line,
        "rule": rule.kind.summary,
        "details": list(rule.kind.details),
        "severity": None if rule.severity is None else rule.severity.value,
        "members": list(rule.kind.members),
        "reason": rule.reason,
        "sources": list(rule.sources),
    }
