"""T12: shell metacharacters and options in names and versions; a printed command does what it says.

The commands are run as printed, by a shell, in a folder where no canary may appear.
"""

import json
import shlex
from pathlib import Path

import pytest

from tests.kit.commands import envaudit
from tests.kit.environments import find_site, list_versions, make_environment, run
from tests.kit.hostile import metadata, write_record
from tests.kit.wheels import Wheel, build_wheel

NAMES = (
    "semi; touch CANARY",
    "`touch CANARY`",
    "$(touch CANARY)",
    "--index-url=https://example.org",
    "-r/etc/passwd",
    "helper @ https://example.org/evil.whl",
    "helper[x] @ file:///etc/passwd #",
    "a&&b",
)
VERSIONS = ("1.0$(touch CANARY)", "1;touch CANARY", "1|touch CANARY", "1>CANARY", "1 @ file:///x")


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """Return an environment whose path, names and versions a shell could take for commands."""
    place = make_environment(tmp_path / "env; touch CANARY $(touch CANARY) 'x'")
    lines = ("Requires-Dist: helper>=2",)
    for number, name in enumerate(NAMES):
        write_record(place, f"n{number}-1.dist-info", {"METADATA": metadata(name, "1", *lines)})
    for number, version in enumerate(VERSIONS):
        content = metadata(f"v{number}", version, *lines)
        write_record(place, f"v{number}-1.dist-info", {"METADATA": content})
    return place


@pytest.fixture
def flags(index: Path) -> tuple[str | Path, ...]:
    """Return flags for uv that let it see what repairs the one thing that can be repaired."""
    build_wheel(Wheel("needy", "1", requires=("helper>=2",)), index)
    build_wheel(Wheel("helper", "2"), index)
    return ("--", "--no-index", "--find-links", index)


def test_with_hostile_neighbours_no_canary_and_no_foreign_word_is_printed(
    environment: Path, flags: tuple[str | Path, ...], tmp_path: Path
) -> None:
    told = envaudit("fix", "-p", environment, *flags, folder=tmp_path)
    run("/bin/sh", "-c", told.stdout, folder=tmp_path)

    assert told.code in {0, 1}, told.stderr
    assert not list(tmp_path.rglob("CANARY"))
    for line in told.stdout.splitlines():
        assert line.startswith(("#", "uv ")) or not line
        assert "example.org" not in line.partition("#")[0]
        assert "etc/passwd" not in line.partition("#")[0]


def test_the_printed_command_works_in_a_path_that_a_shell_could_misread(
    environment: Path, flags: tuple[str | Path, ...], tmp_path: Path
) -> None:
    for record in find_site(environment).glob("[nv]*.dist-info"):
        (record / "METADATA").unlink()
        record.rmdir()
    needy = metadata("needy", "1", "Requires-Dist: helper>=2")
    write_record(environment, "needy-1.dist-info", {"METADATA": needy, "RECORD": b""})

    told = envaudit("fix", "-p", environment, *flags, folder=tmp_path)
    asked = envaudit("fix", "-p", environment, "--format", "json", *flags, folder=tmp_path)
    plan = json.loads(asked.stdout)["plan"]
    ran = run("/bin/sh", "-c", told.stdout, folder=tmp_path)

    assert shlex.split(plan["shell"]) == plan["commands"][0]
    assert plan["shell"] in told.stdout.splitlines()
    assert ran.code == 0, ran.stderr
    assert list_versions(environment)["helper"] == "2"
    assert not list(tmp_path.rglob("CANARY"))


def test_a_name_that_no_distribution_may_have_is_a_finding_and_no_distribution(
    environment: Path, tmp_path: Path
) -> None:
    outcome = envaudit("check", "-p", environment, "--format", "json", folder=tmp_path)
    document = json.loads(outcome.stdout)

    assert outcome.code == 1
    assert document["environment"]["distributions"] == len(VERSIONS)
    incomplete = [
        item for item in document["findings"] if item["code"] == "distribution-incomplete"
    ]
    assert len(incomplete) == len(NAMES)
    assert not document["complete"]
