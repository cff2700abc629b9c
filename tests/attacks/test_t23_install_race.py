"""T23: installs beside snapshots: what is called complete was read from one state."""

import json
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.kit.commands import envaudit
from tests.kit.environments import install
from tests.kit.wheels import Wheel, build_wheel

ROUNDS = 6


@pytest.fixture
def contents_of(environment: Path, index: Path, tmp_path: Path) -> dict[str, str]:
    """Install two versions of `many` one after the other; return the content id of each."""
    known: dict[str, str] = {}
    for version in ("1", "2"):
        modules = {f"many/m{number}.py": f"{version} {number}\n" for number in range(300)}
        build_wheel(Wheel("many", version, modules=modules), index)
        install(environment, f"many=={version}", index=index)
        (row,) = _take(environment, tmp_path / "known.json")["distributions"]
        known[version] = row["content_id"]
    return known


def test_a_complete_snapshot_lists_nothing_half_installed(
    environment: Path, index: Path, tmp_path: Path, contents_of: dict[str, str]
) -> None:
    words = ("uv", "pip", "install", "-q", "--python", str(environment), "--no-index")
    command = shlex.join((*words, "--find-links", str(index)))
    loop = "; ".join(f"{command} many=={1 + turn % 2}" for turn in range(ROUNDS))
    shell = shutil.which("sh")
    assert shell is not None
    taken = []
    with subprocess.Popen([shell, "-c", loop]) as installs:
        while installs.poll() is None:
            taken.append(_take(environment, tmp_path / "taken.json"))
    complete = [document for document in taken if document and not document["unreadable"]]
    for document in complete:
        rows = [(row["version"], row["content_id"]) for row in document["distributions"]]
        assert len(rows) <= 1
        assert set(rows) <= set(contents_of.items())
    assert complete


def _take(environment: Path, target: Path) -> dict[str, list[dict[str, str]]]:
    """Take a snapshot; nothing where envaudit says that there was none to take."""
    target.unlink(missing_ok=True)
    taken = envaudit("snapshot", "--python", environment, "--to", target)
    assert taken.code in {0, 3}, taken.stderr
    document: dict[str, list[dict[str, str]]] = {}
    if taken.code == 0:
        document = json.loads(target.read_text())
    return document
