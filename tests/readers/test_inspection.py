"""What is in files, and what nobody listed: each shape alone, and nothing outside opened."""

import os
from pathlib import Path

import pytest

from envaudit.doors.digests import Status
from envaudit.model.inspection import BytecodeState, Inspection
from envaudit.readers.environment import read_environment
from envaudit.readers.files import measure_files
from envaudit.readers.inspection import Progress, Wish, inspect_files
from tests.kit.bare import Bare
from tests.kit.records import digest
from tests.kit.verifying import SITE, add_distribution, codes, make_installed, verified

MAGIC_311 = (3495).to_bytes(2, "little") + b"\r\n"


@pytest.fixture
def bare(tmp_path: Path) -> Bare:
    return make_installed(tmp_path / "environment")


def inspect(bare: Bare, wish: Wish | None = None) -> Inspection:
    snapshot = read_environment(bare.root, contents=False)
    files = measure_files(bare.root, snapshot)
    found = inspect_files(bare.root, snapshot, files, wish or Wish()).files.inspection
    assert found is not None
    return found


def deviations(bare: Bare) -> list[tuple[str, str, str]]:
    return [
        (one.path.removeprefix(f"{SITE}/"), one.kind.value, one.reason)
        for tally in inspect(bare).tallies
        for one in tally.deviations
    ]


def relist(bare: Bare, path: str, listed: str) -> None:
    """Give the row of ``path`` another digest."""
    record = bare.site / "pkg-1.dist-info" / "RECORD"
    old = digest((bare.site / path).read_bytes())
    text = record.read_text()
    assert old in text
    record.write_text(text.replace(old, listed))


@pytest.mark.parametrize(
    "listed",
    [
        "md5=1mJqHUz9Rk7fRJp6mC4EnA",
        "sha256=0000000000000000000000000000000000000000000000000000000000000000",
    ],
)
def test_digests_of_other_algorithms_and_spellings_are_compared(bare: Bare, listed: str) -> None:
    relist(bare, "pkg/core.py", listed)

    assert deviations(bare) == [("pkg/core.py", "modified", "has other content")]


def test_a_hexadecimal_digest_that_is_right_is_right(bare: Bare) -> None:
    import hashlib

    content = (bare.site / "pkg/core.py").read_bytes()
    relist(bare, "pkg/core.py", f"sha256={hashlib.sha256(content).hexdigest()}")
    relist(bare, "pkg/__init__.py", _sha512(bare.site / "pkg/__init__.py"))

    (tally,) = inspect(bare).tallies
    assert (tally.verified, tally.deviations) == (6, ())


def _sha512(path: Path) -> str:
    import base64
    import hashlib

    raw = hashlib.sha512(path.read_bytes()).digest()
    return f"sha512={base64.urlsafe_b64encode(raw).decode().rstrip('=')}"


@pytest.mark.parametrize("listed", ["", "crc32=abc", "shake_128=abc", "sha256="])
def test_a_row_without_a_digest_that_can_be_compared_is_never_verified(
    bare: Bare, listed: str
) -> None:
    relist(bare, "pkg/core.py", listed)

    (tally,) = inspect(bare).tallies

    assert (tally.verified, tally.unverifiable, tally.deviations) == (5, 1, ())


def test_a_link_is_not_opened(bare: Bare, opened: list[str]) -> None:
    (bare.site / "pkg/core.py").unlink()
    (bare.site / "pkg/core.py").symlink_to("/etc/passwd")

    assert deviations(bare) == [("pkg/core.py", "irregular", "is a symbolic link")]
    assert not any("passwd" in path for path in opened)


def test_a_folder_that_became_a_link_is_not_entered(
    bare: Bare, tmp_path: Path, opened: list[str]
) -> None:
    (bare.site / "pkg").rename(tmp_path / "elsewhere")
    (bare.site / "pkg").symlink_to(tmp_path / "elsewhere")

    found = deviations(bare)

    assert [(path, kind) for path, kind, _ in found] == [
        ("pkg/__init__.py", "irregular"),
        ("pkg/core.py", "irregular"),
        ("pkg/data.bin", "irregular"),
    ]
    assert not any("elsewhere" in path for path in opened)


def test_a_fifo_and_a_folder_are_what_they_are(bare: Bare) -> None:
    (bare.site / "pkg/core.py").unlink()
    os.mkfifo(bare.site / "pkg/core.py")
    (bare.site / "pkg/data.bin").unlink()
    (bare.site / "pkg/data.bin").mkdir()

    standings = {path: reason for path, _, reason in deviations(bare)}

    assert "FIFO" in standings["pkg/core.py"]
    assert standings["pkg/data.bin"] == "is a folder"


def test_rows_outside_of_the_environment_are_not_opened(bare: Bare, opened: list[str]) -> None:
    record = bare.site / "pkg-1.dist-info" / "RECORD"
    rows = "../../../../../../etc/passwd,sha256=abc,1\n/etc/hosts,sha256=abc,1\n"
    record.write_text(rows + record.read_text())

    inspect(bare)

    assert not any("etc" in path.split("/") for path in opened)


def test_what_two_records_claim_is_verified_for_the_one_whose_it_is(bare: Bare) -> None:
    add_distribution(bare, "other", {"pkg/core.py": "OTHER = 1\n"})

    found = {tally.record.rpartition("/")[2]: tally for tally in inspect(bare).tallies}

    assert found["other-1.dist-info"].verified == 4
    assert found["pkg-1.dist-info"].deviations == ()
    assert found["pkg-1.dist-info"].verified == 5


def test_what_neither_of_two_records_brought_deviates_for_both(bare: Bare) -> None:
    add_distribution(bare, "other", {"pkg/core.py": "OTHER = 1\n"})
    bare.put("pkg/core.py", "edited\n")

    assert len(deviations(bare)) == 2


def test_scripts_elsewhere_in_the_environment_are_verified(bare: Bare) -> None:
    bare.put("../../../bin/tool", "#!/bin/sh\n")
    record = bare.site / "pkg-1.dist-info" / "RECORD"
    listed = digest(b"#!/bin/sh\n")
    row = f"../../../bin/tool,{listed},10\n"
    record.write_text(row + record.read_text())
    assert deviations(bare) == []

    bare.put("../../../bin/tool", "#!/bin/zh\n")
    assert deviations(bare) == [("bin/tool", "modified", "has other content")]


def test_lib64_is_lib(bare: Bare) -> None:
    record = bare.site / "pkg-1.dist-info" / "RECORD"
    (bare.root / "lib64").symlink_to("lib")
    bare.put("extra.py", "")
    row = f"../../../lib64/python3.11/site-packages/extra.py,{digest(b'')},0\n"
    record.write_text(row + record.read_text())

    (tally,) = inspect(bare).tallies
    assert (tally.verified, tally.deviations) == (7, ())


# -- bytecode


def compiled(bare: Bare, head: bytes, name: str = "core.cpython-311.pyc") -> list[str]:
    bare.put(f"pkg/__pycache__/{name}", head + b"code")
    return [one.state.value for one in inspect(bare).bytecode]


def test_bytecode_with_the_time_and_size_of_its_source_is_in_order(bare: Bare) -> None:
    source = (bare.site / "pkg/core.py").stat()
    head = MAGIC_311 + bytes(4) + int(source.st_mtime).to_bytes(4, "little")

    assert compiled(bare, head + (8).to_bytes(4, "little")) == []
    assert compiled(bare, head + (9).to_bytes(4, "little")) == [BytecodeState.STALE]


def test_unchecked_bytecode_is_named_by_whether_it_has_the_hash_of_its_source(bare: Bare) -> None:
    import _imp

    source = (bare.site / "pkg/core.py").read_bytes()
    right = _imp.source_hash(int.from_bytes(MAGIC_311, "little"), source)
    unchecked, checked = (1).to_bytes(4, "little"), (3).to_bytes(4, "little")

    assert compiled(bare, MAGIC_311 + unchecked + right) == [BytecodeState.UNCHECKED]
    assert compiled(bare, MAGIC_311 + unchecked + bytes(8)) == [BytecodeState.FOREIGN]
    assert compiled(bare, MAGIC_311 + checked + right) == []
    assert compiled(bare, MAGIC_311 + checked + bytes(8)) == [BytecodeState.STALE]


@pytest.mark.parametrize(
    ("head", "state"),
    [
        (b"", BytecodeState.STALE),
        (MAGIC_311, BytecodeState.STALE),
        (MAGIC_311 + (8).to_bytes(4, "little") + bytes(8), BytecodeState.STALE),
    ],
)
def test_what_no_python_runs_is_stale(bare: Bare, head: bytes, state: BytecodeState) -> None:
    bare.put("pkg/__pycache__/core.cpython-311.pyc", head)

    assert [one.state for one in inspect(bare).bytecode] == [state]


def test_bytecode_without_a_source_is_an_orphan(bare: Bare) -> None:
    assert compiled(bare, MAGIC_311 + bytes(12), "gone.cpython-311.pyc") == [BytecodeState.ORPHAN]


def test_bytecode_of_another_python_is_not_looked_at(bare: Bare) -> None:
    assert compiled(bare, b"", "core.cpython-312.pyc") == []


def test_optimised_bytecode_is_looked_at(bare: Bare) -> None:
    assert compiled(bare, bytes(16), "core.cpython-311.opt-2.pyc") == [BytecodeState.STALE]


def test_byte_code_that_is_a_fifo_is_not_opened(bare: Bare) -> None:
    (bare.site / "pkg/__pycache__").mkdir()
    os.mkfifo(bare.site / "pkg/__pycache__/core.cpython-311.pyc")

    assert inspect(bare).bytecode == ()


def test_an_environment_that_went_away_is_not_complete(bare: Bare, tmp_path: Path) -> None:
    snapshot = read_environment(bare.root, contents=False)
    files = measure_files(bare.root, snapshot)
    bare.root.rename(tmp_path / "gone")

    found = inspect_files(bare.root, snapshot, files, Wish()).files.inspection

    assert found == Inspection(complete=False)


@pytest.mark.parametrize(
    ("mode", "code"),
    [
        (0o666, "warning[files-permissions]"),
        (0o4755, "error[files-permissions]"),
        (0o2755, "error[files-permissions]"),
    ],
)
def test_permissions_that_no_installer_gives_are_found(bare: Bare, mode: int, code: str) -> None:
    (bare.site / "pkg" / "core.py").chmod(mode)

    assert codes(verified(bare.root)) == [code]


@pytest.mark.parametrize("mode", [0o400, 0o600, 0o664, 0o755, 0o775])
def test_permissions_that_some_umask_gives_are_in_order(bare: Bare, mode: int) -> None:
    (bare.site / "pkg" / "core.py").chmod(mode)

    assert codes(verified(bare.root)) == []


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o2775])
def test_a_folder_in_which_anybody_may_exchange_files_is_one(bare: Bare, mode: int) -> None:
    (bare.site / "pkg").chmod(mode)

    assert codes(verified(bare.root)) == (["warning[files-permissions]"] if mode == 0o777 else [])


@pytest.mark.parametrize("again", [False, True], ids=["read", "known"])
def test_the_last_that_is_told_is_all_that_there_is(bare: Bare, *, again: bool) -> None:
    snapshot = read_environment(bare.root, contents=False)
    files = measure_files(bare.root, snapshot)
    known = _remember(bare) if again else {}
    told: list[Progress] = []
    found = inspect_files(bare.root, snapshot, files, Wish(known=known, tell=told.append))
    last = told[-1]
    assert (last.files, last.size) == (last.all_files, last.all_size)
    assert last.all_files > 3
    assert found.files.inspection is not None
    assert found.files.inspection.known == (last.files if again else 0)


def _remember(bare: Bare) -> dict[str, str]:
    """Return digests by what their files are known by, as an earlier run would have kept them."""
    return {
        Status.of(path.stat()).identity: digest(path.read_bytes())
        for path in bare.site.rglob("*")
        if path.is_file()
    }


def test_a_row_with_the_first_bytes_of_bytecode_for_a_digest_verifies_nothing(bare: Bare) -> None:
    path = "pkg/__pycache__/core.cpython-311.pyc"
    head = MAGIC_311 + bytes(12)
    listed = f"={head.hex()}"
    bare.put(path, head)
    with (bare.site / "pkg-1.dist-info" / "RECORD").open("a") as record:
        record.write(f"{path},{listed},{len(head)}\n")
    known = {Status.of((bare.site / path).stat()).identity: listed}

    (read,), (again,) = inspect(bare).tallies, inspect(bare, Wish(known=known)).tallies

    assert again.verified == read.verified


@pytest.mark.parametrize("size", ["\N{SUPERSCRIPT TWO}", "9" * 5000], ids=["no decimal", "endless"])
def test_a_size_that_no_file_has_is_none(bare: Bare, size: str) -> None:
    record = bare.site / "pkg-1.dist-info" / "RECORD"
    record.write_text(record.read_text().replace(",99\n", f",{size}\n"), encoding="utf-8")

    assert deviations(bare) == []
