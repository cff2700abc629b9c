"""Bad input of every kind: what and where, the right exit code, and nothing written."""

import json
from pathlib import Path

import pytest

from envaudit.core.codec import encode
from envaudit.model.errors import UnreadableError
from envaudit.uv.binary import MINIMUM, Uv, find_uv
from envaudit.uv.dry_run import ask_install
from envaudit.uv.prefix import Prefix
from tests.kit.builders import distribution, snapshot
from tests.kit.commands import envaudit
from tests.kit.environments import Outcome, hermetic_variables
from tests.kit.hostile import pretend_uv, write_program
from tests.kit.written import write_environment

GOOD = encode(snapshot("torch==2.9.1"))
POLICY = """\
[policy]
name = "mistaken"

[[rule]]
id = "one"
reason = "r"
compare = "full(a) = full(b)"

[[rule]]
id = "two"
reason = "r"
compare = "nonsense(a) == b"

[[rule]]
id = "three"
reasn = "r"
compare = "a == b"
"""


def _told(outcome: Outcome, code: int, *words: str) -> None:
    assert outcome.code == code, outcome.stderr
    assert "Traceback" not in outcome.stderr
    for word in words:
        assert word in outcome.stderr


def _ask(tmp_path: Path, *words: str | Path) -> Outcome:
    """Run envaudit in ``tmp_path``, and see that it writes nothing there or at home."""
    home = tmp_path / "home"
    home.mkdir(exist_ok=True)
    before = sorted(path for path in tmp_path.rglob("*") if "uv" not in path.parts)

    outcome = envaudit(*words, folder=tmp_path, variables=hermetic_variables(home))

    assert sorted(path for path in tmp_path.rglob("*") if "uv" not in path.parts) == before
    return outcome


@pytest.mark.parametrize("command", ["check", "snapshot", "fix"])
def test_a_folder_that_is_no_environment(command: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()

    _told(_ask(tmp_path, command, "-p", "folder"), 3, f"`{tmp_path}/folder`", "hint: ")


@pytest.mark.parametrize("command", ["check", "snapshot", "fix"])
def test_an_environment_that_is_not_there(command: str, tmp_path: Path) -> None:
    _told(_ask(tmp_path, command, "-p", "nowhere"), 3, f"`{tmp_path}/nowhere`", "hint: ")


def test_what_is_named_as_an_environment_and_is_none(tmp_path: Path) -> None:
    (tmp_path / "kept.json").write_text(GOOD, encoding="utf-8")

    snapshot = _ask(tmp_path, "check", "-p", "kept.json")
    _told(snapshot, 3, f"`{tmp_path}/kept.json`, which is a snapshot", "`envaudit check SNAPSHOT`")
    _told(_ask(tmp_path, "check", "-p", "/dev/null"), 3, "no folder and no interpreter", "hint: ")
    _told(_ask(tmp_path, "check", "-p", "nowhere"), 3, "which is not there", "hint: ")


def test_no_environment_at_all(tmp_path: Path) -> None:
    _told(_ask(tmp_path, "check"), 3, "no environment is named", "hint: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD[: len(GOOD) // 2], "is not a whole JSON document"),
        (GOOD.replace("snapshot/1", "snapshot/2"), "is of schema `envaudit.snapshot/2`"),
        ("", "is not a whole JSON document"),
    ],
    ids=["cut in half", "of schema 2", "empty"],
)
@pytest.mark.parametrize("command", [("check",), ("diff",), ("why", "torch")])
def test_a_snapshot_that_is_none(
    text: str, message: str, command: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "kept.json").write_text(text, encoding="utf-8")
    words = (
        (*command, "kept.json", "kept.json") if command == ("diff",) else (*command, "kept.json")
    )

    _told(_ask(tmp_path, *words), 3, "kept.json", message, "hint: ")


def test_a_policy_with_three_mistakes_shows_all_three_with_line_and_caret(tmp_path: Path) -> None:
    (tmp_path / "kept.json").write_text(GOOD, encoding="utf-8")
    (tmp_path / "mistaken.toml").write_text(POLICY, encoding="utf-8")

    outcome = _ask(tmp_path, "check", "kept.json", "--policy", "mistaken.toml")

    _told(outcome, 2, "mistaken.toml:7:", "mistaken.toml:12:", "mistaken.toml:16:")
    lines = outcome.stderr.splitlines()
    assert sum(line.strip() == "^" for line in lines) >= 3
    for shown in POLICY.splitlines()[6:7] + POLICY.splitlines()[11:12] + POLICY.splitlines()[15:16]:
        under = lines[lines.index(f"    {shown}") + 1]
        assert under.strip() == "^"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("check", "--policy", "nowhere.toml", "kept.json"), "nowhere.toml"),
        (("diff", "nobody"), "no snapshot is called `nobody`"),
        (("check", "no/where.json"), "`no/where.json` is not there"),
        (("why", "nobody", "kept.json"), "`nobody` is not installed"),
        (("explain", "nonsense"), "no finding has the code `nonsense`"),
        (("policy", "show", "nonsense"), "no rule in force has the id `nonsense`"),
        (("snapshot", "--name", "../x", "-p", "x"), "is no name for a snapshot"),
        (("check", "--format", "yaml", "kept.json"), "`yaml` is not one of"),
        (("check", "--nonsense"), "--nonsense"),
        (("nonsense",), "nonsense"),
        (("diff", "@-0", "kept.json"), "`@-0` names no snapshot and no environment"),
        (("diff", "@last2", "kept.json"), "`@last2` names no snapshot and no environment"),
        (("diff", "@LAST", "kept.json"), "`@LAST` names no snapshot and no environment"),
        (("diff", "@-1\u0663", "kept.json"), "names no snapshot and no environment"),
        (("diff", f"@-{'9' * 5000}", "kept.json"), "names no snapshot and no environment"),
        (("diff", "", "kept.json"), "`` names no snapshot and no environment"),
        (("snapshot", "--list", "--name", "x", "-p", "x"), "`--list` records and removes nothing"),
        (("snapshot", "--list", "--files", "-p", "x"), "`--list` records and removes nothing"),
        (("snapshot", "--list", "--keep", "1", "-p", "x"), "`--list` records and removes nothing"),
        (("snapshot", "--keep", "0"), "`--keep 0` would keep nothing"),
        (("snapshot", "--keep", "2", "--name", "x"), "`--keep` is about snapshots"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else "",
)
def test_a_name_that_is_not_known(words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    (tmp_path / "kept.json").write_text(GOOD, encoding="utf-8")
    write_environment(snapshot("torch==2.9.1"), tmp_path / "x")

    _told(_ask(tmp_path, *words), 2, message, "hint: ")


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """Return an environment in which something is missing."""
    entry = distribution("needy==1", requires=("missing",))
    return write_environment(snapshot(entry), tmp_path / "environment")


def _fix(tmp_path: Path, broken: Path, program: Path | None) -> Outcome:
    variables = {
        **hermetic_variables(tmp_path / "home"),
        **pretend_uv(tmp_path / "modules", program),
        "PATH": str(tmp_path / "nothing"),
    }
    return envaudit("fix", "-p", broken, "--format", "json", folder=tmp_path, variables=variables)


def test_no_uv_anywhere(tmp_path: Path, broken: Path) -> None:
    outcome = _fix(tmp_path, broken, None)

    _told(outcome, 3, "no uv is found", "hint: ")
    assert json.loads(outcome.stdout)["errors"]


ANSWERS_VERSION = '[ "$1" = --version ] && { echo uv 99.0.0; exit; }'


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("echo nonsense",), "does not say which version of uv it is"),
        (("echo uv 0.4.0",), "uv 0.4.0 prints no plan as JSON"),
        (("exit 3",), "does not say which version of uv it is"),
        ((ANSWERS_VERSION, "echo nonsense"), "uv's plan is something else"),
        ((ANSWERS_VERSION, "echo '{}'"), "uv's plan is of another shape"),
        ((ANSWERS_VERSION, "echo boom >&2", "exit 101"), "uv could not answer (exit code 101)"),
        ((ANSWERS_VERSION, "kill -9 $$"), "uv could not answer (exit code -9)"),
        ((ANSWERS_VERSION, "while :; do printf '%9999s' flood; done"), "said more than"),
    ],
    ids=["version", "old", "mute", "plan", "shape", "crash", "killed", "flood"],
)
def test_a_uv_that_answers_nonsense(
    lines: tuple[str, ...], message: str, tmp_path: Path, broken: Path
) -> None:
    program = write_program(tmp_path / "bin" / "uv", *lines)

    outcome = _fix(tmp_path, broken, program)

    _told(outcome, 3, message, f"at: {program}")
    document = json.loads(outcome.stdout)
    assert (document["verdict"], document["exit_code"], document["plan"]) == ("unknown", 3, None)


def test_a_uv_that_answers_too_slowly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = write_program(tmp_path / "bin" / "uv", "kill -STOP $$")
    monkeypatch.setattr("uv.find_uv_bin", lambda: str(slow))
    uv = Uv(path=slow, version=MINIMUM, variables={}, folder=Path("/"))

    with pytest.raises(UnreadableError, match=r"gave no answer within 0.1 seconds"):
        find_uv({}, Path("/"), as_root=False, seconds=0.1)
    with pytest.raises(UnreadableError, match=r"gave no answer within 0.1 seconds"):
        ask_install(uv, ("a",), (), Prefix(root=Path("/"), base=Path("/")), seconds=0.1)
