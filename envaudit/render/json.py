"""The format ``json``: one envelope for every command and every outcome, errors included.

Additive within a major version of ``envaudit.report``. Texts are data here and stand as they are;
JSON escapes what is not ASCII.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict

from envaudit.core.codec import (
    encode_distribution,
    encode_hook,
    encode_interpreter,
    encode_unreadable,
)
from envaudit.model.configuration import Configuration
from envaudit.model.document import Json
from envaudit.model.drift import (
    Added,
    Altered,
    Change,
    HookChanged,
    InterpreterChanged,
    Obscured,
    Removed,
    change_kind,
    changed_name,
)
from envaudit.model.errors import Problem
from envaudit.model.finding import (
    Align,
    Clear,
    Finding,
    Keep,
    LookOn,
    Place,
    Reinstall,
    Remedy,
    Remove,
    Satisfy,
    Severity,
    Waived,
)
from envaudit.model.plan import Plan, Rejected
from envaudit.model.report import Report
from envaudit.model.requirement import Chain
from envaudit.render.style import Style

SCHEMA = "envaudit.report/1"
_KINDS: Mapping[type[Remedy], str] = {
    Align: "align",
    Remove: "remove",
    Satisfy: "satisfy",
    Place: "place",
    Keep: "keep",
    LookOn: "look-on",
    Reinstall: "reinstall",
    Clear: "clear",
}


def render(report: Report, style: Style) -> str:
    """Return the report as one JSON document, ending in a newline; ``style`` changes nothing."""
    del style
    return json.dumps(encode(report), indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def encode(report: Report) -> dict[str, Json]:
    """Return the envelope."""
    environment = report.environment
    return {
        "schema": SCHEMA,
        "command": report.command,
        "tool": {"name": "envaudit", "version": report.tool},
        "environment": None if environment is None else asdict(environment),
        "complete": report.complete,
        "verdict": None if report.verdict is None else report.verdict.value,
        "exit_code": int(report.exit),
        "summary": {
            "distributions": 0 if environment is None else environment.distributions,
            "errors": report.count(Severity.ERROR),
            "warnings": report.count(Severity.WARNING),
            "infos": report.count(Severity.INFO),
            "waived": report.waived,
        },
        "findings": [_finding(finding) for finding in report.findings],
        "changes": [_change(change) for change in report.changes],
        "plan": _plan(report),
        "rejected": [_rejected(rejected) for rejected in report.rejected],
        "policies": [asdict(policy) for policy in report.policies],
        "configurations": [_configuration(item) for item in report.configurations],
        "notes": list(report.notes),
        "data": report.data,
        "errors": [_problem(problem) for problem in report.errors],
    }


def _finding(finding: Finding) -> dict[str, Json]:
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "distributions": list(finding.distributions),
        "message": finding.message,
        "evidence": list(finding.evidence),
        "why": [_chain(chain) for chain in finding.why],
        "rule": None if finding.rule is None else asdict(finding.rule),
        "introduced": finding.introduced,
        "waived": None if finding.waived is None else _waived(finding.waived),
        "remedies": [_remedy(remedy) for remedy in finding.remedies],
    }


def _remedy(remedy: Remedy) -> dict[str, Json]:
    return {"kind": _KINDS[type(remedy)], **asdict(remedy)}


def _configuration(configuration: Configuration) -> dict[str, Json]:
    return {
        "file": configuration.file,
        "policies": list(configuration.policies),
        "builtin_policies": configuration.builtin,
        "disabled": list(configuration.disabled),
        "severities": {name: severity.value for name, severity in configuration.severities},
        "refused": configuration.refused,
    }


def _waived(waived: Waived) -> dict[str, Json]:
    return {**asdict(waived), "until": waived.until.isoformat()}


def _change(change: Change) -> dict[str, Json]:
    before, after = _sides(change)
    return {
        "kind": change_kind(change),
        "name": changed_name(change),
        "before": before,
        "after": after,
        "why": _chain(change.why) if isinstance(change, Added | Removed | Altered) else [],
        "family": change.family,
        "commits": change.commits if isinstance(change, Altered) else None,
    }


def _sides(change: Change) -> tuple[Json, Json]:
    match change:
        case Added(after=after):
            return None, encode_distribution(after)
        case Removed(before=before):
            return encode_distribution(before), None
        case Altered(before=before, after=after):
            return encode_distribution(before), encode_distribution(after)
        case InterpreterChanged(before=old, after=new):
            return encode_interpreter(old), encode_interpreter(new)
        case HookChanged(before=gone, after=come):
            return (
                None if gone is None else encode_hook(gone),
                None if come is None else encode_hook(come),
            )
        case Obscured(part=part, readable=readable):
            shown = encode_unreadable(part)
            return (shown, None) if readable else (None, shown)


def _chain(chain: Chain) -> list[Json]:
    return [asdict(link) for link in chain]


def _plan(report: Report) -> dict[str, Json] | None:
    if report.plan is None:
        return None
    return {
        **_way(report.plan),
        "alternatives": [_way(plan) for plan in report.alternatives],
    }


def _way(plan: Plan) -> dict[str, Json]:
    return {
        "direction": plan.direction.value,
        "steps": [asdict(move) for move in plan.moves],
        "commands": [list(command) for command in plan.commands],
        "shell": plan.shell,
        "verified": True,
    }


def _rejected(rejected: Rejected) -> dict[str, Json]:
    candidate = rejected.candidate
    return {
        "direction": candidate.direction.value,
        "requirements": list(candidate.requirements),
        "removals": list(candidate.removals),
        "reinstalls": list(candidate.reinstalls),
        "cleaned": list(candidate.cleaned),
        "cleared": list(candidate.cleared),
        "reason": rejected.reason,
    }


def _problem(problem: Problem) -> dict[str, Json]:
    return {"message": problem.message, "hint": problem.hint, "at": problem.at}
