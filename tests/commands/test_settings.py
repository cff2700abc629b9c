"""Configuration files: where they are looked for, whom they are believed, and what they say."""

import os
from pathlib import Path

import pytest

from envaudit.commands import check, policy
from envaudit.commands.judging import Bench
from envaudit.core.evaluate import evaluate
from envaudit.model.configuration import Configuration
from envaudit.model.errors import PolicyError
from envaudit.model.finding import Severity
from envaudit.readers.settings import read_configurations
from tests.kit.builders import snapshot
from tests.kit.commands import surroundings

TEXT = """\
policies = ["team.toml"]
builtin-policies = false
disable = ["b", "a"]
[severity]
c = "warning"
"""
TEAM = """\
[policy]
name = "team"
[[rule]]
id = "team-pair"
compare = "flashinfer-python == six"
reason = "r"
"""


def read(folder: Path, named: Path | None = None) -> tuple[Configuration, ...]:
    return read_configurations(folder, named, machine=folder / "machine")


def test_where_there_is_none_nothing_is_said(tmp_path: Path) -> None:
    assert read(tmp_path) == ()


def test_it_says_which_policies_judge_and_how(tmp_path: Path) -> None:
    (tmp_path / "envaudit.toml").write_text(TEXT)
    (found,) = read(tmp_path)
    assert found == Configuration(
        file="envaudit.toml",
        policies=(str(tmp_path / "team.toml"),),
        builtin=False,
        disabled=("a", "b"),
        severities=(("c", Severity.WARNING),),
    )
    assert found.summary == (
        f"policy {tmp_path}/team.toml, no built-in policies, a disabled, b disabled, c is warning"
    )


def test_a_project_may_hold_it(tmp_path: Path) -> None:
    inside = TEXT.replace("[severity]", "[tool.envaudit.severity]")
    (tmp_path / "pyproject.toml").write_text(f"[project]\nname = 'x'\n[tool.envaudit]\n{inside}")
    (found,) = read(tmp_path)
    assert (found.file, found.builtin) == ("pyproject.toml", False)


@pytest.mark.parametrize("text", ["[project]\nname = 'x'\n", "# envaudit\n[tool.ruff]\n", "= ?"])
def test_a_project_that_says_nothing_of_us_is_left_alone(text: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    assert read(tmp_path) == ()


def test_folders_above_are_not_searched(tmp_path: Path) -> None:
    (tmp_path / "envaudit.toml").write_text(TEXT)
    (tmp_path / "inner").mkdir()
    assert read(tmp_path / "inner") == ()


def test_the_machine_speaks_first_and_the_named_one_instead_of_the_local(tmp_path: Path) -> None:
    for name in ("machine/envaudit.toml", "envaudit.toml", "named.toml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    assert [item.file for item in read(tmp_path)] == [
        f"{tmp_path}/machine/envaudit.toml",
        "envaudit.toml",
    ]
    assert [item.file for item in read(tmp_path, tmp_path / "named.toml")] == [
        f"{tmp_path}/machine/envaudit.toml",
        f"{tmp_path}/named.toml",
    ]


def test_a_named_one_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="is not there"):
        read(tmp_path, tmp_path / "none.toml")


def test_one_that_everybody_may_write_to_is_not_taken_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "envaudit.toml").write_text(TEXT)
    (tmp_path / "envaudit.toml").chmod(0o666)
    (found,) = read(tmp_path)
    assert found.refused == "may be written to by everybody"
    assert found.summary == "is not taken: it may be written to by everybody"
    assert found.builtin
    (named,) = read(tmp_path, tmp_path / "envaudit.toml")
    assert named.refused is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
@pytest.mark.parametrize("path", ["envaudit.toml", "."])
def test_one_of_another_user_is_not_taken(path: str, tmp_path: Path) -> None:
    (tmp_path / "envaudit.toml").write_text(TEXT)
    os.chown(tmp_path / path, 4711, -1)
    (found,) = read(tmp_path)
    assert found.refused is not None
    assert found.refused.endswith("belongs to another user")


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "envaudit.toml").write_text(
        'policys = []\nbuiltin-policies = "no"\n[severity]\na = "loud"\n'
    )
    with pytest.raises(PolicyError) as caught:
        read(tmp_path)
    assert [problem.at for problem in caught.value.problems] == [
        "envaudit.toml:1:1",
        "envaudit.toml:2:20",
        "envaudit.toml:4:5",
    ]


def test_a_run_is_judged_by_it_and_says_so(tmp_path: Path, after: Path) -> None:
    (tmp_path / "team.toml").write_text(TEAM)
    (tmp_path / "envaudit.toml").write_text(
        'policies = ["team.toml"]\n[severity]\n"flashinfer-cubin" = "warning"\n'
    )
    report = check.run(surroundings(after, folder=tmp_path), Bench())
    (found,) = [item for item in report.findings if item.code == "compare"]
    assert found.severity is Severity.WARNING
    assert [item.file for item in report.configurations] == ["envaudit.toml"]
    assert report.policies[-1].file == str(tmp_path / "team.toml")


def test_a_disabled_rule_is_silent_and_a_stranger_is_refused(tmp_path: Path, after: Path) -> None:
    (tmp_path / "envaudit.toml").write_text('disable = ["flashinfer-cubin"]\n')
    report = check.run(surroundings(after, folder=tmp_path), Bench())
    assert "compare" not in {item.code for item in report.findings}
    (tmp_path / "envaudit.toml").write_text('disable = ["flashinfer-cubine"]\n')
    with pytest.raises(PolicyError, match="no rule is called so"):
        check.run(surroundings(after, folder=tmp_path), Bench())


def test_two_rules_of_one_id_are_refused_wherever_they_stand(tmp_path: Path) -> None:
    (tmp_path / "team.toml").write_text(TEAM.replace("team-pair", "flashinfer-cubin"))
    bench = Bench(paths=("team.toml",))
    with pytest.raises(PolicyError, match=r"the other is in `policies/flashinfer\.toml:"):
        policy.list_rules(surroundings(folder=tmp_path), bench)


def test_what_cannot_be_known_gets_no_heavier(tmp_path: Path) -> None:
    (tmp_path / "envaudit.toml").write_text('[severity]\n"flashinfer-cubin" = "error"\n')
    law = Bench().law(surroundings(folder=tmp_path))
    taken = snapshot("flashinfer-python==0.0.0+unknown", "flashinfer-cubin==0.6.3")
    (found,) = [item for item in evaluate(taken, law.policies).findings if item.rule is not None]
    assert found.severity is Severity.INFO
