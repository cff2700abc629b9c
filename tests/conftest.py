"""What every test gets without asking: nothing of the user's, and a folder of its own."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from tests.kit.environments import hermetic_variables, make_environment

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
def environment(tmp_path: Path) -> Path:
    """Return a real, empty virtual environment."""
    return make_environment(tmp_path / "environment")
