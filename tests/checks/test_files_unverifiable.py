"""The check ``files-unverifiable``."""

import pytest

from envaudit.model.files import Files, Manifest, ManifestState, RowFault
from envaudit.model.inspection import Inspection, Tally
from envaudit.model.layout import Owner
from envaudit.model.record_name import Form
from tests.kit.builders import distribution, snapshot
from tests.kit.judging import judge, told

FOLDER = "lib/python3.11/site-packages/six-1.16.0.dist-info"
ENVIRONMENT = snapshot("six==1.16.0")


def files(manifest: Manifest, *, unverifiable: int = 0) -> Files:
    tally = Tally(record=FOLDER, unverifiable=unverifiable)
    return Files(manifests=(manifest,), inspection=Inspection(tallies=(tally,)))


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        (Manifest(folder=FOLDER, state=ManifestState.ABSENT), "is not there"),
        (
            Manifest(folder=FOLDER, state=ManifestState.UNREADABLE, reason="is not a regular file"),
            "is not a regular file",
        ),
        (
            Manifest(
                folder=FOLDER, rows=3, faults=(RowFault(line=2, reason="is blank"),), fault_count=1
            ),
            "is not in order in 1 line",
        ),
        (Manifest(folder=FOLDER), "is empty"),
    ],
)
def test_a_record_that_is_not_in_order_is_a_warning(manifest: Manifest, said: str) -> None:
    assert told(judge(ENVIRONMENT, files=files(manifest))) == [
        (
            f"warning[files-unverifiable] RECORD of `six 1.16.0` {said}, "
            "so its files cannot all be verified"
        )
    ]


def test_the_operating_system_writes_no_record_and_that_is_an_info() -> None:
    env = snapshot(distribution("six==1.16.0", owner=Owner.SYSTEM))

    findings = judge(env, files=files(Manifest(folder=FOLDER, state=ManifestState.ABSENT)))

    assert findings[0].severity.value == "info"


def test_rows_without_a_digest_are_one_info() -> None:
    manifest = Manifest(folder=FOLDER, rows=3, unhashed=2)

    assert told(judge(ENVIRONMENT, files=files(manifest, unverifiable=2))) == [
        "info[files-unverifiable] 2 files of 1 distribution have no digest in RECORD"
    ]


def test_distributions_of_an_old_form_are_one_info() -> None:
    old = distribution(
        "old==1", form=Form.EGG_INFO, folder="lib/python3.11/site-packages/old-1.egg-info"
    )

    assert told(judge(snapshot(old), files=Files(inspection=Inspection()))) == [
        (
            "info[files-unverifiable] 1 distribution of an old form, or linked as a whole, "
            "have no digests at all"
        )
    ]
