"""Which distributions an uninstall names, in the command and in requirements files."""

import shlex
from pathlib import Path

import pytest

from envaudit.core.understand import understand
from envaudit.model.errors import UnreadableError
from envaudit.uv.uninstall import moves_of_uninstall
from tests.kit.builders import distribution, snapshot

PRESENT = snapshot(distribution("small==1.0"), distribution("helper==1.0"))


def names(command: str, folder: Path) -> list[str]:
    moves = moves_of_uninstall(understand(shlex.split(command)), PRESENT, folder)
    assert all(move.after is None and move.known for move in moves)
    return [move.name for move in moves]


@pytest.mark.parametrize(
    "argument",
    [
        *("small", "Small", "small==1.0", "small==7", "small[extra]>=0"),
        *("small; python_version<'3'", "small@https://host.example/small-1.0-py3-none-any.whl"),
    ],
)
@pytest.mark.parametrize("program", ["uv pip", "pip"])
def test_the_name_alone_decides(argument: str, program: str, tmp_path: Path) -> None:
    assert names(f"{program} uninstall {shlex.quote(argument)}", tmp_path) == ["small"]


@pytest.mark.parametrize("option", ["-r all.txt", "-rall.txt", "--requirement=all.txt"])
def test_a_requirements_file_names_too(option: str, tmp_path: Path) -> None:
    (tmp_path / "all.txt").write_text(
        "# all\n--index-url x\n-r sub/more.txt\nhelper==1 \\\n  --hash=x"
    )
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "more.txt").write_text("-c none.txt\nsmall#egg\nsmall  # comment")
    with pytest.raises(UnreadableError, match="`small#egg` does not say by a name"):
        names(f"uv pip uninstall {option}", tmp_path)
    (tmp_path / "sub" / "more.txt").write_text("-c none.txt\nsmall  # comment")
    assert sorted(names(f"uv pip uninstall {option}", tmp_path)) == ["helper", "small"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("-e .", "`-e .` does not say by a name"),
        ("./small-1.0-py3-none-any.whl", "does not say by a name"),
        ("-r all.txt", "is named by too many files in a row"),
        ("-r nothing.txt", "`.*nothing.txt` is not there"),
    ],
)
def test_what_is_no_name_is_not_passed_over(line: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "all.txt").write_text(f"{line}\n")
    with pytest.raises(UnreadableError, match=message):
        names("uv pip uninstall -r all.txt", tmp_path)


def test_a_path_in_the_command_is_no_name(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="does not say by a name"):
        names("uv pip uninstall ./small-1.0-py3-none-any.whl", tmp_path)
