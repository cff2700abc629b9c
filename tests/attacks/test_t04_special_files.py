"""T4: FIFOs, devices, sockets and files without end in the place of files."""

import os
import socket
from pathlib import Path

import pytest

from envaudit.exits import Exit
from tests.kit.bare import Bare
from tests.kit.verifying import codes, make_installed, verified


@pytest.fixture
def bare(tmp_path: Path) -> Bare:
    return make_installed(tmp_path / "environment")


def test_a_fifo_blocks_nobody(bare: Bare) -> None:
    (bare.site / "pkg" / "core.py").unlink()
    os.mkfifo(bare.site / "pkg" / "core.py")

    assert codes(verified(bare.root)) == ["error[files-irregular]"]


def test_a_socket_is_not_opened(bare: Bare, monkeypatch: pytest.MonkeyPatch) -> None:
    (bare.site / "pkg" / "core.py").unlink()
    monkeypatch.chdir(bare.site / "pkg")  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("core.py")

        assert codes(verified(bare.root)) == ["error[files-irregular]"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes devices")
def test_a_device_is_not_read(bare: Bare) -> None:
    import stat

    (bare.site / "pkg" / "core.py").unlink()
    try:
        os.mknod(bare.site / "pkg" / "core.py", stat.S_IFCHR | 0o666, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("devices cannot be made here")

    assert codes(verified(bare.root)) == ["error[files-irregular]"]


def test_a_hole_of_a_tebibyte_where_a_small_file_was_is_not_read(bare: Bare) -> None:
    with (bare.site / "pkg" / "data.bin").open("r+b") as file:
        file.truncate(2**40)

    report = verified(bare.root)

    assert codes(report) == ["error[files-modified]"]
    assert f"has {2**40} bytes instead of 99" in report.findings[0].evidence[0]


def test_a_hole_of_a_tebibyte_that_record_lists_is_not_read_and_not_passed(bare: Bare) -> None:
    record = bare.site / "pkg-1.dist-info" / "RECORD"
    record.write_text(record.read_text().replace(",99\n", f",{2**40}\n"))
    with (bare.site / "pkg" / "data.bin").open("r+b") as file:
        file.truncate(2**40)

    report = verified(bare.root)

    assert codes(report) == ["warning[files-unreadable]"]
    assert (report.exit, report.complete) == (Exit.UNKNOWN, False)
    assert report.errors


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_unknown(bare: Bare) -> None:
    (bare.site / "pkg" / "core.py").chmod(0)

    report = verified(bare.root)

    assert codes(report) == ["warning[files-unreadable]"]
    assert report.exit is Exit.UNKNOWN
