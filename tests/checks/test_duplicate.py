"""The check ``distribution-duplicate``."""

from envaudit.model.distribution import Unreadable
from envaudit.model.files import Files, Manifest, ManifestState
from envaudit.model.finding import Clear, Reinstall
from tests.kit.builders import distribution, snapshot
from tests.kit.judging import judge

SITE = "lib/python3.11/site-packages"
OLD, NEW = f"{SITE}/six-1.16.0.dist-info", f"{SITE}/six-1.17.0.dist-info"
BOTH = snapshot("six==1.16.0", "six==1.17.0")


def files(old: int | None, new: int | None) -> Files:
    return Files(
        manifests=tuple(
            Manifest(
                folder=folder,
                state=ManifestState.ABSENT if verified is None else ManifestState.READ,
                payload=10,
                verified=verified,
            )
            for folder, verified in ((OLD, old), (NEW, new))
        )
    )


def live(old: int | None, new: int | None) -> Reinstall:
    finding = next(item for item in judge(BOTH, files=files(old, new)) if item.remedies)
    assert finding.code == "distribution-duplicate"
    (remedy,) = finding.remedies
    assert isinstance(remedy, Reinstall)
    return remedy


def test_the_live_one_is_whose_files_are_on_disk() -> None:
    assert live(10, 3).version == "1.16.0"
    assert live(3, 10).version == "1.17.0"


def test_what_has_no_list_cannot_be_the_live_one() -> None:
    assert live(0, None).version == "1.16.0"


def test_where_nothing_tells_it_is_said_and_the_newest_is_taken() -> None:
    finding = next(item for item in judge(BOTH, files=files(10, 10)) if "recorded" in item.message)

    assert "cannot be told" in finding.message
    assert live(10, 10).version == "1.17.0"


def test_files_that_nobody_compared_decide_nothing() -> None:
    (finding, _) = judge(BOTH)

    assert "cannot be told" in finding.message


def test_a_record_without_metadata_beside_a_whole_one_goes() -> None:
    torn = Unreadable(folder=OLD, part="METADATA", reason="is not there")

    found = judge(snapshot("six==1.17.0", unreadable=(torn,)))

    assert {item.remedies for item in found if item.remedies} == {(Clear(paths=(OLD,)),)}


def test_a_record_of_which_only_others_cannot_read_metadata_is_one() -> None:
    six = distribution("six==1.16.0")
    part = Unreadable(folder=six.folder, part="METADATA", reason="is not UTF-8")

    assert "distribution-duplicate" not in {
        item.code for item in judge(snapshot(six, unreadable=(part,)))
    }
