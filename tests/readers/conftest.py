"""What the readers' tests read."""

from pathlib import Path

import pytest

from tests.kit.bare import Bare, make_venv


@pytest.fixture
def bare(tmp_path: Path) -> Bare:
    """Return an empty virtual environment made by hand."""
    return make_venv(tmp_path / "bare")
