"""T2, T1: rows of RECORD that lead out of the environment, or name no file: faults, never opened.

Uninstalling what such a row names would delete a stranger's file, and telling whether it verifies
would tell what is in it.
"""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from envaudit.core.evaluate import evaluate
from envaudit.model.finding import Finding
from envaudit.readers.environment import read_environment
from envaudit.readers.files import measure_files
from tests.kit.bare import Bare, make_venv, put
from tests.kit.environments import base_interpreter
from tests.kit.watching import watch_opened

OWN_ROWS = "x/__init__.py,,\nx-1.dist-info/METADATA,,\nx-1.dist-info/RECORD,,\n"


def environment(folder: Path, rows: str) -> Bare:
    bare = make_venv(folder / "environment")
    put(folder / "secret", "a secret")
    bare.put("x/__init__.py")
    bare.record("x-1.dist-info", RECORD=OWN_ROWS + rows)
    return bare


def judged(bare: Bare) -> tuple[Finding, ...]:
    snapshot = read_environment(bare.root, contents=False)
    return evaluate(snapshot, (), files=measure_files(bare.root, snapshot)).findings


SEGMENTS = some.sampled_from(["..", ".", "", "x", "bin", "lib", "secret", "python3.11", "…", "a b"])
PATHS = some.lists(SEGMENTS, min_size=1, max_size=9).map("/".join)


@given(path=PATHS, digest=some.booleans())
@settings(max_examples=150)
def test_nothing_outside_is_opened_whatever_a_row_names(*, path: str, digest: bool) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bare = environment(folder, f'"{path}",{"sha256=x" if digest else ""},\n')
        base = str(base_interpreter().parent.parent)
        with watch_opened() as opened:
            judged(bare)
        outside = [
            each
            for each in opened
            if each.startswith("/") and not each.startswith((str(bare.root), base))
        ]
        # The module file of what is imported meanwhile is Python's own doing.
        assert [each for each in outside if each.startswith(str(folder))] == []
        assert [each for each in outside if "secret" in each or each.startswith("/etc")] == []


@pytest.mark.parametrize(
    "path",
    [
        "../../../../secret",
        "/etc/passwd",
        "x/../../../../../secret",
        "./",
        ".",
        "..",
        "../../..",
        "../../../lib",
        "x",
        "x/",
        "",
    ],
)
def test_a_row_that_is_no_file_in_here_is_malformed(path: str, tmp_path: Path) -> None:
    found = judged(environment(tmp_path, f"{path},sha256=x,1\n"))

    assert [item.code for item in found if item.severity.value == "error"] == ["record-malformed"]


def test_a_script_lies_outside_of_the_site_directory_and_is_in_order(tmp_path: Path) -> None:
    bare = environment(tmp_path, "../../../bin/x,,\n../../../share/man/x.1,,\n")
    put(bare.root / "bin" / "x")
    put(bare.root / "share" / "man" / "x.1")

    assert "record-malformed" not in {item.code for item in judged(bare)}


def test_a_row_for_the_site_directory_owns_nothing_in_it(tmp_path: Path) -> None:
    bare = environment(tmp_path, "./,,\n../site-packages,,\n")
    bare.put("planted.py")

    assert "files-orphaned" in {item.code for item in judged(bare)}
