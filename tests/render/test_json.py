"""The format ``json``, against goldens: one envelope for every outcome."""

import json

import pytest

from envaudit.model.report import Report
from envaudit.render.json import render
from envaudit.render.style import Style
from tests.render.goldens import assert_golden
from tests.render.samples import SAMPLES


@pytest.mark.parametrize(("name", "report"), SAMPLES.items(), ids=SAMPLES)
def test_json_is_the_golden_one(name: str, report: Report, *, rewrite_goldens: bool) -> None:
    assert_golden(f"{name}.json", render(report, Style()), rewrite=rewrite_goldens)


def test_the_envelope_is_the_same_whatever_the_outcome() -> None:
    keys = {tuple(json.loads(render(report, Style()))) for report in SAMPLES.values()}

    assert len(keys) == 1


@pytest.mark.parametrize("report", SAMPLES.values(), ids=SAMPLES)
def test_json_is_ascii_and_takes_no_colour(report: Report) -> None:
    assert render(report, Style(colour=True)) == render(report, Style())
    assert render(report, Style()).isascii()
    assert "\x1b" not in render(report, Style())
