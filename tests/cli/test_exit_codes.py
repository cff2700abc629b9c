"""The grid: every command, every outcome, every format. One exit code, and one envelope.

Commands run in this process: what is looked at is what they say, not how they are started.
"""

import json
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import pytest
from typer import Typer

from envaudit.cli import application, run
from envaudit.core.codec import encode
from envaudit.render import FORMATS
from tests.kit.builders import distribution, snapshot
from tests.kit.environments import find_site
from tests.kit.hostile import write_record
from tests.kit.schemas import validate
from tests.kit.wheels import Wheel, build_wheel
from tests.kit.written import write_environment

POLICY = '[policy]\nname = "p"\n[[rule]]\nid = "pair"\nreason = "r"\ncompare = "a == b"\n'
EXAMPLE = '[[rule.example]]\ninstalled = ["a==1", "b==2"]\nverdict = "{}"\n'


@dataclass(frozen=True, slots=True)
class Case:
    """One command line in the folder that ``place`` makes, and how it ends."""

    words: str
    code: int
    verdict: str | None = None
    complete: bool = True


UV = "-- uv pip install --no-index --find-links wheels --python"
GRID = (
    Case("snapshot -p good", 0),
    Case("snapshot -p torn", 0, complete=False),
    Case("snapshot -p good --list", 0),
    Case("snapshot -p good --name ../x", 2, complete=False),
    Case("snapshot -p good --keep 0", 2, complete=False),
    Case("snapshot -p nowhere", 3, "unknown", complete=False),
    Case("snapshot -p good --to file/x.json", 3, "unknown", complete=False),
    Case("diff good good", 0, "pass"),
    Case("diff good bad", 4, "drift"),
    Case("diff a.json b.json", 4, "drift"),
    Case("diff good torn", 4, "drift", complete=False),
    Case("diff nobody good", 2, complete=False),
    Case("diff @last -p good", 2, complete=False),
    Case("diff half.json good", 3, "unknown", complete=False),
    Case("check -p good", 0, "pass"),
    Case("check -p empty", 0, "pass"),
    Case("check a.json", 0, "pass"),
    Case("check -p good --no-builtin-policies", 0, "pass"),
    Case("check -p bad", 1, "fail"),
    Case("check -p bad --fail-on never", 0, "fail"),
    Case("check -p torn", 1, "fail", complete=False),
    Case("check -p good --policy pair.toml", 1, "fail"),
    Case("check -p good --policy broken.toml", 2, complete=False),
    Case("check -p good --baseline nobody", 2, complete=False),
    Case("check -p nowhere", 3, "unknown", complete=False),
    Case("check half.json", 3, "unknown", complete=False),
    Case("check two.json", 3, "unknown", complete=False),
    Case("check --nonsense", 2, complete=False),
    Case(f"gate {UV} good helper==1", 0, "pass"),
    Case(f"gate {UV} needing helper==1", 1, "fail"),
    Case("gate", 2, complete=False),
    Case(f"gate {UV} nowhere helper", 3, "unknown", complete=False),
    Case(f"gate {UV} good nothing-of-that-name", 1, "fail"),
    Case(f"apply {UV} needing helper==1", 1, "fail"),
    Case("apply", 2, complete=False),
    Case(f"apply {UV} nowhere helper", 3, "unknown", complete=False),
    Case("apply --plan half.json", 3, "unknown", complete=False),
    Case("restore a.json -p good -- --no-index", 1, "fail"),
    Case("restore @interrupted -p good", 0, "pass"),
    Case("restore nobody -p good", 2, complete=False),
    Case("restore a.json -p good -- --dry-run", 2, complete=False),
    Case("restore half.json -p good", 3, "unknown", complete=False),
    Case("restore a.json -p nowhere", 3, "unknown", complete=False),
    Case("fix -p good", 0, "pass"),
    Case("fix -p bad -- --no-index --find-links wheels", 0, "fail"),
    Case("fix -p bad -- --no-index", 1, "fail"),
    Case("fix -p bad --policy broken.toml", 2, complete=False),
    Case("fix -p nowhere", 3, "unknown", complete=False),
    Case("verify -p good", 0, "pass"),
    Case("verify -p listed", 0, "pass"),
    Case("verify a -p listed --no-cache", 0, "pass"),
    Case("verify -p edited", 1, "fail"),
    Case("verify -p edited --fail-on never", 0, "fail"),
    Case("verify -p torn", 1, "fail", complete=False),
    Case("verify -p endless", 3, "unknown", complete=False),
    Case("verify -p nowhere", 3, "unknown", complete=False),
    Case("verify nobody -p listed", 2, complete=False),
    Case("verify -p listed --baseline nobody", 2, complete=False),
    Case("why b a.json", 0),
    Case("why nobody a.json", 2, complete=False),
    Case("why b half.json", 3, "unknown", complete=False),
    Case("explain", 0),
    Case("explain compare", 0),
    Case("explain nonsense", 2, complete=False),
    Case("policy list -p good", 0),
    Case("policy list --policy broken.toml", 2, complete=False),
    Case("policy show pair --policy pair.toml", 0),
    Case("policy show nobody", 2, complete=False),
    Case("policy test --policy pair.toml", 0, "pass"),
    Case("policy test --policy wrong.toml", 1, "fail"),
    Case("policy test --policy broken.toml", 2, complete=False),
    Case("policy add a==b --reason r --policy free.toml", 0),
    Case("policy add a==b --reason r", 2, complete=False),
    Case("policy add a=b --reason r --policy free.toml", 2, complete=False),
    Case("policy add a==b --reason r --id pair --policy pair.toml", 2, complete=False),
    Case("policy add a==b --reason r --policy broken.toml", 2, complete=False),
    Case("policy waive pair --until 2030-01-01 --reason r --policy pair.toml", 0),
    Case("policy waive nobody --until 2030-01-01 --reason r --policy pair.toml", 2, complete=False),
    Case("policy waive pair --until tomorrow --reason r --policy pair.toml", 2, complete=False),
    Case("policy waive pair --until 2030-01-01 --reason r", 2, complete=False),
    Case("policy suggest a.json b.json", 0),
    Case("policy suggest good bad", 0),
    Case("policy suggest nobody", 2, complete=False),
    Case("policy suggest a.json --policy broken.toml", 2, complete=False),
    Case("policy suggest half.json", 3, "unknown", complete=False),
    Case("policy", 2, complete=False),
    Case("policy nonsense", 2, complete=False),
    Case("exec -p bad -- /bin/true", 78, "fail"),
    Case("exec -p nowhere -- /bin/true", 78, "unknown", complete=False),
    Case("exec -p good -- no-program-of-that-name", 127, "pass"),
    Case("demo", 0),
)

UNREAD = {"exec -p nowhere -- /bin/true"}
"""Refused because something could not be read, and not for what was found."""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Fill the current folder with all that the grid speaks of."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ENVAUDIT_STATE", str(tmp_path / "state"))
    good = snapshot(
        distribution("a==1", content_id="sha256:1"), distribution("b==2", content_id="sha256:2")
    )
    bad = snapshot("a==1", distribution("b==2", requires=("helper>=2",)))
    write_environment(good, tmp_path / "good")
    write_environment(bad, tmp_path / "bad")
    write_environment(snapshot(), tmp_path / "empty")
    write_environment(snapshot(*bad.distributions, "helper==2"), tmp_path / "needing")
    write_record(write_environment(good, tmp_path / "torn"), "torn-1.dist-info", {})
    for name in ("listed", "edited", "endless"):
        write_environment(snapshot(distribution("a==1", content_id="x")), tmp_path / name)
    (find_site(tmp_path / "edited") / "a" / "__init__.py").write_text("edited", encoding="utf-8")
    _make_endless(find_site(tmp_path / "endless"))
    for name, text in (
        ("a.json", encode(good)),
        ("b.json", encode(bad)),
        ("half.json", encode(good)[:200]),
        ("two.json", encode(good).replace("snapshot/1", "snapshot/2")),
        ("pair.toml", POLICY + EXAMPLE.format("error")),
        ("wrong.toml", POLICY + EXAMPLE.format("pass")),
        ("free.toml", '[policy]\nname = "f"\n'),
        ("broken.toml", POLICY.replace("==", "=")),
        ("file", ""),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    for version in ("1", "2"):
        build_wheel(Wheel("helper", version), tmp_path / "wheels")
    build_wheel(Wheel("b", "2", requires=("helper>=2",)), tmp_path / "wheels")
    return tmp_path


def _make_endless(site: Path) -> None:
    """Make a file a hole of a tebibyte, as its RECORD says."""
    file, record = site / "a" / "__init__.py", site / "a-1.dist-info" / "RECORD"
    rows = record.read_text(encoding="utf-8")
    record.write_text(rows.replace(f",{file.stat().st_size}\n", f",{2**40}\n", 1), encoding="utf-8")
    with file.open("r+b") as opened:
        opened.truncate(2**40)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("case", GRID, ids=lambda case: f"{case.words} is {case.code}")
@pytest.mark.usefixtures("place")
def test_one_exit_code_whatever_the_format(
    case: Case, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = case.words.split()
    at = words.index("--") if "--" in words else len(words)
    words[at:at] = ["--format", form]

    code = run(words)
    said = capsys.readouterr()

    assert code == case.code, said
    if form == "json":
        document = json.loads(said.out)
        validate("report", document)
        assert document["exit_code"] == case.code
        assert document["verdict"] == case.verdict
        assert document["complete"] is case.complete
        assert bool(document["errors"]) == (case.code in {2, 3} or case.words in UNREAD)
    if case.code in {2, 3, 78, 127}:
        assert said.err


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    ("words", "module", "code"),
    [
        ("snapshot", "snapshot", 70),
        ("diff", "diff", 70),
        ("check", "check", 70),
        ("gate -- uv pip install a", "gate", 70),
        ("fix", "fix", 70),
        ("verify", "verify", 70),
        ("why a", "why", 70),
        ("explain", "explain", 70),
        ("policy list", "policy", 70),
        ("policy add a==b --reason r", "policy_change", 70),
        ("policy waive a --until 2030-01-01 --reason r", "policy_change", 70),
        ("policy suggest a.json", "policy_suggest", 70),
        ("demo", "demo", 70),
        ("exec -- /bin/true", "exec", 78),
    ],
)
def test_a_fault_of_ours_is_told_as_one_whatever_the_format(
    words: str,
    module: str,
    code: int,
    form: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    command = import_module(f"envaudit.commands.{module}")
    for name in ("run", "list_rules", "add", "waive"):
        if hasattr(command, name):
            monkeypatch.setattr(command, name, _fail)
    first, *rest = words.split(" -- ")
    options = [*first.split(), "--format", form]

    assert run([*options, *(("--", *rest[0].split()) if rest else ())]) == code

    said = capsys.readouterr()
    assert "a fault of envaudit itself: RuntimeError: \\x1b[31mboom" in said.err
    assert "Traceback" in said.err
    assert "\x1b" not in said.err
    if form == "json":
        document = json.loads(said.out)
        validate("report", document)
        assert document["command"] == words.split(maxsplit=1)[0]
        assert (document["exit_code"], document["verdict"], document["complete"]) == (
            code,
            None,
            False,
        )


def _fail(*_: object, **__: object) -> NoReturn:
    raise RuntimeError("\x1b[31mboom")


def _names(application: Typer) -> set[str]:
    """Return the words that call a command, `policy list` for one of a group."""
    own = {
        command.name or command.callback.__name__
        for command in application.registered_commands
        if command.callback is not None
    }
    for group in application.registered_groups:
        if group.typer_instance is not None:
            own |= {f"{group.name} {name}" for name in _names(group.typer_instance)}
    return own


def test_every_command_stands_in_the_grid() -> None:
    tried = {case.words for case in GRID}

    for name in _names(application):
        assert any(words == name or words.startswith(f"{name} ") for words in tried), name
