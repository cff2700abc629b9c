"""Waivers: what they cover, until when, and what is said of the idle ones."""

from dataclasses import replace
from datetime import date

import pytest

from envaudit.commands.judging import verdict_of
from envaudit.core.evaluate import evaluate
from envaudit.exits import Exit
from envaudit.model.finding import Finding, Severity
from envaudit.model.report import FailOn
from tests.kit.builders import distribution, snapshot
from tests.kit.judging import policy

HEAD = '[policy]\nname = "x"\n[[rule]]\nid = "pair"\ncompare = "a == b"\nreason = "r"\n'
WAIVER = '[[waiver]]\nrule = "{rule}"\nuntil = 2026-06-30\nreason = "known"\n'
TODAY = date(2026, 6, 30)


def judge(text: str, *pins: str, today: date | None = TODAY) -> tuple[Finding, ...]:
    return evaluate(snapshot(*pins), (policy(HEAD + text),), today=today).findings


def codes(findings: tuple[Finding, ...]) -> list[str]:
    return [finding.code for finding in findings]


def test_a_waived_finding_stays_visible_and_fails_nothing() -> None:
    findings = judge(WAIVER.format(rule="pair"), "a==1", "b==2")
    (finding,) = findings
    assert finding.severity is Severity.ERROR
    assert finding.waived is not None
    assert (finding.waived.reason, finding.waived.line) == ("known", 7)
    assert verdict_of(findings, FailOn.WARNING)[1] is Exit.PASS


def test_a_check_is_waived_by_its_code() -> None:
    text = WAIVER.format(rule="requirement-missing")
    taken = snapshot(distribution("a==1", requires=("c",)))
    (finding,) = evaluate(taken, (policy(HEAD + text),), today=TODAY).findings
    assert finding.code == "requirement-missing"
    assert finding.waived is not None


@pytest.mark.parametrize(("name", "covered"), [("B", True), ("c", False)])
def test_a_waiver_may_be_for_some_distributions_only(name: str, *, covered: bool) -> None:
    text = f'{WAIVER.format(rule="pair")}distributions = ["{name}"]\n'
    findings = judge(text, "a==1", "b==2")
    assert (findings[0].waived is not None) is covered
    assert ("waiver-unused" in codes(findings)) is not covered


def test_after_its_last_day_it_counts_again_and_the_waiver_is_told() -> None:
    findings = judge(WAIVER.format(rule="pair"), "a==1", "b==2", today=date(2026, 7, 1))
    assert [(item.code, item.waived) for item in findings] == [
        ("compare", None),
        ("waiver-expired", None),
    ]
    assert verdict_of(findings, FailOn.ERROR)[1] is Exit.FINDINGS


def test_where_the_day_is_not_known_none_expires() -> None:
    (finding,) = judge(WAIVER.format(rule="pair"), "a==1", "b==2", today=None)
    assert finding.waived is not None


@pytest.mark.parametrize("rule", ["pair", "nobody"])
def test_a_waiver_that_waives_nothing_is_told_as_info(rule: str) -> None:
    (finding,) = judge(WAIVER.format(rule=rule), "a==1", "b==1")
    assert (finding.code, finding.severity) == ("waiver-unused", Severity.INFO)
    assert "policy.toml:7" in finding.evidence[0]


def test_a_waived_finding_is_no_error_of_a_judgement() -> None:
    judgement = evaluate(
        snapshot("a==1", "b==2"), (policy(HEAD + WAIVER.format(rule="pair")),), today=TODAY
    )
    assert judgement.errors() == ()
    (bare,) = (replace(item, waived=None) for item in judgement.findings)
    assert bare.counts
