"""Waivers: what they cover, until when, and what is said of the idle ones."""

from dataclasses import replace
from datetime import date

import pytest

from envaudit.commands.judging import conclude
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
    assert conclude(findings, FailOn.WARNING)[1] is Exit.PASS


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
    assert conclude(findings, FailOn.ERROR)[1] is Exit.FINDINGS


def test_where_the_day_is_not_known_none_expires() -> None:
    (finding,) = judge(WAIVER.format(rule="pair"), "a==1", "b==2", today=None)
    assert finding.waived is not None


@pytest.mark.parametrize("rule", ["pair", "nobody"])
def test_a_waiver_that_waives_nothing_is_told_as_info(rule: str) -> None:
    (finding,) = judge(WAIVER.format(rule=rule), "a==1", "b==1")
    assert (finding.code, finding.severity) == ("waiver-unused", Severity.INFO)
    assert "policy.toml:7" in finding.evidence[0]


def test_an_expired_waiver_that_was_renewed_is_an_info_and_the_longest_is_named() -> None:
    later = WAIVER.format(rule="pair").replace("2026-06-30", "2026-07-31")
    text = WAIVER.format(rule="pair") + later + later.replace("07-31", "12-31")
    findings = judge(text, "a==1", "b==2", today=date(2026, 7, 1))
    waived, idle = findings
    assert waived.waived is not None
    assert waived.waived.until == date(2026, 12, 31)
    assert (idle.code, idle.severity) == ("waiver-unused", Severity.INFO)
    assert "another one has taken its place" in idle.message


def test_a_waiver_for_one_distribution_does_not_renew_the_one_for_all() -> None:
    later = WAIVER.format(rule="pair").replace("2026-06-30", "2026-07-31")
    text = f'{WAIVER.format(rule="pair")}{later}distributions = ["a"]\n'
    findings = judge(text, "a==1", "b==2", today=date(2026, 7, 1))
    assert sorted(codes(findings)) == ["compare", "waiver-expired"]


def test_with_the_pack_a_waiver_of_what_nothing_is_called_is_a_warning() -> None:
    own = policy(HEAD + WAIVER.format(rule="piar"))
    pack = replace(policy('[policy]\nname = "pack"\n'), builtin=True)
    (finding,) = evaluate(snapshot("a==1", "b==1"), (pack, own), today=TODAY).findings
    assert (finding.code, finding.severity) == ("waiver-unused", Severity.WARNING)
    assert "no rule in force and no check is called so" in finding.message


@pytest.mark.parametrize(("rule", "covered"), [("rule-matches-nothing", True), ("compare", False)])
def test_a_code_waives_checks_and_what_is_found_in_rules_only(rule: str, *, covered: bool) -> None:
    never = '[[rule]]\nid = "never"\nforbid = "a>2,<1"\nreason = "r"\n'
    findings = judge(never + WAIVER.format(rule=rule), "a==1", "b==2")
    assert [item.waived is not None for item in findings if item.code == rule] == [covered]


def test_a_waived_finding_is_no_error_of_a_judgement() -> None:
    judgement = evaluate(
        snapshot("a==1", "b==2"), (policy(HEAD + WAIVER.format(rule="pair")),), today=TODAY
    )
    assert judgement.errors() == ()
    (bare,) = (replace(item, waived=None) for item in judgement.findings)
    assert bare.counts
