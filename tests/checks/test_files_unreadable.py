"""The check ``files-unreadable``."""

from envaudit.model.files import Files, Manifest
from envaudit.model.inspection import Deviation, DeviationKind, Inspection, Tally
from tests.kit.builders import snapshot
from tests.kit.judging import judge, told

FOLDER = "lib/python3.11/site-packages/six-1.16.0.dist-info"
MANIFEST = Manifest(folder=FOLDER, rows=1)


def test_what_could_not_be_read_is_a_warning_and_no_repair_is_offered() -> None:
    one = Deviation(
        path="lib/python3.11/site-packages/six.py",
        record=FOLDER,
        kind=DeviationKind.UNREADABLE,
        reason="cannot be read (Permission denied)",
    )
    files = Files(
        manifests=(MANIFEST,),
        inspection=Inspection(tallies=(Tally(record=FOLDER, deviations=(one,)),)),
    )

    findings = judge(snapshot("six==1.16.0"), files=files)

    assert told(findings) == ["warning[files-unreadable] 1 file of `six 1.16.0` could not be read"]
    assert findings[0].remedies == ()
