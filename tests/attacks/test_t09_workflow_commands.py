"""T9: what a build service's log reader would obey, in what an installer says and a command holds.

Names and versions of an environment are test_t08's; this is the gate's side.
"""

from pathlib import Path

import pytest

from tests.kit.commands import envaudit
from tests.kit.hostile import empty_environment, write_program

HOSTILE = ("::error file=x::smuggled", "  ::add-mask::x", "##[error]smuggled", "a%0A::warning::x")


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """Return an environment without a distribution."""
    return empty_environment(tmp_path / "environment")


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.lstrip().startswith("::") or "##[" in line]


@pytest.mark.parametrize("code", [1, 2])
def test_the_words_of_an_installer_are_no_commands(
    code: int, environment: Path, tmp_path: Path
) -> None:
    said = "".join(f"{line}\n" for line in HOSTILE)
    (tmp_path / "said").write_text(f"{said}\x1b[2Jno\r\n")
    program = write_program(
        tmp_path / "bin" / "uv",
        '[ "$1" = --version ] && { echo "uv 99.0.0"; exit; }',
        f"cat {tmp_path}/said >&2",
        f"exit {code}",
    )
    answered = envaudit("gate", "--", program, "pip", "install", "-p", environment, "x")
    assert answered.code == {1: 1, 2: 3}[code]
    assert "smuggled" in answered.stdout + answered.stderr
    assert lines(answered.stdout) == lines(answered.stderr) == []
    assert "\x1b" not in answered.stdout + answered.stderr


@pytest.mark.parametrize("word", HOSTILE)
def test_the_words_of_a_command_are_no_commands(word: str, environment: Path) -> None:
    for command in (("uv", "pip", "install", "-p", environment, word), (word, "install", "x")):
        answered = envaudit("gate", "--", *command)
        assert answered.code in {1, 2, 3}
        assert lines(answered.stdout) == lines(answered.stderr) == []
    answered = envaudit("exec", "-p", environment, "--", word)
    assert answered.code == 127
    assert lines(answered.stderr) == []
