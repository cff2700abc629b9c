"""The check ``files-irregular``."""

from envaudit.model.files import Files, Manifest
from envaudit.model.inspection import Deviation, DeviationKind, Inspection, Tally
from tests.kit.builders import snapshot
from tests.kit.judging import judge, told

FOLDER = "lib/python3.11/site-packages/six-1.16.0.dist-info"
MANIFEST = Manifest(folder=FOLDER, rows=1)


def test_a_link_in_the_place_of_a_file_is_an_error() -> None:
    one = Deviation(
        path="lib/python3.11/site-packages/six.py",
        record=FOLDER,
        kind=DeviationKind.IRREGULAR,
        reason="is a symbolic link",
    )
    files = Files(
        manifests=(MANIFEST,),
        inspection=Inspection(tallies=(Tally(record=FOLDER, deviations=(one,)),)),
    )

    findings = judge(snapshot("six==1.16.0"), files=files)

    assert told(findings) == [
        "error[files-irregular] in the place of 1 file of `six 1.16.0` there is something else"
    ]
    assert findings[0].evidence == ("path: lib/python3.11/site-packages/six.py is a symbolic link",)
