"""The check ``files-unlisted``."""

from dataclasses import replace

from envaudit.model.files import Files, Manifest
from envaudit.model.inspection import FileDigest, Inspection, Unlisted
from tests.kit.builders import snapshot
from tests.kit.judging import judge, told

SITE = "lib/python3.11/site-packages"
FOLDER = f"{SITE}/six-1.16.0.dist-info"
MANIFEST = Manifest(folder=FOLDER, rows=1)
ENVIRONMENT = snapshot("six==1.16.0")


def files(*unlisted: Unlisted, unlistable: tuple[str, ...] = ()) -> Files:
    return Files(
        manifests=(MANIFEST,), inspection=Inspection(unlisted=unlisted, unlistable=unlistable)
    )


def test_a_module_inside_a_package_is_an_error_and_what_it_hides_is_said() -> None:
    found = Unlisted(path=f"{SITE}/six/a.so", record=FOLDER, hides=f"{SITE}/six/a.py")

    (finding, *_) = judge(ENVIRONMENT, files=files(found))

    assert told((finding,)) == [
        (
            "error[files-unlisted] 1 importable file inside the package of `six 1.16.0` "
            "is listed by no RECORD"
        )
    ]
    assert finding.evidence == (f"hides: {SITE}/six/a.so comes before {SITE}/six/a.py",)
    assert finding.remedies == ()


def test_a_module_at_the_top_is_a_warning() -> None:
    found = (Unlisted(path=f"{SITE}/a.py"), Unlisted(path=f"{SITE}/b.py"))

    assert told(judge(ENVIRONMENT, files=files(*found))) == [
        "warning[files-unlisted] 2 importable files outside of all packages are listed by no RECORD"
    ]


def test_where_a_record_has_no_list_the_top_is_not_judged_and_that_is_said() -> None:
    findings = judge(ENVIRONMENT, files=files(Unlisted(path=f"{SITE}/a.py"), unlistable=(SITE,)))

    assert [finding.severity.value for finding in findings][:1] == ["info"]
    assert "cannot be told" in findings[0].message


def test_what_was_there_in_the_baseline_is_an_info_until_it_changes() -> None:
    found = Unlisted(path=f"{SITE}/a.py", digest="sha256=one")
    same = replace(ENVIRONMENT, files=(FileDigest(path=f"{SITE}/a.py", digest="sha256=one"),))
    other = replace(ENVIRONMENT, files=(FileDigest(path=f"{SITE}/a.py", digest="sha256=two"),))

    known = judge(ENVIRONMENT, files=files(found), baseline=same)[0]
    new = judge(ENVIRONMENT, files=files(found), baseline=other)[0]

    assert (known.severity.value, known.introduced) == ("info", False)
    assert (new.severity.value, new.introduced) == ("warning", True)
