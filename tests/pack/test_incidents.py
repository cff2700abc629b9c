"""Every public incident that one environment can decide is flagged, and its cure is not."""

import pytest

from envaudit.model.finding import Severity
from envaudit.model.policy import Policy
from tests.pack.tables import Incident, Unseen, heavy, incidents, judge, say, sources, unseen

_INCIDENTS = incidents()
_UNSEEN = unseen()


@pytest.mark.parametrize("incident", _INCIDENTS, ids=lambda incident: incident.id)
def test_an_incident_is_flagged_with_its_distributions(
    incident: Incident, pack: tuple[Policy, ...]
) -> None:
    findings = judge(incident.broken, pack)
    named = {
        finding.distributions
        for finding in findings
        if finding.severity.weight <= incident.severity.weight
    }
    assert set(incident.flagged) <= named, [say(finding) for finding in findings]


@pytest.mark.parametrize("incident", _INCIDENTS, ids=lambda incident: incident.id)
def test_nothing_but_the_incident_is_flagged(incident: Incident, pack: tuple[Policy, ...]) -> None:
    culprits = {name for names in incident.flagged for name in names}
    others = [
        say(finding)
        for finding in judge(incident.broken, pack)
        if finding.severity is not Severity.INFO and culprits.isdisjoint(finding.distributions)
    ]
    assert others == []


@pytest.mark.parametrize("incident", _INCIDENTS, ids=lambda incident: incident.id)
def test_what_would_have_been_right_is_not_flagged(
    incident: Incident, pack: tuple[Policy, ...]
) -> None:
    assert incident.healthy
    for example in incident.healthy:
        assert heavy(judge(example, pack)) == (), example.installed


@pytest.mark.parametrize("incident", _UNSEEN, ids=lambda incident: incident.id)
def test_what_no_rule_can_see_is_not_guessed(incident: Unseen, pack: tuple[Policy, ...]) -> None:
    assert incident.reason
    assert heavy(judge(incident.example, pack)) == ()


def test_every_incident_has_a_name_of_its_own_and_a_public_source() -> None:
    told = sources()
    assert len({identity for identity, _ in told}) == len(told)
    assert [identity for identity, urls in told if not urls] == []
    assert all(url.startswith("https://") for _, urls in told for url in urls)
