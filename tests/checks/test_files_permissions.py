"""The check ``files-permissions``."""

from dataclasses import replace

from envaudit.model.files import Files, Manifest
from envaudit.model.inspection import Deviation, DeviationKind, Inspection, Tally
from tests.kit.builders import snapshot
from tests.kit.judging import judge, told

SITE = "lib/python3.11/site-packages"
SIX, TOOL = f"{SITE}/six-1.16.0.dist-info", f"{SITE}/tool-1.dist-info"
OPEN = Deviation(
    path=f"{SITE}/six.py",
    record=SIX,
    kind=DeviationKind.EXPOSED,
    reason="may be written by anybody (0666)",
)
LENDING = Deviation(
    path="bin/tool",
    record=TOOL,
    kind=DeviationKind.EXPOSED,
    reason="runs with its owner's rights, whoever starts it (4755)",
    lends_rights=True,
)


def test_rights_that_are_lent_are_an_error_and_open_files_one_warning_for_all() -> None:
    other = replace(OPEN, path=f"{SITE}/tool.py", record=TOOL)
    files = Files(
        manifests=(Manifest(folder=SIX, rows=1), Manifest(folder=TOOL, rows=1)),
        inspection=Inspection(
            tallies=(
                Tally(record=SIX, deviations=(OPEN,)),
                Tally(record=TOOL, deviations=(LENDING, other)),
            )
        ),
    )

    findings = judge(snapshot("six==1.16.0", "tool==1"), files=files)

    assert told(findings) == [
        "error[files-permissions] 1 file of `tool 1` runs with the owner's rights",
        "warning[files-permissions] 2 paths of 2 distributions may be written by anybody",
    ]
    assert findings[0].evidence == (f"path: {LENDING.path} {LENDING.reason}",)
    assert findings[1].distributions == ("six", "tool")
    assert not any(finding.remedies for finding in findings)
