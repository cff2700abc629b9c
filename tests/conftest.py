"""What every test gets without asking: nothing of the user's, and a folder of its own."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.kit.commands import FORKS, envaudit
from tests.kit.environments import (
    ask_base_interpreter,
    base_interpreter,
    hermetic_variables,
    install,
    make_environment,
    run,
)
from tests.kit.watching import watch_opened
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


@pytest.fixture(scope="session", autouse=True)
def _forks() -> Iterator[None]:
    """Stop, after all tests, the process that commands are forked from, if there is one."""
    yield
    FORKS.stop()


@pytest.fixture(scope="session")
def interpreters(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a cache of uv's that knows the base interpreter, and nothing else."""
    return ask_base_interpreter(tmp_path_factory.mktemp("interpreters"))


@pytest.fixture(autouse=True)
def hermetic(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
    interpreters: Path,
) -> None:
    """Hide the user's environment variables and home, and leave the checkout.

    The current folder is an empty one: the checkout has a ``.venv`` and configuration that commands
    would find. uv's cache is the test's own, and a copy of one in which the base interpreter has
    told what it is: every test would ask it again. A test marked ``network`` may go online.
    """
    home = tmp_path_factory.mktemp("home")
    variables = hermetic_variables(home)
    shutil.copytree(interpreters, variables["UV_CACHE_DIR"])
    if request.node.get_closest_marker("network") is not None:
        del variables["UV_OFFLINE"]
    for name in set(os.environ) - set(variables):
        monkeypatch.delenv(name)
    for name, value in variables.items():
        if os.environ.get(name) != value:
            monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path_factory.mktemp("folder"))


@pytest.fixture
def opened() -> Iterator[list[str]]:
    """Return the paths that this process opens from now on, in a list that grows."""
    with watch_opened() as paths:
        yield paths


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


@pytest.fixture(scope="session")
def venv_with_pip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a real virtual environment with the pip that Python brings along; not to be changed.

    Making it takes longer than most tests: ``copy_venv`` gives one that may be changed.
    """
    place = tmp_path_factory.mktemp("pip") / "environment"
    if run(base_interpreter(), "-m", "venv", place).code != 0:
        pytest.skip("this Python comes without ensurepip")
    return place


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
