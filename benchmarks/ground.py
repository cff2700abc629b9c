"""What is measured: environments and wheels, written out in a scratch folder; and pip."""

import compileall
import platform
import sys
from dataclasses import replace
from pathlib import Path

import pip

from envaudit.core.codec import decode
from envaudit.model.snapshot import Snapshot
from tests.kit.builders import distribution, snapshot
from tests.kit.commands import ROOT
from tests.kit.environments import find_site
from tests.kit.wheels import Wheel, build_wheel
from tests.kit.written import write_environment

REAL = ROOT / "snapshots" / "vllm-0.16.0.json"
AFTER = ROOT / "snapshots" / "vllm-0.17.0.json"
_REQUIRED = 3
_PIP = (24, 1)


def write_real(folder: Path, modules: int) -> Path:
    """Write out the committed environment, for the Python that runs this."""
    recorded = decode(REAL.read_text(encoding="utf-8"), at=str(REAL))
    return _write(_with_records(recorded), folder, modules)


def write_synthetic(folder: Path, count: int, modules: int) -> Path:
    """Write out an environment of ``count`` distributions, each of which requires a few others."""
    made = snapshot(
        *(
            distribution(
                f"sample-{number}==1.{number}",
                requires=tuple(
                    f"sample-{number // divisor}>=1"
                    for divisor in range(2, 2 + _REQUIRED)
                    if number // divisor
                ),
            )
            for number in range(1, count + 1)
        )
    )
    return _write(_with_records(made), folder, modules)


def write_wheel(folder: Path) -> Path:
    """Write a wheel that adds one distribution to the committed environment."""
    build_wheel(Wheel("sample-added", "1", requires=("torch", "numpy>=1")), folder)
    return folder


def find_pip() -> Path:
    """Return the file that starts this interpreter's pip under another interpreter."""
    if tuple(int(part) for part in pip.__version__.split(".")[:2]) < _PIP:
        sys.exit(
            f"pip {pip.__version__} reads requirements several times slower than 24.1 and later "
            "do, and would flatter envaudit: run this by a Python with a newer one"
        )
    return Path(pip.__file__).with_name("__pip-runner__.py")


def _with_records(taken: Snapshot) -> Snapshot:
    """Return the snapshot for the running Python, with a content id (thus a RECORD) for each."""
    records = (replace(record, content_id=record.label) for record in taken.distributions)
    return snapshot(*records, python=platform.python_version())


def _write(taken: Snapshot, folder: Path, modules: int) -> Path:
    """Write an environment as it stands when its modules were imported: with their byte code."""
    write_environment(taken, folder, modules=modules)
    if not compileall.compile_dir(find_site(folder), quiet=1):
        sys.exit(f"the modules in `{folder}` do not compile")
    return folder
