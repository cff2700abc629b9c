"""The checks ``record-missing`` and ``record-malformed``."""

from envaudit.model.files import Files, Manifest, ManifestState, RowFault
from envaudit.model.finding import Clear, Reinstall
from envaudit.model.layout import Owner
from tests.kit.builders import distribution, snapshot
from tests.kit.judging import judge, told

SITE = "lib/python3.11/site-packages"
SIX = f"{SITE}/six-1.16.0.dist-info"
ENVIRONMENT = snapshot("six==1.16.0")
ABSENT = Files(manifests=(Manifest(folder=SIX, state=ManifestState.ABSENT),))


def test_no_list_is_a_warning_and_comes_back() -> None:
    finding = judge(ENVIRONMENT, files=ABSENT)[0]

    assert told((finding,)) == [
        "warning[record-missing] `six 1.16.0` has no RECORD: no installer can remove or upgrade it"
    ]
    assert finding.remedies == (Reinstall(name="six", version="1.16.0"),)


def test_an_empty_list_is_none() -> None:
    empty = Manifest(folder=SIX, state=ManifestState.ABSENT, reason="is empty")
    finding = judge(ENVIRONMENT, files=Files(manifests=(empty,)))[0]

    assert told((finding,)) == [
        (
            "warning[record-missing] `six 1.16.0` has a RECORD that is empty: "
            "no installer can remove or upgrade it"
        )
    ]


def test_where_another_tool_looks_after_it_no_list_is_an_info() -> None:
    env = snapshot(distribution("six==1.16.0", owner=Owner.SYSTEM))

    found = [item for item in judge(env, files=ABSENT) if item.code == "record-missing"]

    assert [(item.severity.value, item.remedies) for item in found] == [("info", ())]


def test_a_list_that_is_not_in_order_goes_with_its_record() -> None:
    fault = RowFault(line=3, reason="is blank")
    files = Files(manifests=(Manifest(folder=SIX, faults=(fault,), fault_count=1),))

    finding = judge(ENVIRONMENT, files=files)[0]

    assert told((finding,)) == [
        "error[record-malformed] 1 row in RECORD of `six 1.16.0` is not in order"
    ]
    assert finding.evidence == ("line 3: is blank",)
    assert finding.remedies == (Clear(paths=(SIX,), name="six", version="1.16.0"),)


def test_absent_unreadable_malformed_and_without_digests_are_told_apart() -> None:
    manifests = (
        Manifest(folder=SIX, state=ManifestState.ABSENT),
        Manifest(folder=SIX, state=ManifestState.UNREADABLE, reason="is a link"),
        Manifest(folder=SIX, fault_count=2),
        Manifest(folder=SIX, unhashed=3),
    )
    said = {
        told(judge(ENVIRONMENT, files=Files(manifests=(manifest,))))[0] for manifest in manifests
    }

    assert len(said) == 4
