"""T15, the plan's side: between gate and install the index, the plan or the environment moves.

What is saved is exact, knows the environment that it is for, and is not read when it was changed.
"""

import json
from pathlib import Path

import pytest
from uv import find_uv_bin

from envaudit.core.plan_codec import decode
from envaudit.model.errors import UnreadableError
from tests.kit.commands import envaudit
from tests.kit.environments import find_site, install
from tests.kit.hostile import write_program
from tests.kit.wheels import Wheel, build_wheel


@pytest.fixture
def words(environment: Path, index: Path) -> tuple[str | Path, ...]:
    """Return the words of a gate on an install that passes."""
    build_wheel(Wheel("app", "1", modules={"app.py": "x = 1\n"}), index)
    install(environment, "app", index=index)
    build_wheel(Wheel("extra", "1"), index)
    local = ("--no-index", "--find-links", index)
    return "--", "uv", "pip", "install", "-p", environment, *local, "extra"


def save(words: tuple[str | Path, ...], place: Path) -> str:
    answered = envaudit("gate", "--save", place, *words)
    assert answered.code == 0, answered.stderr
    return place.read_text()


def test_an_index_that_changes_its_answer_changes_no_saved_plan(
    words: tuple[str | Path, ...], index: Path, tmp_path: Path
) -> None:
    before = save(words, tmp_path / "plan")
    build_wheel(Wheel("extra", "2"), index)
    assert json.loads(before)["installs"] == ["extra==1"]
    assert json.loads(save(words, tmp_path / "plan"))["installs"] == ["extra==2"]


def test_another_configuration_gives_another_digest(
    words: tuple[str | Path, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = json.loads(save(words, tmp_path / "plan"))["settings"]
    assert json.loads(save(words, tmp_path / "plan"))["settings"] == before
    Path("uv.toml").write_text("offline = true\n")
    after = json.loads(save(words, tmp_path / "plan"))["settings"]
    monkeypatch.setenv("UV_PRERELEASE", "allow")
    last = json.loads(save(words, tmp_path / "plan"))["settings"]
    assert len({before, after, last}) == 3


def test_an_edit_of_one_recorded_byte_moves_the_fingerprint(
    words: tuple[str | Path, ...], environment: Path, tmp_path: Path
) -> None:
    before = json.loads(save(words, tmp_path / "plan"))["fingerprint"]
    (record,) = find_site(environment).glob("app-1.dist-info/RECORD")
    record.write_text(record.read_text().replace("app.py,sha256=", "app.py,sha256=A"))
    assert json.loads(save(words, tmp_path / "plan"))["fingerprint"] != before


def test_a_plan_that_was_changed_on_disk_is_not_read(
    words: tuple[str | Path, ...], tmp_path: Path
) -> None:
    text = save(words, tmp_path / "plan")
    assert decode(text, "plan").installs == ("extra==1",)
    with pytest.raises(UnreadableError, match="its seal does not fit"):
        decode(text.replace("extra==1", "extra==2"), "plan")


def test_nobody_but_its_owner_writes_to_it_and_a_link_is_not_followed(
    words: tuple[str | Path, ...], tmp_path: Path
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    place = tmp_path / "plan"
    place.symlink_to(victim)
    save(words, place)
    assert victim.read_text() == "precious"
    assert place.stat().st_mode & 0o027 == 0


def test_an_environment_that_is_changed_while_it_is_judged_does_not_pass(
    words: tuple[str | Path, ...], environment: Path, tmp_path: Path
) -> None:
    """What is installed meanwhile was judged by nobody, and is in no plan."""
    meanwhile = find_site(environment) / "other-1.dist-info"
    program = write_program(
        tmp_path / "bin" / "uv",
        f'[ "$1" = --version ] || cp -r {find_site(environment) / "app-1.dist-info"} {meanwhile}',
        f'exec {find_uv_bin()} "$@"',
    )
    changed = tuple(program if word == "uv" else word for word in words)
    answered = envaudit("gate", "--save", tmp_path / "plan", *changed)
    assert (answered.code, answered.stdout) == (3, "")
    assert "was changed while it was judged" in answered.stderr
    assert not (tmp_path / "plan").exists()
