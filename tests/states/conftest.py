"""Environments with real wheels, to be damaged by the tests."""

from pathlib import Path

import pytest

from tests.kit.environments import find_site
from tests.kit.records import Metadata, compose_wheel
from tests.kit.wheels import Wheel, build_wheel


@pytest.fixture
def site(environment: Path) -> Path:
    """Return the site directory of the environment."""
    return find_site(environment)


@pytest.fixture
def six(index: Path) -> Path:
    """Offer two versions of a small distribution, and return the folder of wheels."""
    for version in ("1.16.0", "1.17.0"):
        build_wheel(
            Wheel("six", version, modules={"six.py": f"__version__ = '{version}'\n"}), index
        )
    return index


def record(site: Path, name: str, version: str, **metadata: object) -> Path:
    """Write a record by hand, with a RECORD without digests, and return its folder."""
    spelling = str(metadata.pop("spelling", name))
    requires = metadata.pop("requires", ())
    python = metadata.pop("python", None)
    assert isinstance(requires, tuple)
    folder = site / f"{name}-{version}.dist-info"
    folder.mkdir()
    text = Metadata(
        name=spelling,
        version=version,
        requires=requires,
        requires_python=None if python is None else str(python),
    ).compose()
    (folder / "METADATA").write_text(text)
    (folder / "WHEEL").write_text(compose_wheel(["py3-none-any"]))
    (folder / "INSTALLER").write_text("by hand")
    files = ("INSTALLER", "METADATA", "RECORD", "WHEEL")
    (folder / "RECORD").write_text("".join(f"{folder.name}/{file},,\n" for file in files))
    return folder
