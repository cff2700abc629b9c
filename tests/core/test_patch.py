"""Patches, by what ``patch -p1`` makes of them."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envaudit.core.patch import compose_patch

PATCH = shutil.which("patch")
LINES = st.lists(
    st.sampled_from([b"", b"x", b"--- a/y", b"+++ b/y", b"@@ -1 +1 @@", b"\\", b"a\rb", b"c\r"])
    | st.binary(max_size=6).filter(lambda line: b"\n" not in line and b"\0" not in line)
).map(b"\n".join)


@pytest.mark.skipif(PATCH is None, reason="there is no `patch` here")
@settings(max_examples=60, deadline=None)
@given(LINES, LINES)
@pytest.mark.parametrize("path", ["pkg/core.py", "a folder/with blanks.py", "pkg/é.py"])
def test_it_makes_the_one_of_the_other_byte_for_byte(
    path: str, before: bytes, after: bytes
) -> None:
    text = compose_patch(path, before, after)
    assert text is not None

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, path)
        file.parent.mkdir()
        file.write_bytes(before)
        Path(folder, "fixes.patch").write_bytes(text.encode("utf-8", "surrogateescape"))
        command = ["patch", "-p1", "--silent", "-i", "fixes.patch"]
        if text:
            subprocess.run(command, cwd=folder, check=True, capture_output=True)

        assert (file.read_bytes() if file.exists() else b"") == after


@pytest.mark.parametrize(
    ("path", "content"),
    [("a\tb", b""), ("a\nb", b""), ("a\x1b[2J", b""), ("core.py", b"\0"), ("a\udcff", b"")],
)
def test_what_no_patch_can_hold_is_none(path: str, content: bytes) -> None:
    assert compose_patch(path, b"before\n", content) is None
