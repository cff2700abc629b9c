"""What every test gets without asking: nothing of the user's, and a folder of its own."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.kit.commands import envaudit
from tests.kit.environments import hermetic_variables, install, make_environment
from tests.kit.wheels import Wheel, build_wheel

# No deadline, since no test measures time; no database, since tests leave nothing in the checkout.
settings.register_profile("envaudit", deadline=None, database=None, print_blob=True)
settings.load_profile("envaudit")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flag that rewrites golden files, to be read in review like code."""
    parser.addoption("--rewrite-goldens", action="store_true", help="write golden files anew")


@pytest.fixture
def rewrite_goldens(request: pytest.FixtureRequest) -> bool:
    """Return whether golden files are written instead of compared."""
    return bool(request.config.getoption("--rewrite-goldens"))


@pytest.fixture(autouse=True)
def hermetic(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Hide the user's environment variables and home, and leave the checkout.

    The current folder is an empty one: the checkout has a ``.venv`` and configuration that commands
    would find. A test marked ``network`` may go online.
    """
    home = tmp_path_factory.mktemp("home")
    variables = hermetic_variables(home)
    if request.node.get_closest_marker("network") is not None:
        del variables["UV_OFFLINE"]
    for name in set(os.environ) - set(variables):
        monkeypatch.delenv(name)
    for name, value in variables.items():
        if os.environ.get(name) != value:
            monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path_factory.mktemp("folder"))


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """Return an empty folder for wheels."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    return folder


@pytest.fixture
def other_file_system(tmp_path: Path) -> Iterator[Path]:
    """Return an empty private folder on another file system than ``tmp_path``."""
    memory = Path("/dev/shm")  # noqa: S108 - a private folder is made in it
    if not os.access(memory, os.W_OK) or memory.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("no other file system is at hand")
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """Return a real, empty virtual environment."""
    return make_environment(tmp_path / "environment")


# The founding incident: the wheels, and the server before and after.
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
