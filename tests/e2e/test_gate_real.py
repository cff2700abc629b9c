"""The gate on the real environment of 178 distributions: real uv, wheels with real requirements."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from envaudit.core.codec import decode
from envaudit.model.snapshot import Snapshot
from tests.kit.commands import ROOT, ask, envaudit, introduced
from tests.kit.environments import find_site
from tests.kit.wheels import Wheel, build_wheel
from tests.kit.written import write_environment

_HERE = f"{sys.version_info.major}.{sys.version_info.minor}"

pytestmark = pytest.mark.skipif(
    _HERE != "3.11" or sys.platform != "linux", reason="the environment is of Python 3.11 on Linux"
)


def taken(version: str) -> Snapshot:
    """Read a real environment; each distribution gets a content id, to be written with a RECORD."""
    snapshot = decode((ROOT / "snapshots" / f"vllm-{version}.json").read_text(), at=version)
    records = (replace(record, content_id=record.label) for record in snapshot.distributions)
    return replace(snapshot, distributions=tuple(records))


@pytest.fixture
def real(tmp_path: Path) -> Path:
    """Write the environment with vllm 0.16.0."""
    return write_environment(taken("0.16.0"), tmp_path / "real")


@pytest.fixture
def releases(index: Path) -> Path:
    """Build what the upgrade brings, with its real requirements."""
    before = {record.label for record in taken("0.16.0").distributions}
    for record in taken("0.17.0").distributions:
        if record.label not in before:
            extras: dict[str, tuple[str, ...]] = dict.fromkeys(record.extras, ())
            requires = record.requires or ()
            wheel = Wheel(record.name, record.version, requires=requires, extras=extras)
            build_wheel(wheel, index)
    build_wheel(Wheel("flashinfer-cubin", "0.6.4"), index)
    return index


def listing(environment: Path) -> list[tuple[str, int]]:
    site = find_site(environment)
    return sorted((str(path), path.lstat().st_mtime_ns) for path in site.rglob("*"))


def test_the_upgrade_is_refused_named_and_put_right(real: Path, releases: Path) -> None:
    before = listing(real)
    index = ("--no-index", "--find-links", releases)
    report = ask("gate", "--", "uv", "pip", "install", "-p", real, *index, "vllm==0.17.0")
    assert report["exit_code"] == 1, report["errors"]
    assert report["environment"]["distributions"] == 178
    assert introduced(report) == [("compare", ["flashinfer-cubin", "flashinfer-python"])]
    right = report["plan"]["commands"][0]
    assert right[-2:] == ["vllm==0.17.0", "flashinfer-cubin==0.6.4"]
    answered = envaudit("gate", "--", *right)
    assert answered.code == 0, answered.stdout
    assert listing(real) == before
