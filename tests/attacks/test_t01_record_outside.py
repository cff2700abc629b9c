"""T1: a RECORD that names files outside of the environment is no way to have them hashed."""

import hashlib
from base64 import urlsafe_b64encode
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tests.kit.verifying import codes, make_installed, verified


@pytest.mark.parametrize("row", ["{up}{secret}", "{secret}", "pkg/../{up}{secret}", "/{secret}"])
def test_nobody_learns_whether_a_file_outside_has_a_digest(
    row: str, tmp_path: Path, opened: list[str]
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("the secret\n")
    bare = make_installed(tmp_path / "environment")
    record = bare.site / "pkg-1.dist-info" / "RECORD"
    sound = record.read_text()
    path = row.format(up="../" * 40, secret=str(secret).lstrip("/" if "up" in row else ""))
    answers = []
    opened.clear()
    for guess in (b"the secret\n", b"a wrong one"):
        digest = urlsafe_b64encode(hashlib.sha256(guess).digest()).decode().rstrip("=")
        record.write_text(f"{path},sha256={digest},11\n{sound}")
        report = verified(bare.root)
        answers.append((report.findings, report.lines, report.data))

    assert answers[0] == answers[1]
    assert not any("secret" in path for path in opened)


@given(some.lists(some.sampled_from(["..", ".", "", "pkg", "bin", "etc", "passwd"]), min_size=1))
def test_no_row_leads_out(parts: list[str]) -> None:
    from envaudit.readers.manifests import normalise

    path = "/".join(parts)
    place = normalise("lib/python3.11/site-packages", path) if path else None

    assert place is None or not place.startswith(("..", "/"))


def test_scripts_that_lie_outside_of_the_site_directory_are_no_attack(tmp_path: Path) -> None:
    bare = make_installed(tmp_path / "environment")
    bare.put("../../../bin/tool", "#!/bin/sh\n")
    listed = urlsafe_b64encode(hashlib.sha256(b"#!/bin/sh\n").digest()).decode().rstrip("=")
    record = bare.site / "pkg-1.dist-info" / "RECORD"
    record.write_text(f"../../../bin/tool,sha256={listed},10\n{record.read_text()}")

    assert codes(verified(bare.root)) == []
