"""Healthy stacks from a package index stay quiet, by uv and by pip. Run with ``-m network``."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.kit.environments import run, uv
from tests.kit.repairing import loud, repair

pytestmark = pytest.mark.network

STACKS = {
    "web": "fastapi uvicorn[standard] django flask sqlalchemy celery httpx[http2] gunicorn",
    "jupyter": "jupyterlab notebook ipywidgets pandas matplotlib",
    "google": "google-cloud-storage google-cloud-pubsub google-auth",
    "azure": "azure-storage-blob azure-identity azure-keyvault-secrets",
    "opentelemetry": "opentelemetry-sdk opentelemetry-exporter-otlp",
    "namespaces": "zope.interface zope.event jaraco.classes jaraco.functools backports.tarfile",
}


@pytest.mark.parametrize("stack", STACKS)
def test_a_stack_by_uv_is_quiet(stack: str, environment: Path) -> None:
    done = uv("pip", "install", "--python", environment, *STACKS[stack].split())
    assert done.code == 0, done.stderr

    assert loud(environment) == {}


@pytest.mark.skipif(find_spec("pip") is None, reason="needs pip beside the tests")
@pytest.mark.parametrize("stack", ["web", "google"])
def test_a_stack_by_pip_is_quiet(stack: str, environment: Path) -> None:
    pip = (sys.executable, "-m", "pip", "--python", environment / "bin" / "python")
    done = run(*pip, "install", *STACKS[stack].split())
    assert done.code == 0, done.stderr

    assert loud(environment) == {}


@pytest.mark.parametrize(
    "backend",
    [
        ("setuptools>=68", "setuptools.build_meta"),
        ("hatchling", "hatchling.build"),
        ("poetry-core>=2", "poetry.core.masonry.api"),
        ("flit_core", "flit_core.buildapi"),
        ("pdm-backend", "pdm.backend"),
    ],
    ids=lambda backend: backend[0],
)
def test_an_editable_of_each_backend_is_quiet_until_its_tree_changes(
    backend: tuple[str, str], environment: Path, tmp_path: Path
) -> None:
    tree = tmp_path / "tree"
    (tree / "own").mkdir(parents=True)
    (tree / "own" / "__init__.py").write_text('"""A package."""\n')
    text = (
        '[project]\nname = "own"\nversion = "1.0"\ndescription = "x"\n'
        'dependencies = ["Six >=1.10, <2", "tomli>=1 ; python_version<\\"3.11\\""]\n'
        f'[build-system]\nrequires = ["{backend[0]}"]\nbuild-backend = "{backend[1]}"\n'
    )
    (tree / "pyproject.toml").write_text(text)
    done = uv("pip", "install", "--python", environment, "-e", tree)
    assert done.code == 0, done.stderr

    assert loud(environment) == {}

    (tree / "pyproject.toml").write_text(text.replace('"Six', '"attrs", "Six'))
    assert loud(environment) == {"warning[editable-stale]": ("own",)}

    tree.rename(tmp_path / "elsewhere")
    assert loud(environment) == {"error[editable-dangling]": ("own",)}


@pytest.mark.parametrize(
    ("first", "then", "code"),
    [
        (("pydantic==2.11.7",), ("pydantic-core==2.37.2",), "requirement-unmet"),
        (("PyJWT==2.10.1",), ("jwt==1.3.1",), "files-overlap"),
        (("grpcio-reflection==1.71.0",), ("protobuf==5.27.5",), "generated-code-newer"),
        (("enum34==1.1.10",), ("uuid==1.30",), "module-shadowed"),
    ],
)
def test_a_recipe_with_real_releases_is_named_and_repaired(
    environment: Path, first: tuple[str, ...], then: tuple[str, ...], code: str
) -> None:
    for pins in (first, then):
        done = uv("pip", "install", "--python", environment, "--no-deps", *pins)
        assert done.code == 0, done.stderr
    if code == "requirement-unmet":
        more = uv(
            "pip",
            "install",
            "--python",
            environment,
            "typing-extensions",
            "annotated-types",
            "typing-inspection",
        )
        assert more.code == 0, more.stderr
    if code == "generated-code-newer":
        assert uv("pip", "install", "--python", environment, "grpcio==1.71.0").code == 0
    if code == "files-overlap":
        assert uv("pip", "install", "--python", environment, "cryptography").code == 0
    assert any(code in key for key in loud(environment)), loud(environment)

    assert repair(environment, None).left == {}
