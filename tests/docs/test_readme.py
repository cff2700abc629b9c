"""The README is true: every console block in it is run, and says what the README shows."""

import re
import shlex

import pytest

from tests.kit.commands import COMMAND, ROOT
from tests.kit.environments import run

README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```console\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)
SET_UP = [block for block in BLOCKS if re.search(r"-m uv run (?:pytest|envaudit demo)", block)]
"""The two commands that a fresh machine starts with: continuous integration runs them."""
SHOWN = [block for block in BLOCKS if block not in SET_UP]


def test_two_commands_set_everything_up() -> None:
    assert len(SET_UP) == 2
    assert any("envaudit demo" in block for block in SET_UP)
    assert any("pytest" in block for block in SET_UP)


@pytest.mark.parametrize("block", SHOWN, ids=lambda block: block.splitlines()[0])
def test_a_console_block_says_what_it_shows(block: str) -> None:
    for text in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = text.partition("\n")
        words = shlex.split(command)
        assert words[:5] == ["python3", "-m", "uv", "run", "envaudit"]
        assert run(*COMMAND, *words[5:], folder=ROOT).stdout == shown


def test_nobody_is_told_to_install_the_stranger_of_the_same_name() -> None:
    assert not re.search(r"install\s+(?:-\S+\s+)*envaudit\b", README)
