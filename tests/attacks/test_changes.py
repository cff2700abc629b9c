"""T15, T16, T18, T21, T22: attacks on a change, from before its gate to the way back.

Each ends in the stated exit code, with the environment as it was.
"""

import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.test_apply import module, words
from tests.kit.commands import envaudit
from tests.kit.environments import find_site, install, list_versions, make_environment, run
from tests.kit.staging import contents
from tests.kit.wheels import Wheel, build_wheel

ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away, or mount")
NOBODY = 65534


@pytest.fixture
def server(environment: Path, index: Path) -> Path:
    """Return an environment with `left 1` and `other 1`; there is a `left 2`."""
    for name, version in (("left", "1"), ("left", "2"), ("other", "1")):
        build_wheel(module(name, version), index)
    install(environment, "left==1", "other==1", index=index)
    return environment


def upgrade(server: Path, index: Path) -> tuple[str, ...]:
    return words("install", server, index, "left==2")


def state() -> Path:
    return Path(os.environ["ENVAUDIT_STATE"])


@ROOT_ONLY
@pytest.mark.parametrize("part", ["", "bin", "bin/python"])
def test_t21_an_environment_of_another_user_is_changed_only_if_asked(
    server: Path, index: Path, part: str
) -> None:
    os.chown(server / part, NOBODY, NOBODY, follow_symlinks=False)
    before = contents(server)
    for command in (
        ("apply", *upgrade(server, index)),
        ("restore", "--apply", "--python", server),
        ("restore", "@interrupted", "--apply", "--python", server),
        ("fix", "--apply", "--python", server),
    ):
        refused = envaudit(*command)
        assert (refused.code, "the environment belongs to nobody" in refused.stderr) == (3, True)
    assert contents(server) == before
    assert not state().exists()
    assert envaudit("apply", "--foreign", *upgrade(server, index)).code == 0


def test_a_state_directory_inside_of_the_environment_is_refused(
    server: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is kept there would be taken for strays on the way back."""
    monkeypatch.setenv("ENVAUDIT_STATE", str(server / "state"))
    refused = envaudit("apply", *upgrade(server, index))
    assert (refused.code, "lies in the environment" in refused.stderr) == (2, True)
    assert not (server / "state").exists()
    assert list_versions(server)["left"] == "1"


def test_t22_a_lock_that_others_hold_is_waited_for_within_bounds(server: Path, index: Path) -> None:
    assert envaudit("apply", *words("install", server, index, "other")).code == 0
    (shelf,) = (path for path in state().iterdir() if path.is_dir())
    with (shelf / "change.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for command in (
            ("apply", "--wait", "0.1", *upgrade(server, index)),
            ("restore", "@interrupted", "--apply", "--wait", "0", "--python", server),
        ):
            busy = envaudit(*command)
            assert (busy.code, "another change" in busy.stderr) == (75, True)
        assert envaudit("check", "--python", server).code == 0
    assert list_versions(server)["left"] == "1"


@pytest.mark.parametrize("planted", ["state", "shelf", "lock"])
def test_t18_what_others_could_plant_is_refused(
    server: Path, index: Path, tmp_path: Path, planted: str
) -> None:
    assert envaudit("snapshot", "--python", server).code == 0
    (shelf,) = (path for path in state().iterdir() if path.is_dir())
    victim = tmp_path / "victim"
    victim.write_text("mine")
    if planted == "lock":
        (shelf / "change.lock").symlink_to(victim)
    elif planted == "state":
        state().chmod(0o777)
    else:
        shutil.move(shelf, tmp_path / "moved")
        shelf.symlink_to(tmp_path / "moved")
    before = contents(server)
    refused = envaudit("apply", *upgrade(server, index))
    assert refused.code == 3, refused.stderr
    assert victim.read_text() == "mine"
    assert contents(server) == before


def test_t15_an_index_that_answers_otherwise_after_the_gate(
    server: Path, index: Path, tmp_path: Path
) -> None:
    """The same version, judged sound; what is served then breaks a file of another."""
    plan = tmp_path / "plan"
    assert envaudit("gate", "--save", plan, *upgrade(server, index)).code == 0
    before = contents(server)
    shutil.rmtree(os.environ["UV_CACHE_DIR"])
    build_wheel(Wheel("left", "2", modules={"other/__init__.py": "stolen = True\n"}), index)
    undone = envaudit("apply", "--plan", plan)
    assert undone.code == 5, undone.stdout + undone.stderr
    assert contents(server) == before
    (index / "left-2-py3-none-any.whl").unlink()
    shutil.rmtree(os.environ["UV_CACHE_DIR"])
    undone = envaudit("apply", "--plan", plan)
    assert undone.code in {3, 5}, undone.stdout + undone.stderr
    assert contents(server) == before


def test_t15_a_plan_or_an_environment_that_moved_meanwhile(
    server: Path, index: Path, tmp_path: Path
) -> None:
    plan = tmp_path / "plan"
    assert envaudit("gate", "--save", plan, *upgrade(server, index)).code == 0
    text = plan.read_bytes()
    for at in range(0, len(text), max(1, len(text) // 5)):
        plan.write_bytes(text[:at] + bytes([text[at] ^ 1]) + text[at + 1 :])
        assert envaudit("apply", "--plan", plan).code == 3
    plan.write_bytes(text)
    with (find_site(server) / "other-1.dist-info" / "RECORD").open("a") as record:
        record.write("other/more.py,sha256=x,1\n")
    moved = envaudit("apply", "--plan", plan)
    assert (moved.code, "another state" in moved.stderr) == (3, True)
    assert list_versions(server)["left"] == "1"


def test_t16_a_tampered_file_that_the_cache_brings_back_is_undone(
    server: Path, index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a venv of hard links an edit in place is one of uv's cache."""
    monkeypatch.setenv("UV_LINK_MODE", "hardlink")
    other = make_environment(tmp_path / "other")
    install(other, "left==2", index=index)
    tampered = find_site(other) / "left" / "__init__.py"
    if tampered.stat().st_nlink == 1:
        pytest.skip("uv makes no hard links here")
    with tampered.open("r+") as file:
        file.write("evil")
    before = contents(server)
    undone = envaudit("apply", *upgrade(server, index))
    assert undone.code == 5, undone.stdout + undone.stderr
    assert contents(server) == before


def test_a_state_directory_on_another_file_system(
    server: Path, index: Path, other_file_system: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENVAUDIT_STATE", str(other_file_system / "state"))
    build_wheel(Wheel("clash", "1", modules={"other/__init__.py/inner.py": ""}), index)
    before = contents(server)
    asked = words("install", server, index, "left==2", "clash")
    undone = envaudit("apply", *asked)
    assert undone.code == 5, undone.stdout + undone.stderr
    assert contents(server) == before


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """Return an empty folder with a small file system of its own, of 4 MiB."""
    place = tmp_path / "mounted"
    place.mkdir()
    mount = ("mount", "-t", "tmpfs", "-o", "size=4m,mode=0750", "tmpfs", place)
    if os.geteuid() != 0 or shutil.which("mount") is None or run(*mount).code:
        pytest.skip("nothing can be mounted here")
    try:
        yield place
    finally:
        as_root("umount", place)


def as_root(*command: str | Path) -> None:
    done = run(*command)
    assert done.code == 0, done.stderr


def remount(place: Path, how: str) -> None:
    as_root("mount", "-o", f"remount,{how}", place)


def test_a_state_directory_without_room_or_read_only(
    server: Path, index: Path, mounted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENVAUDIT_STATE", str(mounted / "state"))
    before = contents(server)
    refused = envaudit("apply", *upgrade(server, index))
    assert (refused.code, "to keep, and" in refused.stderr) == (3, True), refused.stderr
    assert not list(mounted.rglob("*.whl"))
    (mounted / "filler").write_bytes(bytes(4 * 1024 * 1024 - 64 * 1024))
    with pytest.raises(OSError, match="No space"):
        (mounted / "more").write_bytes(bytes(1024 * 1024))
    refused = envaudit("apply", "--no-stash", *upgrade(server, index))
    assert refused.code == 3, refused.stdout + refused.stderr
    assert "No space left" in refused.stderr
    (mounted / "filler").unlink()
    remount(mounted, "ro")
    refused = envaudit("apply", "--no-stash", *upgrade(server, index))
    assert (refused.code, "Read-only" in refused.stderr) == (3, True), refused.stderr
    assert contents(server) == before
    assert envaudit("check", "--python", server).code == 0


def test_site_packages_full_or_read_only(server: Path, index: Path, mounted: Path) -> None:
    site = find_site(server)
    shutil.copytree(site, mounted, dirs_exist_ok=True)
    as_root("mount", "--bind", mounted, site)
    try:
        before = contents(server)
        huge = Wheel("huge", "1", modules={"huge.py": f"x = {'1' * (5 << 20)!r}\n"})
        build_wheel(huge, index)
        undone = envaudit("apply", *words("install", server, index, "left==2", "huge"))
        assert undone.code == 5, undone.stdout + undone.stderr
        assert contents(server) == before
        remount(site, "ro,bind")
        refused = envaudit("apply", *upgrade(server, index))
        assert (refused.code, "cannot be written to" in refused.stderr) == (3, True)
        assert contents(server) == before
    finally:
        as_root("umount", site)


@pytest.mark.parametrize("how", ["symlink", "hardlink"])
def test_the_way_back_does_not_depend_on_how_uv_is_told_to_link(
    server: Path, index: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setenv("UV_LINK_MODE", how)
    build_wheel(Wheel("thief", "1", modules={"other/__init__.py": "stolen = True\n"}), index)
    before = contents(server)
    undone = envaudit("apply", *words("install", server, index, "left==2", "thief"))
    assert undone.code == 5, undone.stdout + undone.stderr
    assert contents(server) == before


def test_what_only_its_owner_may_read_stays_so(server: Path, index: Path) -> None:
    """A wheel keeps no permissions, and a secret in a module must not come back for everybody."""
    build_wheel(Wheel("thief", "1", modules={"other/__init__.py": "stolen = True\n"}), index)
    secret = find_site(server) / "left" / "__init__.py"
    secret.chmod(0o600)
    undone = envaudit("apply", *words("install", server, index, "left==2", "thief"))
    assert undone.code == 5, undone.stdout + undone.stderr
    assert secret.stat().st_mode & 0o777 == 0o600
    secret.chmod(0o4755)
    refused = envaudit("apply", *upgrade(server, index))
    assert (refused.code, "runs with the rights of its owner" in refused.stderr) == (3, True)
