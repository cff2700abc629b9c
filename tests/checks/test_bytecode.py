"""The checks on bytecode."""

import pytest

from envaudit.model.files import Files, Manifest
from envaudit.model.inspection import Bytecode, BytecodeState, Inspection
from tests.kit.builders import snapshot
from tests.kit.judging import judge, told

SITE = "lib/python3.11/site-packages"
ENVIRONMENT = snapshot("six==1.16.0")


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (BytecodeState.FOREIGN, "error[bytecode-foreign]"),
        (BytecodeState.UNCHECKED, "error[bytecode-unchecked]"),
        (BytecodeState.PROVEN, "info[bytecode-unchecked]"),
        (BytecodeState.UNREADABLE, "warning[bytecode-unreadable]"),
        (BytecodeState.STALE, "info[bytecode-stale]"),
        (BytecodeState.ORPHAN, "info[bytecode-stale]"),
    ],
)
def test_what_is_run_unseen_is_an_error_and_what_is_not_run_an_info(
    state: BytecodeState, said: str
) -> None:
    one = Bytecode(
        path=f"{SITE}/__pycache__/six.cpython-311.pyc",
        state=state,
        reason="is odd",
        record=f"{SITE}/six-1.16.0.dist-info",
    )

    manifest = Manifest(folder=one.record or "", rows=1)
    files = Files(manifests=(manifest,), inspection=Inspection(bytecode=(one,)))

    (line,) = told(judge(ENVIRONMENT, files=files))

    assert line.split(" ", 1)[0] == said
