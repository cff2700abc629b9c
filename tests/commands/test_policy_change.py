"""``policy add`` and ``policy waive``: what is written where, and what is refused unwritten."""

import os
import stat
import tomllib
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envaudit.commands.judging import Bench
from envaudit.commands.policy_change import NewRule, add, waive
from envaudit.commands.surroundings import Surroundings
from envaudit.core.toml_text import quote
from envaudit.effects.policy_edit import with_table
from envaudit.exits import Exit
from envaudit.model.errors import EnvauditError, PolicyError, UsageError
from envaudit.readers.policies import builtin_pack, load_policies

TEAM = """\
# ours
[policy]
name = "team"   # and a remark

[[rule]]
id = "one"
compare = 'a == b'
reason = "r"

[[waiver]]
rule = "one"
until = 2026-12-31
reason = "w"
"""
ALTERNATING = f"{TEAM}\n[[rule]]\nid = 'two'\nforbid = 'c'\nreason = 'r'\n"
RULE = NewRule(compare="cuda(Torch) == cuda(flash_attn)", reason="they share it")


@pytest.fixture
def here(tmp_path: Path) -> Surroundings:
    (tmp_path / "envaudit.toml").write_text('policies = ["team.toml"]\n')
    (tmp_path / "team.toml").write_text(TEAM)
    return Surroundings(variables={}, folder=tmp_path, day=date(2026, 6, 1))


def written(here: Surroundings) -> str:
    return (here.folder / "team.toml").read_text()


def test_a_rule_goes_into_the_first_configured_file_and_the_rest_stays(here: Surroundings) -> None:
    report = add(here, Bench(), RULE)
    assert report.exit is Exit.PASS
    (policy,) = load_policies((here.folder / "team.toml",), builtin=False)
    assert [rule.reference.id for rule in policy.rules] == ["one", "torch-flash-attn-2"]
    lines = iter(written(here).splitlines())
    assert all(line in lines for line in TEAM.splitlines() if line)


def test_all_that_a_rule_can_say_is_written(here: Surroundings) -> None:
    rule = NewRule(
        compare="a <= b",
        reason='says "no"',
        identity="mine",
        sources=("https://x.example",),
        severity="warning",
        when=("c>=1",),
    )
    add(here, Bench(), rule)
    assert tomllib.loads(written(here))["rule"][1] == {
        "id": "mine",
        "compare": "a <= b",
        "reason": 'says "no"',
        "sources": ["https://x.example"],
        "severity": "warning",
        "when": ["c>=1"],
    }


def test_a_file_that_is_not_there_is_begun(here: Surroundings) -> None:
    (here.folder / "team.toml").unlink()
    add(here, Bench(), RULE)
    assert tomllib.loads(written(here))["policy"] == {"name": "team"}


def test_a_folder_means_its_first_file_and_the_command_line_comes_first(
    here: Surroundings,
) -> None:
    (here.folder / "mine").mkdir()
    add(here, Bench(paths=("mine",)), RULE)
    assert written(here) == TEAM
    assert "torch-flash-attn" in (here.folder / "mine" / "policy.toml").read_text()


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (NewRule(compare="a == == b", reason="r"), "expected the name of a distribution"),
        (NewRule(compare="a == c", reason=" "), "`reason` must not be empty"),
        (NewRule(compare="a == c", reason="r", identity="one"), "already"),
        (NewRule(compare="a == c", reason="r", identity="flashinfer-cubin"), "already"),
        (NewRule(compare="a == c", reason="r", severity="loud"), "must be one of"),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_is_written(
    rule: NewRule, message: str, here: Surroundings
) -> None:
    with pytest.raises(EnvauditError, match=message) as caught:
        add(here, Bench(), rule)
    assert caught.value.exit is Exit.USAGE
    assert written(here) == TEAM


def test_a_file_that_does_not_load_is_not_written_to(here: Surroundings) -> None:
    (here.folder / "team.toml").write_text("[policy\n")
    with pytest.raises(PolicyError, match="is not TOML"):
        add(here, Bench(), RULE)
    assert written(here) == "[policy\n"


def test_a_folder_that_is_not_there_is_made(here: Surroundings) -> None:
    (here.folder / "envaudit.toml").write_text('policies = ["policies/"]\n')
    add(here, Bench(), RULE)
    (policy,) = load_policies((here.folder / "policies" / "policy.toml",), builtin=False)
    assert [rule.reason for rule in policy.rules] == [RULE.reason]
    add(here, Bench(), NewRule(compare="a == b", reason="r"))
    assert [path.name for path in (here.folder / "policies").iterdir()] == ["policy.toml"]


def test_what_is_no_regular_file_is_left_alone(here: Surroundings) -> None:
    path = here.folder / "team.toml"
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(PolicyError, match="is not a regular file: nothing is written to it"):
        add(here, Bench(), RULE)
    assert path.is_fifo()


def test_a_read_only_file_stays_as_it_is(here: Surroundings) -> None:
    path = here.folder / "team.toml"
    path.chmod(0o440)
    with pytest.raises(EnvauditError, match="is read-only"):
        add(here, Bench(), RULE)
    assert path.read_text() == TEAM


def test_a_file_keeps_its_mode_and_a_link_to_it_stays_one(here: Surroundings) -> None:
    path = here.folder / "team.toml"
    path.rename(here.folder / "real.toml")
    path.symlink_to("real.toml")
    (here.folder / "real.toml").chmod(0o660)
    add(here, Bench(), RULE)
    assert path.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o660
    assert "flash_attn" in path.read_text()


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_and_a_byte_order_mark_stay(end: str, mark: str, here: Surroundings) -> None:
    before = (mark + TEAM.replace("\n", end)).encode()
    (here.folder / "team.toml").write_bytes(before)
    add(here, Bench(), RULE)
    after = (here.folder / "team.toml").read_bytes()
    assert after.startswith(before.partition(b"[[waiver]]")[0].rstrip())
    assert after.count(b"\n") == after.count(end.encode())


def test_an_array_that_no_table_can_be_added_to_is_said_to_be_one(here: Surroundings) -> None:
    text = 'rule = [{ id = "z", compare = "a == c", reason = "r" }]\n[policy]\nname = "x"\n'
    (here.folder / "team.toml").write_text(text)
    with pytest.raises(PolicyError, match="writes `rule` as one array"):
        add(here, Bench(), RULE)
    assert written(here) == text
    waive(here, Bench(), identity="z", until="2099-01-01", reason="r")


def test_a_rule_that_says_the_same_as_another_is_refused(here: Surroundings) -> None:
    with pytest.raises(UsageError, match="the rule `one` says the same already"):
        add(here, Bench(), NewRule(compare="a  == b", reason="again"))
    add(here, Bench(), NewRule(compare="a == b", reason="again", when=("c",)))
    assert written(here).count("[[rule]]") == 2


def test_the_pack_is_never_written_to(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no policy file of your own"):
        add(Surroundings(variables={}, folder=tmp_path), Bench(), RULE)


def test_nor_is_it_when_it_is_named(here: Surroundings) -> None:
    before = {path: path.read_bytes() for path in builtin_pack().iterdir()}
    with pytest.raises(UsageError, match="is of the built-in pack, which stays as it is"):
        add(here, Bench(paths=(str(builtin_pack()),)), RULE)
    assert {path: path.read_bytes() for path in builtin_pack().iterdir()} == before


@pytest.mark.parametrize("identity", ["one", "flashinfer-cubin", "requirement-missing"])
def test_a_rule_of_any_policy_and_a_check_can_be_waived(identity: str, here: Surroundings) -> None:
    waive(
        here,
        Bench(),
        identity=identity,
        until="2026-06-01",
        reason="known",
        distributions=("a",),
    )
    (policy,) = load_policies((here.folder / "team.toml",), builtin=False)
    waiver = policy.waivers[-1]
    assert (waiver.rule, waiver.until, waiver.distributions) == (
        identity,
        date(2026, 6, 1),
        ("a",),
    )


@pytest.mark.parametrize(
    ("identity", "until", "message"),
    [
        ("flashinfer-cubine", "2026-07-01", "no rule has the id"),
        ("compare", "2026-07-01", "is what a kind of rules finds"),
        ("one", "2026-05-31", "has passed"),
        ("one", "2026-13-31", "`2026-13-31` is not a day"),
    ],
)
def test_a_waiver_of_nothing_is_refused(
    identity: str, until: str, message: str, here: Surroundings
) -> None:
    with pytest.raises(UsageError, match=message):
        waive(here, Bench(), identity=identity, until=until, reason="r")
    assert written(here) == TEAM


@pytest.mark.parametrize("text", [TEAM, ALTERNATING, TEAM.rstrip(), TEAM.replace("\n", "\r\n"), ""])
@pytest.mark.parametrize("kind", ["rule", "waiver"])
def test_a_table_is_added_and_nothing_else_changes(text: str, kind: str) -> None:
    before = tomllib.loads(text)
    after = tomllib.loads(with_table(text, kind, {"id": "new", "list": ("x", "y")}))
    added = after[kind].pop()
    assert added == {"id": "new", "list": ["x", "y"]}
    assert after | {kind: after[kind]} == before | {kind: before.get(kind, [])}


@given(st.text(max_size=30))
def test_any_text_is_written_as_a_text_that_reads_the_same(text: str) -> None:
    sayable = text.encode("utf-8", "replace").decode()
    read = tomllib.loads(f"x = {quote(text)}")["x"]
    assert read.replace("\N{REPLACEMENT CHARACTER}", "?") == sayable.replace(
        "\N{REPLACEMENT CHARACTER}", "?"
    )
