"""No test sees what the user has configured, or writes where the user's files are."""

import os
from pathlib import Path

import pytest

from tests.kit.environments import hermetic_variables, uv

USERS = ("UV_INDEX_URL", "PIP_INDEX_URL", "VIRTUAL_ENV", "CONDA_PREFIX", "XDG_STATE_HOME")
OTHERS = ("NO_COLOR", "FORCE_COLOR", "STATE_DIRECTORY", "PYTHONPATH", "UV")


def test_this_very_test_sees_nothing_of_the_users() -> None:
    ours = {"UV_CACHE_DIR", "UV_LINK_MODE", "UV_OFFLINE", "UV_PYTHON_DOWNLOADS"}

    assert {name for name in os.environ if name.startswith(("UV", "PIP_", "XDG_"))} == ours
    assert not set(os.environ) & set(USERS + OTHERS)


def test_home_but_for_the_cache_of_uv_and_the_current_folder_are_empty() -> None:
    cache = Path(os.environ["UV_CACHE_DIR"])
    files = [path for path in Path.home().rglob("*") if path.is_file()]
    assert [path for path in files if not path.is_relative_to(cache)] == []
    assert list(Path.cwd().iterdir()) == []
    assert Path.cwd() != Path.home()


def test_state_is_kept_in_that_home_even_by_root() -> None:
    assert Path(os.environ["ENVAUDIT_STATE"]).is_relative_to(Path.home())


def test_uv_keeps_its_cache_in_that_home() -> None:
    found = uv("cache", "dir")

    assert Path(found.stdout.strip()).is_relative_to(Path.home())


@pytest.mark.parametrize("name", USERS + OTHERS)
def test_what_the_user_has_set_is_dropped(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(name, "the user's")

    assert name not in hermetic_variables(tmp_path)


def test_what_programs_need_to_start_is_kept(tmp_path: Path) -> None:
    assert hermetic_variables(tmp_path)["PATH"] == os.environ["PATH"]
    assert hermetic_variables(tmp_path)["HOME"] == str(tmp_path)
