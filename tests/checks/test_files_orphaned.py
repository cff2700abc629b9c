"""The check ``files-orphaned``."""

from envaudit.model.files import Files, Orphan
from envaudit.model.finding import Clear
from tests.kit.builders import snapshot
from tests.kit.judging import judge

SITE = "lib/python3.11/site-packages"
SIX = f"{SITE}/six-1.dist-info"
ENVIRONMENT = snapshot("six==1")


def orphan(path: str, *within: str, extension: bool = False) -> Files:
    return Files(
        orphans=(Orphan(path=f"{SITE}/{path}", files=2, extension=extension, within=within),)
    )


def test_compiled_code_inside_a_package_is_an_error_that_is_removed() -> None:
    finding = judge(ENVIRONMENT, files=orphan("six/md.so", SIX, extension=True))[0]

    assert (finding.severity.value, finding.distributions) == ("error", ("six",))
    assert finding.remedies == (Clear(paths=(f"{SITE}/six/md.so",)),)


def test_what_hides_a_listed_module_is_an_error_and_nobody_offers_to_delete_it() -> None:
    hiding = Orphan(
        path=f"{SITE}/six/md",
        files=1,
        extension=False,
        hides=f"{SITE}/six/md.py",
        within=(SIX,),
    )

    finding = judge(ENVIRONMENT, files=Files(orphans=(hiding,)))[0]

    assert (finding.severity.value, finding.remedies) == ("error", ())
    assert finding.evidence == (f"hides: {SITE}/six/md.py",)


def test_what_may_be_somebodys_own_work_is_never_offered_to_be_deleted() -> None:
    for files in (orphan("mine"), orphan("six/mine.py", SIX), orphan("mine.so", extension=True)):
        finding = judge(ENVIRONMENT, files=files)[0]
        assert (finding.severity.value, finding.remedies) == ("warning", ())


def test_what_is_left_of_a_distribution_of_the_baseline_is() -> None:
    before = snapshot("six==1", "botocore==1.34.0")

    found = judge(ENVIRONMENT, files=orphan("botocore"), baseline=before)

    assert {item.code for item in found} >= {"files-orphaned", "distribution-lost"}
    assert any(item.remedies == (Clear(paths=(f"{SITE}/botocore",)),) for item in found)


def test_what_debian_brought_without_a_record_is_an_info() -> None:
    site = "lib/python3/dist-packages"

    def severity(orphan: Orphan) -> str:
        return judge(ENVIRONMENT, files=Files(orphans=(orphan,)))[0].severity.value

    assert severity(Orphan(path=f"{site}/apt", files=3, extension=False)) == "info"
    inside = Orphan(path=f"{site}/six/x.so", files=1, extension=True, within=(SIX,))
    assert severity(inside) == "error"
