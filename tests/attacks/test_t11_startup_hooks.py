"""T11: code that runs at every start of the environment's interpreter never runs for envaudit."""

from pathlib import Path

import pytest

from tests.kit.builders import distribution, snapshot
from tests.kit.commands import envaudit
from tests.kit.environments import find_site, make_environment, run
from tests.kit.hostile import metadata, write_record
from tests.kit.wheels import Wheel, build_wheel
from tests.kit.written import write_environment

COMMANDS = (
    (("snapshot",), 0),
    (("snapshot", "--list"), 0),
    (("check",), 1),
    (("check", "--baseline", "@last"), 1),
    (("why", "victim"), 0),
    (("policy", "list"), 0),
    (("fix",), 0),
)


def _plant(environment: Path, canary: Path) -> None:
    """Plant every kind of startup hook; each writes to ``canary``."""
    site = find_site(environment)
    code = f"import os; os.close(os.open({str(canary)!r}, os.O_CREAT | os.O_WRONLY))"
    (site / "planted.pth").write_text(f"{code}\n", encoding="utf-8")
    (site / "planted.start").write_text("planted:run\n", encoding="utf-8")
    for module in ("sitecustomize", "usercustomize", "planted"):
        (site / f"{module}.py").write_text(f"{code}\n", encoding="utf-8")


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """Return a real environment with something to fix and with every kind of hook planted."""
    place = make_environment(tmp_path / "environment")
    needs = metadata("needy", "1", "Requires-Dist: victim>=2")
    write_record(place, "needy-1.dist-info", {"METADATA": needs, "RECORD": b""})
    write_record(place, "victim-1.dist-info", {"METADATA": metadata("victim", "1"), "RECORD": b""})
    _plant(place, tmp_path / "canary")
    return place


def test_the_canary_sings_when_the_interpreter_is_started(
    environment: Path, tmp_path: Path
) -> None:
    """Without this the other tests would prove nothing."""
    run(environment / "bin" / "python", "-c", "pass")

    assert (tmp_path / "canary").exists()


def test_no_command_starts_the_interpreter(environment: Path, index: Path, tmp_path: Path) -> None:
    build_wheel(Wheel("victim", "2"), index)
    build_wheel(Wheel("needy", "1", requires=("victim>=2",)), index)
    for command, expected in COMMANDS:
        flags = ("--", "--no-index", "--find-links", index) if command == ("fix",) else ()
        outcome = envaudit(*command, "--python", environment, *flags, folder=tmp_path)

        assert outcome.code == expected, outcome.stderr
        assert not (tmp_path / "canary").exists(), command


def test_two_environments_are_compared_without_starting_either(
    environment: Path, tmp_path: Path
) -> None:
    other = write_environment(snapshot(distribution("victim==1")), tmp_path / "other")

    outcome = envaudit("diff", environment, other, folder=tmp_path)

    assert outcome.code == 4, outcome.stderr
    assert not (tmp_path / "canary").exists()
