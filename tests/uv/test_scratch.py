"""Where nothing can be written, a scratch folder says so, as one that could not judge."""

import tempfile
from pathlib import Path

import pytest

from envaudit.model.errors import UnreadableError
from envaudit.uv.scratch import scratch_folder, write_file


def test_a_folder_that_cannot_be_made_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "absent"))
    with pytest.raises(UnreadableError, match="no scratch file can be written"), scratch_folder():
        pass


def test_a_file_that_cannot_be_written_is_said() -> None:
    message = "no scratch file can be written"
    with pytest.raises(UnreadableError, match=message), scratch_folder() as folder:
        write_file(folder, "x" * 300, "")
    assert not folder.exists()
