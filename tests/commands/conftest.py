"""Two written environments: one that is content, and the founding incident in small."""

from pathlib import Path

import pytest

from tests.kit.builders import distribution, snapshot
from tests.kit.written import write_environment

BEFORE = snapshot(
    distribution(
        "vllm==0.16.0",
        requires=("flashinfer-python==0.6.3",),
        content_id="sha256:v16",
    ),
    distribution("flashinfer-python==0.6.3", content_id="sha256:f3"),
    distribution("flashinfer-cubin==0.6.3", content_id="sha256:c3"),
)
AFTER = snapshot(
    distribution(
        "vllm==0.17.0",
        requires=("flashinfer-python==0.6.4",),
        content_id="sha256:v17",
    ),
    distribution("flashinfer-python==0.6.4", content_id="sha256:f4"),
    distribution("flashinfer-cubin==0.6.3", content_id="sha256:c3"),
)


@pytest.fixture
def before(tmp_path: Path) -> Path:
    """Return an environment with which nothing is wrong."""
    return write_environment(BEFORE, tmp_path / "before")


@pytest.fixture
def after(tmp_path: Path) -> Path:
    """Return the same environment after an upgrade that left a companion behind."""
    return write_environment(AFTER, tmp_path / "after")
