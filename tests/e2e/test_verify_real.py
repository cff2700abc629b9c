"""Fifty real distributions, installed by uv in every link mode and by pip: nothing is found.

Some are native, some have scripts, data files and odd names in RECORD. Needs a package index.
"""

import os
from pathlib import Path

import pytest

from tests.kit.environments import find_site, make_environment, run, uv
from tests.kit.verifying import verified

DISTRIBUTIONS = tuple(
    """
    aiohttp annotated-types anyio attrs babel beautifulsoup4 black certifi cffi charset-normalizer
    click colorama coverage cryptography docutils fastapi filelock flask fsspec greenlet h11 httpx
    idna iniconfig itsdangerous jinja2 jsonschema lxml markdown markupsafe mypy numpy packaging
    pandas pillow platformdirs pluggy psutil pydantic pygments pytest python-dateutil pytz pyyaml
    requests rich ruff setuptools six sqlalchemy tomlkit tqdm typer virtualenv wheel
    """.split()  # noqa: SIM905 - fifty lines would tell less
)


@pytest.fixture(scope="module")
def settings() -> dict[str, str]:
    """Return environment variables of a uv and a pip that may ask an index."""
    dropped = {"UV_OFFLINE", "UV_LINK_MODE"}
    return {name: value for name, value in os.environ.items() if name not in dropped}


@pytest.mark.network
@pytest.mark.parametrize("mode", ["copy", "hardlink", "symlink", "clone"])
@pytest.mark.parametrize("flags", [(), ("--compile-bytecode",)])
def test_uv_installs_nothing_that_is_found(
    mode: str, flags: tuple[str, ...], settings: dict[str, str], tmp_path: Path
) -> None:
    environment = make_environment(tmp_path / "environment")

    words = ("--link-mode", mode, *flags, *DISTRIBUTIONS)
    installed = uv("pip", "install", "--python", environment, *words, variables=settings)

    assert installed.code == 0, installed.stderr
    _assert_nothing_is_found(environment)


@pytest.mark.network
def test_pip_installs_nothing_that_is_found(settings: dict[str, str], tmp_path: Path) -> None:
    environment = make_environment(tmp_path / "environment")
    pip = make_environment(tmp_path / "pip")
    assert uv("pip", "install", "--python", pip, "pip", variables=settings).code == 0

    installed = run(
        *(pip / "bin" / "python", "-m", "pip", "--python", environment / "bin" / "python"),
        *("install", "--quiet", *DISTRIBUTIONS),
        variables=settings,
    )

    assert installed.code == 0, installed.stderr
    _assert_nothing_is_found(environment)


def _assert_nothing_is_found(environment: Path) -> None:
    assert len(list(find_site(environment).glob("*.dist-info"))) >= 50
    report = verified(environment, deep=True)
    assert report.findings == ()
    assert report.exit == 0
