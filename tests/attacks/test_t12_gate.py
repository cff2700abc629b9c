"""T12 at the gate: hostile names beside an install are neither printed as words nor told to uv."""

import shlex
from pathlib import Path

import pytest

from tests.kit.commands import ask, envaudit
from tests.kit.environments import find_site, install, make_environment, run
from tests.kit.hostile import metadata, write_program, write_record
from tests.kit.wheels import Wheel, build_wheel

NAMES = (
    "semi; touch CANARY",
    "$(touch CANARY)",
    "--index-url=https://example.org",
    "-r/etc/passwd",
    "base @ https://example.org/evil.whl",
)
VERSIONS = ("1.0$(touch CANARY)", "1;touch CANARY", "1 @ file:///x")


@pytest.fixture
def environment(tmp_path: Path, index: Path) -> Path:
    """Return an environment in which `base` cannot be moved without its dependent."""
    for version in ("1", "2"):
        build_wheel(Wheel("base", version), index)
        build_wheel(Wheel("app", version, requires=(f"base=={version}",)), index)
        build_wheel(Wheel("loose", version, requires=("base",)), index)
    place = make_environment(tmp_path / "env; touch CANARY $(touch CANARY) 'x'")
    install(place, "app==1", index=index)
    for number, name in enumerate(NAMES):
        write_record(place, f"n{number}-1.dist-info", {"METADATA": metadata(name, "1")})
    for number, version in enumerate(VERSIONS):
        content = metadata(f"v{number}", version)
        write_record(place, f"v{number}-1.dist-info", {"METADATA": content})
    return place


def test_the_right_command_runs_as_printed_and_nothing_else_does(
    environment: Path, index: Path, tmp_path: Path
) -> None:
    words = ("uv", "pip", "install", "-p", environment, "--no-index", "-f", index, "base==2")
    report = ask("gate", "--", *words, folder=tmp_path)
    assert report["exit_code"] == 1
    (argv,) = report["plan"]["commands"]
    assert shlex.split(report["plan"]["shell"]) == argv
    assert set(argv[len(words) :]) <= {"app==2", "base==2"}
    told = tmp_path / "told"
    program = write_program(tmp_path / "bin" / "uv", f'printf "%s\\n" "$@" > {told}')
    variables = {"PATH": f"{program.parent}:/usr/bin:/bin"}
    assert run("/bin/sh", "-c", report["plan"]["shell"], variables=variables).code == 0
    assert told.read_text().splitlines() == argv[1:]
    assert not list(tmp_path.rglob("CANARY"))


def test_no_hostile_name_reaches_a_second_question(
    environment: Path, index: Path, tmp_path: Path
) -> None:
    """Names that are options would be options of a constraints file, too."""
    words = ("uv", "pip", "install", "-p", environment, "--no-index", "-f", index)
    for more in (("--no-deps", "loose==1"), ("--no-deps", "loose==2")):
        answered = envaudit("gate", "--format", "json", "--", *words, *more, folder=tmp_path)
        assert answered.code == 0, answered.stderr
        assert "incoming-unverified" not in answered.stdout
    assert not list(tmp_path.rglob("CANARY"))
    assert len(list(find_site(environment).glob("n*.dist-info"))) == len(NAMES)
