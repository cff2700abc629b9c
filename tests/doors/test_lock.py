"""One change at a time: a lock is waited for within bounds, and a dead holder holds nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

from envaudit.doors.lock import hold
from envaudit.model.errors import BusyError, UnreadableError
from tests.kit.commands import ROOT

HOLDER = f"""\
import sys
sys.path.insert(0, {str(ROOT)!r})
from pathlib import Path
from envaudit.doors.lock import hold
with hold(Path(sys.argv[1]), 0):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_lock_that_is_held_is_busy_and_free_once_its_holder_is_killed(tmp_path: Path) -> None:
    place = tmp_path / "lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(BusyError), hold(place, 0):
            pass
        holder.kill()
        holder.wait()
        with hold(place, 0):
            assert place.stat().st_mode & 0o077 == 0


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnreadableError), hold(tmp_path / "lock", 0):
        pass
    assert not (tmp_path / "elsewhere").exists()
