"""The two real environments in ``snapshots/``: exactly what changed, and exactly what is wrong."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from envaudit.core.codec import decode, encode
from envaudit.model.snapshot import Snapshot
from tests.kit.commands import ROOT, ask, envaudit
from tests.kit.environments import uv
from tests.kit.written import write_environment

CHANGED = {
    "cuda-bindings": "downgraded",
    "distro": "added",
    "flashinfer-python": "upgraded",
    "kaldi-native-fbank": "added",
    "nvidia-nvshmem-cu12": "upgraded",
    "openai": "downgraded",
    "opentelemetry-exporter-otlp": "added",
    "opentelemetry-exporter-otlp-proto-grpc": "added",
    "opentelemetry-semantic-conventions-ai": "added",
    "quack-kernels": "added",
    "torch": "upgraded",
    "torch-c-dlpack-ext": "added",
    "torchaudio": "upgraded",
    "torchvision": "upgraded",
    "triton": "upgraded",
    "vllm": "upgraded",
}
PAIR = ["flashinfer-cubin", "flashinfer-python"]
VERSIONS = ("0.16.0", "0.17.0")


@pytest.fixture(params=["stored", "written"])
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    """Name both environments: as stored snapshots, and written out as live environments."""
    if request.param == "stored":
        return "vllm-0.16.0", "vllm-0.17.0"
    written = []
    for version in VERSIONS:
        text = (ROOT / "snapshots" / f"vllm-{version}.json").read_text()
        taken = decode(text, at=version)
        written.append(str(write_environment(with_records(taken), tmp_path / version)))
    return written[0], written[1]


def with_records(snapshot: Snapshot) -> Snapshot:
    """Give each distribution a content id, so that it is written with a RECORD."""
    return replace(
        snapshot,
        distributions=tuple(
            replace(record, content_id=record.label) for record in snapshot.distributions
        ),
    )


def loud(report: dict[str, Any]) -> list[dict[str, Any]]:
    return [item for item in report["findings"] if item["severity"] != "info"]


def test_diff_lists_exactly_the_changed_distributions(pair: tuple[str, str]) -> None:
    report = ask("diff", *pair, folder=ROOT)
    assert report["exit_code"] == 4
    kinds = {item["name"]: item["kind"] for item in report["changes"]}
    kinds.pop("python", None)  # the machine that writes it out may be another one
    assert kinds == CHANGED
    assert all(item["why"] for item in report["changes"] if item["name"] != "python")


def test_the_baseline_alone_suspects_flashinfer_and_nothing_else(pair: tuple[str, str]) -> None:
    before, after = pair
    report = ask("check", after, "--no-builtin-policies", "--baseline", before, folder=ROOT)
    assert {item["code"]: item["distributions"] for item in loud(report)} == {
        "partial-upgrade": PAIR
    }
    assert report["exit_code"] == 0


def test_the_pack_finds_one_error_after_and_none_before(pair: tuple[str, str]) -> None:
    before, after = pair
    assert envaudit("check", before, folder=ROOT).code == 0
    report = ask("check", after, folder=ROOT)
    assert report["exit_code"] == 1
    assert [item["distributions"] for item in loud(report)] == [PAIR]
    assert [item["severity"] for item in loud(report)] == ["error"]


def test_uv_sees_nothing_wrong_in_either(tmp_path: Path) -> None:
    for version in VERSIONS:
        text = (ROOT / "snapshots" / f"vllm-{version}.json").read_text()
        folder = write_environment(decode(text, at=version), tmp_path / version)
        assert uv("pip", "check", "--python", folder).code == 0


@pytest.mark.parametrize("version", VERSIONS)
def test_the_stored_snapshots_are_canonical(version: str) -> None:
    text = (ROOT / "snapshots" / f"vllm-{version}.json").read_text()
    assert encode(decode(text, at=version)) == text
