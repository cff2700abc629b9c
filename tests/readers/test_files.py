"""Files measured against RECORDs, and nothing outside of the environment looked at."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from envaudit.doors.disk import Folder
from envaudit.doors.tree import Tree, list_tree
from envaudit.model.files import Files, ManifestState
from envaudit.readers import files
from envaudit.readers.contents import verifies
from envaudit.readers.environment import read_environment
from envaudit.readers.files import measure_files
from envaudit.readers.manifests import normalise
from tests.kit.builders import distribution, snapshot
from tests.kit.environments import find_site
from tests.kit.records import digest
from tests.kit.written import write_environment

SITE = "lib/python3.11/site-packages"


@pytest.fixture
def written(tmp_path: Path) -> Path:
    return write_environment(
        snapshot(distribution("six==1.16.0", content_id="sha256:1")), tmp_path / "environment"
    )


def measure(environment: Path) -> Files:
    return measure_files(environment, read_environment(environment, contents=False))


def append(environment: Path, rows: str) -> None:
    record = find_site(environment) / "six-1.16.0.dist-info" / "RECORD"
    record.write_text(record.read_text() + rows)


def test_a_sound_environment_lacks_nothing(written: Path) -> None:
    (manifest,) = measure(written).manifests

    assert manifest.folder == f"{SITE}/six-1.16.0.dist-info"
    assert (manifest.missing, manifest.dangling, manifest.faults) == ((), (), ())


def test_byte_code_that_is_not_there_is_not_missing(written: Path) -> None:
    append(written, "__pycache__/six.cpython-311.pyc,,\n")

    assert measure(written).manifests[0].missing == ()


def test_what_lies_elsewhere_in_the_environment_is_looked_for_there(written: Path) -> None:
    append(written, "../../../bin/python,,\n../../../bin/gone,,\n../../../share/no/such,,\n")

    assert measure(written).manifests[0].missing == ("bin/gone", "share/no/such")


@pytest.mark.parametrize(
    "row",
    [
        "../../../../etc/passwd",
        "/etc/passwd",
        "six/../../../../../etc/passwd",
        "//etc/passwd",
        "./",
        ".",
        "..",
        "../../..",
    ],
)
def test_a_row_outside_of_the_environment_is_a_fault_and_nothing_is_opened(
    written: Path, row: str, opened: list[str]
) -> None:
    append(written, f"{row},sha256=abc,1\n")

    (manifest,) = measure(written).manifests

    assert "no file inside" in manifest.faults[0].reason
    assert not any("etc" in path for path in opened)


@pytest.mark.parametrize("row", ["package/", "package", "./package"])
def test_a_row_that_names_a_folder_is_a_fault(written: Path, row: str) -> None:
    (find_site(written) / "package").mkdir()
    append(written, f"{row},,\n")

    (manifest,) = measure(written).manifests

    assert "names the folder" in manifest.faults[0].reason
    assert manifest.missing == ()


@given(some.lists(some.sampled_from(["..", ".", "", "a", "lib", "etc"]), min_size=1, max_size=9))
def test_no_place_leaves_the_environment(parts: list[str]) -> None:
    path = "/".join(parts)
    place = normalise(SITE, path) if path else None

    if place is not None:
        resolved = os.path.normpath(f"/root/environment/{SITE}/{path}")
        assert resolved == f"/root/environment/{place}"


def test_a_link_to_a_folder_is_not_followed(written: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (find_site(written) / "linked").symlink_to(tmp_path / "outside")
    append(written, "linked/gone.py,sha256=abc,1\n")

    assert measure(written).manifests[0].missing == ()


def test_a_record_that_is_absent_and_one_that_cannot_be_read_are_told_apart(written: Path) -> None:
    record = find_site(written) / "six-1.16.0.dist-info" / "RECORD"
    record.unlink()
    assert measure(written).manifests[0].state is ManifestState.ABSENT

    record.mkdir()
    (manifest,) = measure(written).manifests
    assert (manifest.state, manifest.reason) == (ManifestState.UNREADABLE, "is not a regular file")


def test_a_fifo_in_the_place_of_record_blocks_nobody(written: Path) -> None:
    record = find_site(written) / "six-1.16.0.dist-info" / "RECORD"
    record.unlink()
    os.mkfifo(record)

    assert measure(written).manifests[0].state is ManifestState.UNREADABLE


def test_what_changes_while_it_is_looked_at_is_said_to_be_unmeasured(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = read_environment(written, contents=False)
    numbers = iter(range(9))

    def list_and_install(folder: Folder, skip: frozenset[str]) -> Tree:
        tree = list_tree(folder, skip)
        (find_site(written) / f"new{next(numbers)}.py").touch()
        return tree

    monkeypatch.setattr(files, "list_tree", list_and_install)

    found = measure_files(written, taken)

    assert found.manifests == ()
    assert "changed while" in found.unmeasured[0][1]


@pytest.mark.parametrize(
    ("listed", "answer"),
    [
        (digest(b"x"), True),
        (digest(b"y"), False),
        ("md5=nf8tiB9bbRIMp5XDSnsv-A", None),
        ("shake_128=abc", None),
        ("crc=abc", None),
        ("sha256=2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881", True),
    ],
)
def test_digests_of_every_kind_are_compared_or_said_to_be_unknown(
    listed: str, *, answer: bool | None
) -> None:
    if listed.startswith("md5"):
        assert verifies(b"x", listed) is not None
    else:
        assert verifies(b"x", listed) is answer
