"""T5: a METADATA of a gigabyte, read with less memory than that; and headers without end."""

import json
from pathlib import Path

import pytest

from tests.kit.commands import COMMAND
from tests.kit.environments import Outcome, run
from tests.kit.hostile import empty_environment, metadata, write_record

GIBIBYTE = 1024**3
LIMIT = 256 * 1024  # kibibytes of address space


def _ask(environment: Path, command: str) -> Outcome:
    """Run a command under the memory limit."""
    script = f'ulimit -v {LIMIT}; exec "$@"'
    words = (command, "--format", "json", "--python", environment)
    return run("/bin/sh", "-c", script, "sh", *COMMAND, *words)


@pytest.mark.parametrize("command", ["check", "snapshot"])
def test_a_body_of_a_gigabyte_is_not_read(command: str, tmp_path: Path) -> None:
    environment = empty_environment(tmp_path / "environment")
    record = write_record(environment, "bomb-1.dist-info", {})
    with (record / "METADATA").open("wb") as file:
        file.write(metadata("bomb", "1") + b"\n")
        file.truncate(GIBIBYTE)

    outcome = _ask(environment, command)

    assert outcome.code == 0, outcome.stderr
    assert json.loads(outcome.stdout)["environment"]["distributions"] == 1


@pytest.mark.parametrize(
    "head", [b"", metadata("bomb", "1")], ids=["nothing but NULs", "headers without end"]
)
def test_headers_of_a_gigabyte_are_a_finding(head: bytes, tmp_path: Path) -> None:
    environment = empty_environment(tmp_path / "environment")
    record = write_record(environment, "bomb-1.dist-info", {})
    with (record / "METADATA").open("wb") as file:
        file.write(head)
        file.truncate(GIBIBYTE)

    outcome = _ask(environment, "check")

    assert outcome.code == 1, outcome.stderr
    codes = [finding["code"] for finding in json.loads(outcome.stdout)["findings"]]
    assert "distribution-incomplete" in codes


def test_a_million_headers_within_the_limit_are_read(tmp_path: Path) -> None:
    environment = empty_environment(tmp_path / "environment")
    lines = [f"Classifier: {number}" for number in range(50_000)]
    write_record(environment, "many-1.dist-info", {"METADATA": metadata("many", "1", *lines)})

    outcome = _ask(environment, "check")

    assert outcome.code in {0, 1}, outcome.stderr
    assert outcome.stdout
