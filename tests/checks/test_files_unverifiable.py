"""The check ``files-unverifiable``."""

from dataclasses import replace

from envaudit.model.files import Files, Manifest
from envaudit.model.inspection import FileDigest, Inspection, Tally
from envaudit.model.record_name import Form
from tests.kit.builders import distribution, snapshot
from tests.kit.judging import judge, told

FOLDER = "lib/python3.11/site-packages/six-1.16.0.dist-info"


def test_digests_of_an_unknown_kind_are_one_info() -> None:
    tally = Tally(record=FOLDER, unverifiable=3, unknown=2)
    files = Files(
        manifests=(Manifest(folder=FOLDER, rows=3),), inspection=Inspection(tallies=(tally,))
    )

    assert told(judge(snapshot("six==1.16.0"), files=files)) == [
        "info[files-unverifiable] 2 files have digests of a kind that is not known"
    ]


def test_distributions_of_an_old_form_are_one_info() -> None:
    old = distribution(
        "old==1", form=Form.EGG_INFO, folder="lib/python3.11/site-packages/old-1.egg-info"
    )
    (said,) = told(judge(snapshot(old), files=Files(inspection=Inspection())))

    assert said.startswith("info[files-unverifiable] 1 distribution of an old form")


def test_files_of_which_the_baseline_has_no_digest_either_are_one_info() -> None:
    paths = ("six.cfg", "six.dat", "six.txt")
    unhashed = tuple(FileDigest(path=path, digest="sha256=b25l") for path in paths)
    tally = Tally(record=FOLDER, unverifiable=3, unhashed=unhashed)
    files = Files(
        manifests=(Manifest(folder=FOLDER, rows=3),), inspection=Inspection(tallies=(tally,))
    )
    subject = snapshot("six==1.16.0")
    recorded = (unhashed[0], FileDigest(path="six.dat", digest=None))

    assert told(judge(subject, files=files, baseline=replace(subject, files=recorded))) == [
        "info[files-unverifiable] 2 files have no digest in RECORD, and none in the baseline"
    ]
    assert told(judge(subject, files=files, baseline=replace(subject, files=unhashed))) == []
