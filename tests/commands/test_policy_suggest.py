"""``policy suggest``: siblings that moved together become a policy that loads and holds."""

from pathlib import Path

from envaudit.commands import policy_suggest
from envaudit.commands.judging import Bench
from envaudit.core.codec import encode
from envaudit.core.examples import try_examples
from envaudit.core.suggest import suggest
from envaudit.model.distribution import Distribution
from envaudit.model.snapshot import Snapshot
from tests.kit.builders import distribution, snapshot
from tests.kit.commands import ROOT, surroundings
from tests.kit.judging import policy

HOME = ("https://forge.example/owner/project",)


def member(pin: str, *requires: str) -> Distribution:
    return distribution(pin, repositories=HOME, requires=requires)


BEFORE = snapshot(member("a==1"), member("b==1"), member("c==1", "b==1"), member("d==1"))
AFTER = snapshot(member("a==2"), member("b==2"), member("c==2", "b==2"), member("d==1"))


def members(*snapshots: Snapshot) -> list[tuple[str, ...]]:
    return [item.members for item in suggest(snapshots, ())]


def test_siblings_that_moved_together_are_proposed_without_those_tied_to_one_of_them() -> None:
    assert members(BEFORE, AFTER) == [("a", "b")]
    (found,) = suggest((BEFORE, AFTER), ())
    assert found.moved
    assert found.versions == ("1", "2")


def test_what_metadata_ties_is_not_proposed() -> None:
    assert members(snapshot(member("b==1"), member("c==1", "b==1"))) == []
    assert members(snapshot(member("b==1"), member("c==1", "b>=1"))) == [("b", "c")]
    assert members(snapshot(member("b==1"), member("c==1", 'b==1; extra == "x"'))) == [("b", "c")]


def test_what_is_tied_in_one_snapshot_only_is_proposed() -> None:
    untied = snapshot(member("b==2"), member("c==2"))
    assert members(snapshot(member("b==1"), member("c==1", "b==1")), untied) == [("b", "c")]


def test_what_a_rule_covers_is_not_proposed() -> None:
    rules = policy(
        '[policy]\nname = "x"\n[[rule]]\nid = "r"\nreason = "r"\ncompare = "minor(a) == minor(b)"\n'
    )
    assert suggest((BEFORE, AFTER), (rules,)) == ()


def test_what_stood_apart_once_is_not_proposed() -> None:
    assert members(BEFORE, snapshot(member("a==2"), member("b==1"))) == []


def test_the_answer_is_a_policy_whose_examples_hold(tmp_path: Path) -> None:
    for name, taken in (("before", BEFORE), ("after", AFTER)):
        (tmp_path / f"{name}.json").write_text(encode(taken))
    report = policy_suggest.run(
        surroundings(folder=tmp_path), Bench(), references=("before.json", "after.json")
    )
    (rule,) = policy("\n".join(report.lines)).rules
    trials = list(try_examples(rule))
    assert [trial.verdict for trial in trials] == ["pass", "warning"]
    assert all(trial.right for trial in trials)


def test_where_there_is_nothing_to_propose_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(encode(snapshot("a==1")))
    report = policy_suggest.run(surroundings(folder=tmp_path), Bench(), references=("x.json",))
    assert report.lines == ()
    assert report.notes


def test_it_answers_about_the_real_environments() -> None:
    report = policy_suggest.run(
        surroundings(folder=ROOT), Bench(), references=("vllm-0.16.0", "vllm-0.17.0")
    )
    assert not report.lines or policy("\n".join(report.lines)).rules
