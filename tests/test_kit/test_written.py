"""A snapshot that was written out is read back as it was, and uv agrees with what it sees."""

import platform
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from envaudit.model.distribution import Origin, OriginKind, Unreadable
from envaudit.model.snapshot import Snapshot
from envaudit.readers.environment import read_environment
from tests.kit.builders import distribution, snapshot
from tests.kit.environments import list_versions, uv
from tests.kit.written import write_environment

RUNNING = platform.python_version()
EVERYTHING = distribution(
    "Foo.Bar==1!2.0+cu128",
    origin=Origin(
        kind=OriginKind.VCS,
        url="https://github.com/example/foo.git",
        revision="0123abc",
        subdirectory="python",
    ),
    tags=("cp311-cp311-linux_x86_64", "cp311-cp311-manylinux_2_28_x86_64"),
    build="3",
    requires=("torch>=2", 'httpx[http2] ; extra == "net" and python_version > "3"'),
    extras=("net", "web-ui"),
    requires_python=">=3.9,<4",
    repositories=("https://github.com/example/bar", "https://github.com/example/foo"),
    installer="uv",
    requested=True,
)


def read_back(written: Snapshot, folder: Path) -> Snapshot:
    """Write and read, and make up for tests that do not run on x86-64 Linux."""
    found = read_environment(write_environment(written, folder))
    assert found.interpreter.version == written.interpreter.version
    if sys.platform == "linux" and platform.machine() == "x86_64":
        return found
    return replace(found, interpreter=written.interpreter)


@pytest.mark.parametrize(
    "written",
    [
        snapshot(),
        snapshot("torch==2.9.1"),
        snapshot("torch==2.9.1", EVERYTHING, "apache-airflow==not a version"),
        snapshot("six==1.16.0", "six==1.17.0", python="3.12.1"),
    ],
    ids=["empty", "plain", "everything", "twice"],
)
def test_a_written_snapshot_is_read_back_equal(written: Snapshot, tmp_path: Path) -> None:
    assert read_back(written, tmp_path / "environment") == written


@pytest.mark.parametrize(
    "origin",
    [
        Origin(kind=OriginKind.ARCHIVE, url="https://example.org/x-1.whl"),
        Origin(kind=OriginKind.PATH, url="file:///src/x"),
        Origin(kind=OriginKind.EDITABLE, url="file:///src/x"),
        Origin(kind=OriginKind.VCS, url="https://example.org/x.git", revision="0123abc"),
    ],
    ids=lambda origin: origin.kind.value,
)
def test_every_origin_is_read_back(origin: Origin, tmp_path: Path) -> None:
    written = snapshot(distribution("x==1", origin=origin))

    assert read_back(written, tmp_path / "environment") == written


def test_what_equality_leaves_out_is_read_back_too(tmp_path: Path) -> None:
    (found,) = read_back(snapshot(EVERYTHING), tmp_path / "environment").distributions

    assert (found.installer, found.requested) == ("uv", True)


def test_content_ids_differ_exactly_where_they_did(tmp_path: Path) -> None:
    def content_id(name: str, written: str | None) -> str | None:
        entry = distribution("x==1", content_id=written)
        (found,) = read_back(snapshot(entry), tmp_path / name).distributions
        return found.content_id

    assert content_id("one", "sha256:1") == content_id("same", "sha256:1")
    assert content_id("again", "sha256:1") != content_id("other", "sha256:2")
    assert content_id("none", None) is None


def test_uv_sees_what_was_written(tmp_path: Path) -> None:
    written = snapshot(
        distribution("vllm==0.16.0", requires=("torch==2.9.1",)), "torch==2.9.1", python=RUNNING
    )

    folder = write_environment(written, tmp_path / "environment")

    assert list_versions(folder) == {"torch": "2.9.1", "vllm": "0.16.0"}
    assert uv("pip", "check", "--python", folder).code == 0


def test_uv_sees_an_unmet_requirement_that_was_written(tmp_path: Path) -> None:
    written = snapshot(
        distribution("vllm==0.16.0", requires=("torch==2.9.1",)), "torch==2.9.0", python=RUNNING
    )

    checked = uv("pip", "check", "--python", write_environment(written, tmp_path / "environment"))

    assert checked.code == 1
    assert "torch==2.9.1" in checked.stderr


def test_a_benchmark_gets_as_many_modules_as_it_asks_for(tmp_path: Path) -> None:
    written = snapshot(distribution("a-b==1", content_id="sha256:1"))

    folder = write_environment(written, tmp_path / "environment", modules=300)

    assert len(list(folder.glob("lib/*/site-packages/a_b/*.py"))) == 300
    (record,) = folder.glob("lib/*/site-packages/*.dist-info/RECORD")
    assert len(record.read_text().splitlines()) == 300 + len(("METADATA", "WHEEL", "RECORD"))


@pytest.mark.parametrize(
    "impossible",
    [
        snapshot(unreadable=(Unreadable(folder="x", part="METADATA", reason="is a link"),)),
        snapshot(distribution("x==1", requires=None)),
    ],
    ids=["unreadable", "requirements not known"],
)
def test_what_cannot_be_written_is_refused(impossible: Snapshot, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"cannot be written|not known"):
        write_environment(impossible, tmp_path / "environment")
