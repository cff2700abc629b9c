"""The systemd units that are shipped: systemd accepts them, and they say what they must."""

import shutil
from pathlib import Path

import pytest

from tests.kit.commands import ROOT
from tests.kit.environments import run
from tests.kit.hostile import write_program

UNITS = sorted((ROOT / "envaudit" / "units").glob("*.service"))


def test_there_are_units_for_both_ways() -> None:
    assert [unit.name for unit in UNITS] == ["envaudit-check@.service", "envaudit-exec.service"]


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_accepts_it(unit: Path, tmp_path: Path) -> None:
    verifier = shutil.which("systemd-analyze")
    if verifier is None:
        pytest.skip("there is no systemd here")
    program = write_program(tmp_path / "bin" / "envaudit", "exit 0")
    text = unit.read_text().replace("/usr/local/bin/envaudit", str(program))
    # A template is verified as one of its instances.
    copy = tmp_path / unit.name.replace("@.", "@srv-example-venv.")
    copy.write_text(text)
    verified = run(verifier, "verify", "--man=no", copy)
    assert (verified.code, verified.stdout, verified.stderr) == (0, "", "")


def test_a_refused_start_is_not_tried_again() -> None:
    text = (ROOT / "envaudit" / "units" / "envaudit-exec.service").read_text()
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert "RestartPreventExitStatus=78 127" in lines
    assert not any(line.startswith(("ExecStartPre=", "ExecCondition=")) for line in lines)
