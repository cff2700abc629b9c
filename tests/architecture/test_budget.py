"""No file grows into a room that nobody can survey, and each says what it is for."""

import ast
from pathlib import Path

import pytest

import envaudit
from tests.architecture.doors import read_tree

HOUSE = Path(envaudit.__file__).parent
LINES = 440


def _oversized(tree: Path) -> dict[str, int]:
    counts = {
        path.relative_to(tree).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in tree.rglob("*.py")
    }
    return {name: lines for name, lines in counts.items() if lines > LINES}


def test_no_file_has_more_lines_than_a_person_surveys() -> None:
    assert _oversized(HOUSE) == {}


def test_a_file_that_is_too_long_is_found(tmp_path: Path) -> None:
    (tmp_path / "long.py").write_text("x = 1\n" * (LINES + 1), encoding="utf-8")

    assert _oversized(tmp_path) == {"long.py": LINES + 1}


@pytest.mark.parametrize(("name", "module"), list(read_tree(HOUSE)))
def test_the_first_line_says_what_a_file_is_for(name: str, module: ast.Module) -> None:
    first = (ast.get_docstring(module) or "").partition("\n")[0]

    assert first, name
    assert first.endswith((".", ":", ",")) or len(first) > len(name)
