"""The format ``text``, against goldens, with and without colour."""

import pytest

from envaudit.model.report import Report
from envaudit.render.style import Style
from envaudit.render.text import render, render_problem
from tests.render.goldens import assert_golden
from tests.render.samples import SAMPLES


@pytest.mark.parametrize(("name", "report"), SAMPLES.items(), ids=SAMPLES)
def test_text_is_the_golden_one(name: str, report: Report, *, rewrite_goldens: bool) -> None:
    problems = "".join(render_problem(problem, Style()) for problem in report.errors)
    text = render(report, Style()) + problems

    assert_golden(f"{name}.txt", text, rewrite=rewrite_goldens)


@pytest.mark.parametrize("report", SAMPLES.values(), ids=SAMPLES)
def test_no_information_is_in_colour_alone(report: Report) -> None:
    coloured = render(report, Style(colour=True))
    for code in ("\x1b[1;31m", "\x1b[1;33m", "\x1b[1;36m", "\x1b[1;32m", "\x1b[1m", "\x1b[2m"):
        coloured = coloured.replace(code, "")

    assert coloured.replace("\x1b[0m", "") == render(report, Style())


@pytest.mark.parametrize("report", SAMPLES.values(), ids=SAMPLES)
def test_no_control_character_and_no_workflow_command_leaves(report: Report) -> None:
    problems = "".join(render_problem(problem, Style()) for problem in report.errors)
    text = render(report, Style()) + problems

    assert not [line for line in text.split("\n") if line and not line.isprintable()]
    assert not [line for line in text.split("\n") if line.startswith("::")]
