"""``demo`` as a function: it happens, all of it, and leaves nothing behind."""

import json
from pathlib import Path

import pytest

from envaudit.commands import demo
from envaudit.exits import Exit
from tests.kit.shell import surroundings


def test_the_incident_happens_and_is_repaired(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    told: list[str] = []

    report = demo.run(surroundings(), tell=told.append)

    assert report.exit is Exit.PASS, "".join(told)
    assert "worker up, flashinfer 0.6.4" in told[-3]
    assert json.dumps(report.data).count('"title"') == 12
    assert list(tmp_path.iterdir()) == []
