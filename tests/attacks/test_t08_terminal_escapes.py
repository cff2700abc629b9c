"""T8 and T9: names, versions and paths that a terminal, or a build service's log, would obey."""

from pathlib import Path

import pytest

from tests.kit.commands import envaudit
from tests.kit.hostile import empty_environment, metadata, write_record

HOSTILE = (
    "\x1b]0;pwned\x07",
    "\x1b[2J\x1b[1;1H",
    "\x9b2J",
    "good\rbad",
    "\x7f\x08",
    "\u202egnp\u2066",
    "a\u200bb\ufeff",
    "\U000e0041",
    "::error file=x::smuggled",
    "##[error]smuggled",
    "\udcff\udc9b",
)
COMMANDS = (
    ("check",),
    ("check", "--format", "json"),
    ("snapshot",),
    ("snapshot", "--list"),
    ("why", "victim"),
    ("fix",),
    ("policy", "list"),
)


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """Return an environment that is hostile in every field of a record."""
    place = empty_environment(tmp_path / "environment")
    for number, text in enumerate(HOSTILE):
        requires = (
            f"Requires-Dist: victim=={text}",
            f"Requires-Dist: {text}",
            "Requires-Dist: victim>=2",
            f"Requires-Python: {text}",
            f"Provides-Extra: {text}",
            f"Project-URL: Source, https://github.com/{text}/{text}",
        )
        files = {
            "METADATA": metadata(f"evil{number}", text, *requires),
            "WHEEL": f"Tag: {text}\n".encode("utf-8", "surrogateescape"),
            "INSTALLER": text.encode("utf-8", "surrogateescape"),
            "direct_url.json": b'{"url": "https://x/\\u001b[2J\\u202e", "archive_info": {}}',
        }
        write_record(place, f"evil{number}-{text}.dist-info", files)
        write_record(place, f"{text}{number}.dist-info", {"METADATA": metadata(text, "1")})
        write_record(place, f"torn{number}{text}-1.dist-info", {})
    write_record(place, "victim-1.dist-info", {"METADATA": metadata("victim", "1")})
    return place


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_nothing_that_a_terminal_obeys_leaves(
    command: tuple[str, ...], environment: Path, tmp_path: Path
) -> None:
    outcome = envaudit(*command, "--python", environment, folder=tmp_path)

    assert outcome.code != 70, outcome.stderr
    assert outcome.stdout
    for text in (outcome.stdout, outcome.stderr):
        lines = text.split("\n")
        assert [line for line in lines if line and not line.isprintable()] == []
        assert [line for line in lines if line.lstrip().startswith("::")] == []
        if "json" not in command:
            assert "##[" not in text


def test_two_snapshots_of_it_compare_and_say_nothing_raw(environment: Path, tmp_path: Path) -> None:
    assert envaudit("snapshot", "--to", "a.json", "-p", environment, folder=tmp_path).code == 0
    write_record(environment, "late-1.dist-info", {"METADATA": metadata("late", "\x1b[31m1")})

    outcome = envaudit("diff", "a.json", environment, folder=tmp_path)

    assert outcome.code == 4, outcome.stderr
    assert [line for line in outcome.stdout.split("\n") if line and not line.isprintable()] == []
