"""The founding incident as fixtures: the wheels, and the server before and after."""

from pathlib import Path

import pytest

from tests.kit.commands import envaudit
from tests.kit.environments import install, make_environment
from tests.kit.wheels import Wheel, build_wheel

URLS = {"Repository": "https://github.com/flashinfer-ai/flashinfer"}
RELEASES = (("0.16.0", "0.6.3", "2.9.1"), ("0.17.0", "0.6.4", "2.10.0"))


@pytest.fixture
def wheels(index: Path) -> Path:
    """Build local wheels with the names, versions and requirements of the real ones."""
    for vllm, flashinfer, torch in RELEASES:
        pins = (f"torch=={torch}", f"flashinfer-python=={flashinfer}")
        for wheel in (
            Wheel("vllm", vllm, requires=pins),
            Wheel("torch", torch),
            Wheel("flashinfer-python", flashinfer, requires=("torch",), project_urls=URLS),
            Wheel("flashinfer-cubin", flashinfer, project_urls=URLS),
        ):
            build_wheel(wheel, index)
    return index


@pytest.fixture
def healthy(tmp_path: Path, wheels: Path) -> Path:
    """Make the server as it was set up: healthy, and recorded."""
    server = make_environment(tmp_path / "server")
    install(server, "vllm==0.16.0", "flashinfer-cubin==0.6.3", index=wheels)
    assert envaudit("check", "--python", server).code == 0
    assert envaudit("snapshot", "--python", server).code == 0
    return server


@pytest.fixture
def server(healthy: Path, wheels: Path) -> Path:
    """Make the server as the upgrade in place has left it."""
    install(healthy, "vllm==0.17.0", index=wheels)
    return healthy
