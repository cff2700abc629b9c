"""The door for reading: a path that a file of an environment names may be no path at all."""

from pathlib import Path

import pytest

from envaudit.doors import disk

NUL = Path("/no\0where")


def test_a_path_with_a_nul_leads_nowhere() -> None:
    assert not disk.is_there(NUL)
    assert not disk.has_entry(NUL)
    assert not disk.is_folder(NUL)
    assert not disk.is_file(NUL)
    assert not disk.same_file(NUL, NUL)
    assert disk.read_link(NUL) is None
    assert disk.real_path(NUL) == NUL
    with pytest.raises(disk.DiskError):
        disk.resolve_namesake(NUL, depth=1)
    with pytest.raises(disk.DiskError):
        disk.read_file(NUL, limit=1)
