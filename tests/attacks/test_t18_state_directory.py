"""T18: a state directory that others may write to, links planted in it, and any umask."""

import os
import stat
from pathlib import Path

import pytest

from tests.kit.builders import snapshot
from tests.kit.commands import COMMAND, envaudit
from tests.kit.environments import Outcome, hermetic_variables, run
from tests.kit.written import write_environment

ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """Return an environment to record."""
    return write_environment(snapshot("torch==2.9.1"), tmp_path / "environment")


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """Return the state directory, which is not there yet."""
    return tmp_path / "state"


def _record(environment: Path, state: Path, *command: str) -> Outcome:
    variables = {**hermetic_variables(state.parent), "ENVAUDIT_STATE": str(state)}
    words = command or ("snapshot",)
    return envaudit(*words, "-p", environment, variables=variables, folder=state.parent)


def _shelf(environment: Path, state: Path) -> Path:
    outcome = _record(environment, state)
    assert outcome.code == 0, outcome.stderr
    return Path(outcome.stdout.strip()).parent


def _contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o1777])
@pytest.mark.parametrize("which", ["the state directory", "the shelf"])
def test_a_folder_that_others_may_write_to_is_refused_for_writing_and_reading(
    mode: int, which: str, environment: Path, state: Path
) -> None:
    shelf = _shelf(environment, state)
    before = _contents(state)
    (shelf if which == "the shelf" else state).chmod(mode)

    for command in (("snapshot",), ("diff", "@last"), ("snapshot", "--list")):
        outcome = _record(environment, state, *command)

        assert outcome.code == 3, command
        assert "may be written to by others" in outcome.stderr
        assert "hint: " in outcome.stderr
    assert _contents(state) == before


@ROOT_ONLY
@pytest.mark.parametrize("which", ["the state directory", "the shelf"])
def test_a_folder_of_another_user_is_refused(which: str, environment: Path, state: Path) -> None:
    shelf = _shelf(environment, state)
    os.chown(shelf if which == "the shelf" else state, 65534, 65534)

    outcome = _record(environment, state)

    assert outcome.code == 3
    assert "belongs to another user" in outcome.stderr


def test_a_link_in_the_place_of_the_shelf_is_refused(
    environment: Path, state: Path, tmp_path: Path
) -> None:
    shelf = _shelf(environment, state)
    elsewhere = tmp_path / "elsewhere"
    shelf.rename(elsewhere)
    shelf.symlink_to(elsewhere)
    before = _contents(elsewhere)

    outcome = _record(environment, state)

    assert outcome.code == 3
    assert "is a symbolic link" in outcome.stderr
    assert _contents(elsewhere) == before


def test_a_link_to_the_state_directory_is_the_users_own(
    environment: Path, state: Path, tmp_path: Path
) -> None:
    """Systemd's ``DynamicUser=`` makes ``STATE_DIRECTORY`` one."""
    real = tmp_path / "private"
    real.mkdir(mode=0o700)
    state.symlink_to(real)

    assert _record(environment, state).code == 0
    assert _record(environment, state, "diff", "@last").code == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can plant somebody else's link")
def test_a_link_planted_at_the_destination_is_replaced_and_not_followed(
    environment: Path, tmp_path: Path
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious", encoding="utf-8")
    (tmp_path / "kept.json").symlink_to(victim)
    (tmp_path / "report.txt").symlink_to(victim)
    for name in ("kept.json", "report.txt"):
        os.lchown(tmp_path / name, 12345, 12345)
    words = ("snapshot", "-p", environment, "--to", "kept.json", "-o", "report.txt")

    assert envaudit(*words, folder=tmp_path).code == 0

    assert victim.read_text(encoding="utf-8") == "precious"
    assert not (tmp_path / "kept.json").is_symlink()
    assert not (tmp_path / "report.txt").is_symlink()


def test_a_link_on_the_shelf_is_no_snapshot(environment: Path, state: Path, tmp_path: Path) -> None:
    shelf = _shelf(environment, state)
    (tmp_path / "foreign.json").write_text("{}", encoding="utf-8")
    (shelf / "99991231T000000.000000Z-ffffffffffff.json").symlink_to(tmp_path / "foreign.json")

    assert _record(environment, state, "diff", "@last").code == 0


@pytest.mark.parametrize("umask", ["000", "002", "022", "077"])
def test_whatever_the_umask_nobody_else_may_write(
    umask: str, environment: Path, state: Path, tmp_path: Path
) -> None:
    variables = {**hermetic_variables(tmp_path), "ENVAUDIT_STATE": str(state / "deep" / "er")}
    words = (*COMMAND, "snapshot", "-p", environment)

    outcome = run("/bin/sh", "-c", f'umask {umask}; exec "$@"', "sh", *words, variables=variables)

    assert outcome.code == 0, outcome.stderr
    for path in (state, *state.rglob("*")):
        mode = stat.S_IMODE(path.lstat().st_mode)
        assert mode & 0o027 == 0, (path, oct(mode))


def test_nothing_is_written_to_the_common_folder_for_temporary_files(
    environment: Path, state: Path, tmp_path: Path
) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    variables = {
        **hermetic_variables(tmp_path),
        "ENVAUDIT_STATE": str(state),
        "TMPDIR": str(temporary),
    }
    temporary.chmod(0o500)

    assert envaudit("snapshot", "-p", environment, variables=variables).code == 0
    assert list(temporary.iterdir()) == []
