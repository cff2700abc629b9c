"""``explain`` as a function."""

import pytest

from envaudit.commands import explain
from envaudit.model.errors import UsageError
from envaudit.model.finding import Explanation


@pytest.mark.parametrize("item", explain.EXPLANATIONS, ids=lambda item: item.code)
def test_every_code_is_explained_by_its_name(item: Explanation) -> None:
    report = explain.run(code=item.code)

    assert report.lines[0] == item.code
    assert len(report.lines) == 4


def test_without_a_code_all_are_listed() -> None:
    report = explain.run(code=None)

    assert len(report.lines) == len(explain.EXPLANATIONS)


def test_an_unknown_code_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError) as caught:
        explain.run(code="comapre")

    assert caught.value.problems[0].hint == "did you mean `compare`?"
