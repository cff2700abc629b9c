"""The demo: the whole story, true at every step, and nothing left behind."""

from pathlib import Path

from tests.kit.commands import ask, start_envaudit
from tests.kit.environments import hermetic_variables


def test_every_step_ends_as_the_story_says() -> None:
    report = ask("demo")
    steps = report["data"]["steps"]
    assert report["exit_code"] == 0
    assert all(step["exit_code"] == step["expected"] for step in steps)
    assert [step["exit_code"] for step in steps] == [0, 0, 0, 0, 0, 1, 4, 1, 0, 0, 0, 0]
    assert "does not match" in steps[5]["output"]


def test_it_leaves_nothing_behind(tmp_path: Path) -> None:
    temporary, home, folder = tmp_path / "temporary", tmp_path / "home", tmp_path / "folder"
    for path in (temporary, home, folder):
        path.mkdir()
    variables = hermetic_variables(home) | {"TMPDIR": str(temporary)}
    assert start_envaudit("demo", variables=variables, folder=folder).code == 0
    assert [path for each in (temporary, home, folder) for path in each.iterdir()] == []
