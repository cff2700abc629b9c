"""Between the gate and the install: a saved plan, and a gate on a recorded environment."""

import json
from pathlib import Path

import pytest

from tests.kit.builders import distribution, snapshot
from tests.kit.commands import ask, envaudit, introduced
from tests.kit.environments import install
from tests.kit.schemas import validate


def words(verb: str, server: Path | str, wheels: Path, *more: str) -> tuple[str, ...]:
    index = ("--no-index", "--find-links", str(wheels))
    return "--", "uv", "pip", verb, "--python", str(server), *index, *more


def test_a_plan_that_passes_is_saved_with_exact_versions(
    healthy: Path, wheels: Path, tmp_path: Path
) -> None:
    place = tmp_path / "plan.json"
    right = words("install", healthy, wheels, "vllm==0.17.0", "flashinfer-cubin==0.6.4")
    assert envaudit("gate", "--save", place, *right).code == 0
    plan = json.loads(place.read_text())
    validate("plan", plan)
    assert plan["installs"] == [
        "flashinfer-cubin==0.6.4",
        "flashinfer-python==0.6.4",
        "torch==2.10.0",
        "vllm==0.17.0",
    ]
    assert plan["environment"] == str(healthy)
    assert plan["command"] == list(right[1:])
    assert place.stat().st_mode & 0o007 == 0


def test_the_fingerprint_is_that_of_a_snapshot_and_moves_with_the_environment(
    healthy: Path, wheels: Path, tmp_path: Path
) -> None:
    place, taken = tmp_path / "plan.json", tmp_path / "taken.json"
    envaudit("gate", "--save", place, *words("install", healthy, wheels, "vllm"))
    envaudit("snapshot", "--python", healthy, "--to", taken)
    first = json.loads(place.read_text())["fingerprint"]
    assert first == json.loads(taken.read_text())["digest"]
    install(healthy, "flashinfer-cubin==0.6.4", index=wheels)
    envaudit("gate", "--save", place, *words("install", healthy, wheels, "vllm"))
    assert json.loads(place.read_text())["fingerprint"] != first


def test_a_plan_that_is_refused_is_not_saved(healthy: Path, wheels: Path, tmp_path: Path) -> None:
    place = tmp_path / "plan.json"
    refused = words("install", healthy, wheels, "vllm==0.17.0")
    assert envaudit("gate", "--save", place, *refused).code == 1
    assert not place.exists()


def test_a_plan_that_cannot_be_written_is_no_pass(healthy: Path, wheels: Path) -> None:
    answered = envaudit("gate", "--save", "gone/plan", *words("install", healthy, wheels, "vllm"))
    assert answered.code == 3


@pytest.fixture
def recorded(healthy: Path, tmp_path: Path) -> Path:
    """Return a snapshot of the healthy server, which is then gone."""
    place = tmp_path / "recorded.json"
    assert envaudit("snapshot", "--python", healthy, "--to", place).code == 0
    healthy.rename(tmp_path / "gone")
    return place


def test_a_recorded_environment_is_judged_by_real_uv(recorded: Path, wheels: Path) -> None:
    for server in ("/srv/vllm/venv", "."):
        report = ask(
            "gate", "--snapshot", recorded, *words("install", server, wheels, "vllm==0.17.0")
        )
        assert introduced(report) == [("compare", ["flashinfer-cubin", "flashinfer-python"])]
        assert report["plan"]["commands"][0][-1] == "flashinfer-cubin==0.6.4"
        assert report["environment"]["distributions"] == 4
    same = words("install", "x", wheels, "vllm")
    answered = envaudit("gate", "--snapshot", recorded, *same)
    assert (answered.code, answered.stdout.splitlines()[-1]) == (
        0,
        "pass: the command would change nothing",
    )


def test_a_recorded_environment_is_not_judged_from_a_strange_machine(
    wheels: Path, tmp_path: Path
) -> None:
    place = tmp_path / "recorded.json"
    from envaudit.core import codec

    text = codec.encode(snapshot("torch==2.9.1", python="3.2.1"))
    place.write_text(text)
    asked = words("install", "x", wheels, "vllm")
    answered = envaudit("gate", "--snapshot", place, *asked)
    assert answered.code == 3
    assert "no Python 3.2 is found here" in answered.stderr
    document = json.loads(text)
    document["interpreter"]["markers"]["platform_machine"] = "pdp11"
    del document["digest"]
    place.write_text(json.dumps(document))
    answered = envaudit("gate", "--snapshot", place, *asked)
    assert answered.code == 3


def test_a_hostile_snapshot_writes_nothing_outside(wheels: Path, tmp_path: Path) -> None:
    import sys

    from envaudit.core import codec

    hostile = snapshot(
        distribution("../../../../escaped==1"),
        distribution("torch==../../../../escaped"),
        "torch==2.9.1",
        python=".".join(map(str, sys.version_info[:3])),
    )
    place = tmp_path / "recorded.json"
    place.write_text(codec.encode(hostile))
    report = ask("gate", "--snapshot", place, *words("install", "x", wheels, "torch"))
    assert len([note for note in report["notes"] if "uv was not told of" in note]) == 2
    assert "the snapshot was judged in place of the environment of the command" in report["notes"]
    assert not list(tmp_path.rglob("escaped*"))


@pytest.mark.parametrize("more", [("--save", "plan"), ("--snapshot", "gone.json")])
def test_contradictions_are_usage_errors(
    more: tuple[str, ...], recorded: Path, wheels: Path
) -> None:
    asked = words("install", "x", wheels, "vllm")
    assert envaudit("gate", "--snapshot", recorded, *more, *asked).code == 2
    assert envaudit("gate", "--snapshot", recorded, "--", "pip", "install", "x").code == 2
