"""A forked command is like a started one, and where it would not be it is started."""

import os
from pathlib import Path

import pytest

from tests.kit.builders import distribution, snapshot
from tests.kit.commands import FORKS, envaudit, start_envaudit
from tests.kit.written import write_environment

NEEDY = distribution("needy==1", requires=("missing",))


@pytest.mark.parametrize(
    "words",
    [
        ("check", "-p", "broken"),
        ("check", "-p", "nowhere"),
        ("check", "-p", "broken", "--format", "json"),
        ("exec", "--fail-on", "never", "-p", "broken", "--", "sh", "-c", "cat; pwd; env; exit 7"),
        ("exec", "--fail-on", "never", "-p", "broken", "--", "sh", "-c", "kill -KILL $$"),
        ("exec", "--fail-on", "never", "-p", "broken", "--", "sh", "-c", "ls /proc/$$/fd >&2"),
        ("--help",),
        ("--nonsense-\udcff",),
    ],
    ids=lambda words: " ".join(words).encode("ascii", "replace").decode(),
)
def test_what_is_forked_says_what_is_said_by_what_is_started(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    write_environment(snapshot(NEEDY), tmp_path / "broken")
    variables = {**os.environ, "OF_THIS_TEST": "é \udcff"}
    assert FORKS.may_fork(variables)

    forked = envaudit(*words, variables=variables, folder=tmp_path)
    started = start_envaudit(*words, variables=variables, folder=tmp_path)

    assert forked == started


@pytest.mark.parametrize("name", ["PYTHONPATH", "LC_ALL", "LANG", "TZ"])
def test_what_python_settles_while_it_starts_is_not_forked(name: str) -> None:
    assert not FORKS.may_fork({**os.environ, name: "other"})


def test_a_command_leaves_nothing_to_the_next(tmp_path: Path) -> None:
    write_environment(snapshot(NEEDY), tmp_path / "broken")
    first = envaudit("check", "-p", "broken", folder=tmp_path)
    envaudit("check", variables={"PATH": "/nowhere"})

    assert envaudit("check", "-p", "broken", folder=tmp_path) == first
