"""T13: a `uv.toml` or `pyproject.toml` that somebody else put into a folder above the deploy.

The gate must ask what the command would do, and the command obeys that file: so it is obeyed, shown
and named, with the index that it brings.
"""

import json
import os
from pathlib import Path

import pytest

from tests.kit.commands import ask, envaudit
from tests.kit.wheels import Wheel, build_wheel


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a deploy, below one that others write to."""
    place = tmp_path / "shared" / "deploy"
    place.mkdir(parents=True)
    return place


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """Return a folder of wheels with a higher version than anybody asked for."""
    place = tmp_path / "evil"
    place.mkdir()
    build_wheel(Wheel("torch", "99"), place)
    return place


@pytest.mark.parametrize("name", ["uv.toml", "pyproject.toml"])
def test_a_file_in_a_parent_folder_is_obeyed_and_named(
    name: str, environment: Path, folder: Path, evil: Path
) -> None:
    text = f'no-index = true\nfind-links = ["{evil}"]\n'
    file = folder.parent / name
    file.write_text(text if name == "uv.toml" else f"[tool.uv]\n{text}")
    words = ("--", "uv", "pip", "install", "-p", environment, "torch")
    report = ask("gate", *words, folder=folder)
    assert report["changes"][0]["after"]["version"] == "99"
    (shown,) = report["data"]["configuration"]["files"]
    assert (shown["path"], shown["place"]) == (str(file), "parent folder")
    assert report["data"]["indexes"] == [
        f'find-links = ["{evil}"] in {file}',
        f"no-index = true in {file}",
    ]
    assert f"uv is configured by `{file}`, found in the parent folder" in report["notes"]
    answered = envaudit("gate", *words, folder=folder)
    assert f"note: uv is configured by `{file}`" in answered.stderr
    file.chmod(0o666)
    report = ask("gate", *words, folder=folder)
    (note,) = [note for note in report["notes"] if str(file) in note]
    assert note.endswith("; it may be written to by everybody")


def test_a_file_without_a_word_for_uv_is_passed_over_as_uv_does(
    environment: Path, folder: Path, evil: Path
) -> None:
    (folder / "pyproject.toml").write_text('[project]\nname = "x"\nversion = "1"\n')
    (folder.parent / "uv.toml").write_text(f'no-index = true\nfind-links = ["{evil}"]\n')
    report = ask("gate", "--", "uv", "pip", "install", "-p", environment, "torch", folder=folder)
    assert report["data"]["configuration"]["files"][0]["path"] == str(folder.parent / "uv.toml")
    assert report["exit_code"] == 0


def test_what_is_left_out_by_the_command_is_not_shown(
    environment: Path, folder: Path, evil: Path, index: Path
) -> None:
    build_wheel(Wheel("torch", "1"), index)
    (folder / "uv.toml").write_text(f'find-links = ["{evil}"]\n')
    own = ("--no-config", "--no-index", "--find-links", index)
    words = ("--", "uv", "pip", "install", *own, "-p", environment, "torch")
    report = ask("gate", *words, folder=folder)
    assert report["changes"][0]["after"]["version"] == "1"
    assert report["data"]["configuration"]["files"] == []
    assert report["data"]["indexes"] == ["--no-index", f"--find-links {index}"]


@pytest.mark.parametrize("key", ["target", "prefix", "python"])
def test_a_file_that_leads_the_install_elsewhere_is_no_pass(
    key: str, environment: Path, folder: Path, tmp_path: Path
) -> None:
    (folder.parent / "uv.toml").write_text(f'[pip]\n{key} = "{tmp_path}/elsewhere"\n')
    words = ("--", "uv", "pip", "install", "torch")
    answered = envaudit("gate", "-p", environment, *words, folder=folder)
    assert answered.code == 2
    assert f"uv's configuration says `{key} = " in answered.stderr
    answered = envaudit("gate", *words, "--no-index", "--python", environment, folder=folder)
    assert answered.code == (1 if key == "python" else 2)  # the option outranks that one


def test_variables_are_shown_without_their_secrets(environment: Path, evil: Path) -> None:
    secret = "hunter22"  # noqa: S105 - the test's own
    variables = {
        **os.environ,
        "UV_FIND_LINKS": str(evil),
        "UV_INDEX_URL": f"https://user:{secret}@host.invalid/wheels?key={secret}",
        "UV_INDEX_PRIVATE_PASSWORD": secret,
    }
    words = ("--", "uv", "pip", "install", "--no-index", "-p", environment, "torch")
    answered = envaudit("gate", "--format", "json", *words, variables=variables)
    assert answered.code == 0, answered.stderr
    assert secret not in answered.stdout + answered.stderr
    report = json.loads(answered.stdout)
    assert "UV_INDEX_URL=https://host.invalid/wheels" in report["data"]["indexes"]
    assert f"UV_FIND_LINKS={evil}" in report["data"]["indexes"]


def test_an_index_that_cannot_be_reached_is_no_judgement(environment: Path) -> None:
    index = ("--index-url", "http://127.0.0.1:9/wheels")
    words = ("--", "uv", "pip", "install", *index, "-p", environment, "torch")
    answered = envaudit("gate", *words)
    assert (answered.code, answered.stdout) == (3, "")
    assert "uv could not answer" in answered.stderr
