"""A snapshot judged in memory, without and with policies written in the test."""

from envaudit.core.evaluate import evaluate
from envaudit.model.errors import Problem
from envaudit.model.files import Files
from envaudit.model.finding import Finding
from envaudit.model.policy import Policy
from envaudit.model.snapshot import Snapshot
from envaudit.readers.policy_file import parse_policy


def policy(text: str) -> Policy:
    """Load a policy from its TOML text; a mistake in it fails the test."""
    problems: list[Problem] = []
    loaded = parse_policy(text.encode(), "policy.toml", problems)
    if loaded is None:
        raise AssertionError(problems)
    return loaded


def rule(table: str) -> Policy:
    """Load a policy of one rule, of which ``table`` holds the keys beside ``id`` and ``reason``."""
    head = '[policy]\nname = "test"\n[[rule]]\nid = "rule"\nreason = "a test"\n'
    return policy(head + table)


def judge(
    snapshot: Snapshot,
    *policies: Policy,
    baseline: Snapshot | None = None,
    files: Files | None = None,
) -> tuple[Finding, ...]:
    """Return everything that is found in ``snapshot``, and in its ``files`` if they are given."""
    return evaluate(snapshot, policies, baseline=baseline, files=files).findings


def told(findings: tuple[Finding, ...]) -> list[str]:
    """Return each finding as ``severity[code] message``, but for the remark that no policy is."""
    return [
        f"{finding.severity.value}[{finding.code}] {finding.message}"
        for finding in findings
        if finding.code != "policy-none"
    ]
