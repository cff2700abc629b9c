"""Every format of every sample report, as files; ``pytest --rewrite-goldens`` makes them."""

import re
from pathlib import Path

import pytest

from envaudit.render import FORMATS
from envaudit.render.style import Style
from envaudit.render.text import render_problem
from tests.kit.reports import REPORTS

GOLDEN = Path(__file__).parent / "golden"


def compare(name: str, text: str, *, rewrite: bool) -> None:
    path = GOLDEN / name
    if rewrite:
        path.write_text(text)
    assert path.read_text() == text


@pytest.mark.parametrize("name", REPORTS)
@pytest.mark.parametrize("form", FORMATS)
def test_a_report_looks_as_it_always_did(name: str, form: str, *, rewrite_goldens: bool) -> None:
    text = FORMATS[form](REPORTS[name], Style())
    compare(f"{name}.{form}", text, rewrite=rewrite_goldens)


def test_colour_adds_nothing_but_colour() -> None:
    for report in REPORTS.values():
        coloured = FORMATS["text"](report, Style(colour=True))
        assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == FORMATS["text"](report, Style())


def test_a_problem_looks_as_it_always_did(*, rewrite_goldens: bool) -> None:
    (problem,) = REPORTS["unreadable"].errors
    text = render_problem(problem, Style())
    compare("problem.stderr", text, rewrite=rewrite_goldens)


def test_every_golden_has_its_report() -> None:
    names = {f"{name}.{form}" for name in REPORTS for form in FORMATS} | {"problem.stderr"}
    assert {path.name for path in GOLDEN.iterdir()} == names
