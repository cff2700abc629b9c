"""Judging as a whole: rules, checks, baselines, and one finding where two would say the same."""

from envaudit.core.evaluate import evaluate
from envaudit.core.infer import families, with_active_extras
from envaudit.model.distribution import Unreadable
from envaudit.model.finding import Severity
from envaudit.model.policy import Policy
from envaudit.model.snapshot import Snapshot
from envaudit.readers.policies import load_policies
from tests.kit.builders import distribution, snapshot

REPOSITORY = ("https://example.org/flashinfer/flashinfer",)


def flashinfer(python: str, cubin: str) -> Snapshot:
    return snapshot(
        distribution(f"flashinfer-python=={python}", repositories=REPOSITORY),
        distribution(f"flashinfer-cubin=={cubin}", repositories=REPOSITORY),
    )


def pack() -> tuple[Policy, ...]:
    return load_policies(())


def test_siblings_are_what_shares_repository_and_version_in_the_baseline() -> None:
    (family,) = families(flashinfer("0.6.3", "0.6.3"))
    assert family.members == ("flashinfer-cubin", "flashinfer-python")
    assert families(flashinfer("0.6.3", "0.6.4")) == ()
    assert families(snapshot("a==1", "b==1")) == ()


def test_siblings_of_which_some_stayed_are_a_partial_upgrade() -> None:
    judgement = evaluate(flashinfer("0.6.4", "0.6.3"), (), baseline=flashinfer("0.6.3", "0.6.3"))
    (finding,) = [item for item in judgement.findings if item.severity is Severity.WARNING]
    assert finding.code == "partial-upgrade"
    assert finding.distributions == ("flashinfer-cubin", "flashinfer-python")
    assert finding.introduced is True


def test_siblings_that_moved_to_different_versions_are_one_too() -> None:
    judgement = evaluate(flashinfer("0.6.5", "0.6.4"), (), baseline=flashinfer("0.6.3", "0.6.3"))
    assert "partial-upgrade" in {finding.code for finding in judgement.findings}


def test_siblings_that_all_moved_together_or_went_are_none() -> None:
    before = flashinfer("0.6.3", "0.6.3")
    for after in (flashinfer("0.6.4", "0.6.4"), before, snapshot("flashinfer-python==0.6.4")):
        found = {finding.code for finding in evaluate(after, (), baseline=before).findings}
        assert "partial-upgrade" not in found


def test_where_a_policy_covers_the_pair_its_finding_stands_with_the_suspicion_as_evidence() -> None:
    judgement = evaluate(
        flashinfer("0.6.4", "0.6.3"), pack(), baseline=flashinfer("0.6.3", "0.6.3")
    )
    (finding,) = judgement.findings
    assert finding.code == "compare"
    assert finding.rule is not None
    assert finding.rule.id == "flashinfer-cubin"
    assert any("stayed at 0.6.3" in evidence for evidence in finding.evidence)


def test_a_finding_says_whether_the_baseline_had_it() -> None:
    broken = flashinfer("0.6.4", "0.6.3")
    assert [item.introduced for item in evaluate(broken, pack()).findings] == [None]
    assert [item.introduced for item in evaluate(broken, pack(), baseline=broken).findings] == [
        False
    ]


def test_the_policies_say_how_many_of_their_rules_met_something() -> None:
    summaries = evaluate(flashinfer("0.6.4", "0.6.4"), pack()).policies
    matched = {summary.file: summary.matched for summary in summaries if summary.matched}
    assert matched == {"policies/flashinfer.toml": 1}


def test_an_empty_environment_and_no_policy_are_said() -> None:
    found = {finding.code: finding.severity for finding in evaluate(snapshot(), ()).findings}
    assert found == {"environment-empty": Severity.INFO, "policy-none": Severity.INFO}


def test_a_silenced_runtime_check_is_told_beside_a_mismatch_only() -> None:
    variables = frozenset({"FLASHINFER_DISABLE_VERSION_CHECK"})
    (finding,) = evaluate(flashinfer("0.6.4", "0.6.3"), pack(), variables=variables).findings
    assert any("FLASHINFER_DISABLE_VERSION_CHECK" in text for text in finding.evidence)
    assert evaluate(flashinfer("0.6.4", "0.6.4"), pack(), variables=variables).findings == ()


def test_an_unreadable_record_is_a_finding_and_the_rest_is_judged() -> None:
    part = Unreadable(folder="x.dist-info", part="METADATA", reason="is not there")
    found = evaluate(
        snapshot(distribution("app==1", requires=("gone",)), unreadable=(part,)), pack()
    ).findings
    assert [finding.code for finding in found] == [
        "distribution-incomplete",
        "requirement-missing",
    ]


def test_an_extra_looks_active_when_all_that_it_alone_requires_is_there() -> None:
    record = distribution(
        "app==1",
        requires=(
            'a; extra == "x"',
            'b; extra == "x"',
            'a; extra == "y"',
            "b; extra == 'y' and sys_platform == 'win32'",
            "a; extra == 'z' or python_version > '3'",
        ),
        extras=("x", "y", "z"),
    )
    active = with_active_extras(snapshot(record, "a==1"))
    assert active.by_name()["app"][0].active_extras == ("y",)


def test_siblings_by_two_repositories_are_one_family() -> None:
    both = ("https://example.org/a/a", "https://example.org/b/b")
    taken = snapshot(
        distribution("x==1", repositories=both), distribution("y==1", repositories=both)
    )
    assert [family.members for family in families(taken)] == [("x", "y")]


def test_a_second_unreadable_record_is_new_though_the_first_was_there_before() -> None:
    def broken(*folders: str) -> Snapshot:
        parts = tuple(
            Unreadable(folder=folder, part="METADATA", reason="is not there") for folder in folders
        )
        return snapshot("a==1", unreadable=parts)

    found = evaluate(broken("x", "y"), pack(), baseline=broken("x")).findings
    assert {item.introduced for item in found if "`x`" in item.message} == {False}
    assert {item.introduced for item in found if "`y`" in item.message} == {True}
