"""T7, T10: absent, empty, unreadable and malformed are four things; and so are two identities."""

from collections.abc import Callable
from pathlib import Path

import pytest

from envaudit.core.evaluate import evaluate
from envaudit.model.finding import Finding
from envaudit.readers.environment import read_environment
from envaudit.readers.files import measure_files
from tests.kit.bare import Bare, make_venv
from tests.kit.judging import rule

Damage = Callable[[Path], None]


@pytest.fixture
def bare(tmp_path: Path) -> Bare:
    found = make_venv(tmp_path / "environment")
    found.put("x.py")
    found.record("x-1.dist-info", RECORD="x.py,,\nx-1.dist-info/METADATA,,\n")
    return found


def judged(bare: Bare) -> list[Finding]:
    snapshot = read_environment(bare.root)
    forbidden = rule('forbid = "x<2"\n')
    files = measure_files(bare.root, snapshot)
    return list(evaluate(snapshot, (forbidden,), files=files).findings)


def replace_by(content: bytes) -> Damage:
    def damage(path: Path) -> None:
        path.write_bytes(content)

    return damage


def remove(path: Path) -> None:
    path.unlink()


def make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


STATES: tuple[tuple[Damage, str], ...] = (
    (remove, "is not there"),
    (replace_by(b""), "has no name or no version"),
    (make_folder, "is not a regular file"),
    (replace_by(b"Name: x\nVersion: 1\nAuthor: \xff\n"), "is not UTF-8"),
)


@pytest.mark.parametrize(("damage", "said"), STATES)
def test_four_states_of_metadata_are_told_apart(bare: Bare, damage: Damage, said: str) -> None:
    damage(bare.site / "x-1.dist-info" / "METADATA")

    (finding,) = (item for item in judged(bare) if item.code == "distribution-incomplete")
    assert finding.severity.value == "error"
    assert said in finding.message


@pytest.mark.parametrize(
    ("damage", "code", "said"),
    [
        (remove, "record-missing", "has no RECORD"),
        (replace_by(b"\n"), "record-malformed", "not in order"),
        (make_folder, "record-malformed", "is not a regular file"),
        (replace_by(b"\xff.py,,\n"), "record-malformed", "not in order"),
    ],
)
def test_states_of_record_are_told_apart(bare: Bare, damage: Damage, code: str, said: str) -> None:
    damage(bare.site / "x-1.dist-info" / "RECORD")

    (finding,) = (item for item in judged(bare) if item.code == code)
    assert said in finding.message


def test_an_empty_list_of_files_is_no_sound_one(bare: Bare) -> None:
    (bare.site / "x-1.dist-info" / "RECORD").write_bytes(b"")

    assert {item.code for item in judged(bare)} & {"record-malformed", "record-missing"}


@pytest.mark.parametrize(
    ("folder", "headers", "code"),
    [
        ("x-2.dist-info", "Name: x\nVersion: 1.5\n", "name-mismatch"),
        ("y-1.dist-info", "Name: x\nVersion: 1\n", "name-mismatch"),
        ("x-3.dist-info", "Name: x\nVersion: 3\n", "distribution-duplicate"),
        ("X-1.0.dist-info", "Name: X\nVersion: 1.0\n", "distribution-duplicate"),
        ("x-3.egg-info", "Name: x\nVersion: 3\n", "distribution-duplicate"),
        ("x-0.dist-info", "", "distribution-duplicate"),
    ],
)
def test_two_identities_are_named_and_the_worse_one_is_judged(
    bare: Bare, folder: str, headers: str, code: str
) -> None:
    file = "PKG-INFO" if folder.endswith("egg-info") else "METADATA"
    bare.put(f"{folder}/{file}", headers)

    codes = {item.code for item in judged(bare)}
    assert code in codes
    assert "forbidden" in codes
