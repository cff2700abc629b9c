"""``why`` as a function."""

from pathlib import Path

import pytest

from envaudit.commands import why
from envaudit.model.errors import UsageError
from tests.kit.commands import surroundings


def test_the_way_from_a_root_is_told(before: Path) -> None:
    report = why.run(surroundings(before), name="flashinfer_python")

    assert report.lines == (
        "flashinfer-python 0.6.3",
        "  vllm 0.16.0 requires flashinfer-python==0.6.3 (root)",
    )


def test_a_name_that_nobody_knows_is_refused(before: Path) -> None:
    with pytest.raises(UsageError, match="not installed"):
        why.run(surroundings(before), name="nobody")
