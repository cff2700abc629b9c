"""T14: a uv from a hostile ``PATH``, or one that others could have replaced."""

from pathlib import Path

import pytest

from envaudit.doors.ownership import find_open_to_others
from envaudit.model.errors import UnreadableError
from envaudit.uv.binary import Uv, find_uv
from tests.kit.builders import distribution, snapshot
from tests.kit.commands import envaudit
from tests.kit.environments import hermetic_variables
from tests.kit.hostile import pretend_uv, write_program
from tests.kit.written import write_environment


def _find(monkeypatch: pytest.MonkeyPatch, program: Path | None, *, as_root: bool = False) -> Uv:
    """Find uv where ``program`` is the one beside envaudit."""

    def find_uv_bin() -> str:
        if program is None:
            raise FileNotFoundError
        return str(program)

    monkeypatch.setattr("uv.find_uv_bin", find_uv_bin)
    return find_uv({"PATH": ""}, Path("/"), as_root=as_root)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Return a program that says that it is a uv."""
    tmp_path.chmod(0o755)
    return write_program(tmp_path / "bin" / "uv", "echo uv 99.0.0")


def test_a_uv_that_its_owner_alone_may_replace_is_asked(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _find(monkeypatch, program).path == program
    assert _find(monkeypatch, program, as_root=True).path == program


@pytest.mark.parametrize("what", ["the binary", "its folder", "a folder above"])
@pytest.mark.parametrize("as_root", [True, False])
def test_a_uv_that_the_world_may_replace_is_refused(
    what: str, program: Path, monkeypatch: pytest.MonkeyPatch, *, as_root: bool
) -> None:
    place = {"the binary": program, "its folder": program.parent}.get(what, program.parents[1])
    place.chmod(0o777)

    with pytest.raises(UnreadableError, match=f"`{place}` may be written to") as caught:
        _find(monkeypatch, program, as_root=as_root)

    assert f"chmod {'go-w' if as_root else 'o-w'} {place}" in str(caught.value.problems[0].hint)


def test_a_group_counts_for_root_alone(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program.parent.chmod(0o775)

    assert _find(monkeypatch, program, as_root=False).path == program
    with pytest.raises(UnreadableError, match="its group or others"):
        _find(monkeypatch, program, as_root=True)


def test_a_sticky_folder_is_none_that_others_can_replace_things_in(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program.parents[1].chmod(0o1777)

    assert _find(monkeypatch, program).path == program


def test_both_a_link_and_where_it_leads_are_looked_at(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    safe, open_to_all = tmp_path / "safe", tmp_path / "open"
    write_program(safe / "uv")
    open_to_all.mkdir()
    (open_to_all / "uv").symlink_to(safe / "uv")
    open_to_all.chmod(0o777)
    assert find_open_to_others(open_to_all / "uv", group=False) == open_to_all

    write_program(open_to_all / "other")
    (safe / "other").symlink_to(open_to_all / "other")
    assert find_open_to_others(safe / "other", group=False) == open_to_all


def test_root_never_takes_the_uv_of_a_path(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uv.find_uv_bin", lambda: (_ for _ in ()).throw(FileNotFoundError))
    variables = {"PATH": str(program.parent)}

    assert find_uv(variables, Path("/"), as_root=False).path == program
    with pytest.raises(UnreadableError, match="no uv is found beside envaudit"):
        find_uv(variables, Path("/"), as_root=True)


@pytest.mark.parametrize("path", ["", "EVIL"])
def test_the_uv_beside_envaudit_is_asked_whatever_the_path_says(path: str, tmp_path: Path) -> None:
    evil = write_program(tmp_path / "evil" / "uv", f": > {tmp_path}/canary", "echo uv 99.0.0")
    good = write_program(tmp_path / "good" / "uv", f": > {tmp_path}/asked", "echo uv 99.0.0")
    broken = snapshot(distribution("needy==1", requires=("missing",)))
    environment = write_environment(broken, tmp_path / "environment")
    variables = {
        **hermetic_variables(tmp_path / "home"),
        **pretend_uv(tmp_path / "modules", good),
        "PATH": path.replace("EVIL", str(evil.parent)),
    }

    outcome = envaudit("fix", "-p", environment, folder=tmp_path, variables=variables)

    assert outcome.code == 3, outcome.stderr
    assert (tmp_path / "asked").exists()
    assert not (tmp_path / "canary").exists()
