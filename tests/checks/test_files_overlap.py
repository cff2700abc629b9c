"""The check ``files-overlap``."""

import pytest

from envaudit.model.files import Claim, Contested, Files, Manifest, ManifestState
from envaudit.model.finding import Keep
from envaudit.model.layout import Owner
from tests.kit.builders import distribution, snapshot
from tests.kit.judging import judge, told

SITE = "lib/python3.11/site-packages"
RECORDS = (f"{SITE}/jwt-1.3.1.dist-info", f"{SITE}/pyjwt-2.10.1.dist-info")
BOTH = snapshot("jwt==1.3.1", "PyJWT==2.10.1")


def contested(path: str, *digests: str | None, stands: int | None = None) -> Contested:
    return Contested(
        path=path,
        claims=tuple(
            Claim(folder=folder, digest=digest, stands=None if stands is None else stands == at)
            for at, (folder, digest) in enumerate(zip(RECORDS, digests, strict=True))
        ),
    )


def files(*paths: Contested, state: ManifestState = ManifestState.READ, faults: int = 0) -> Files:
    return Files(
        manifests=tuple(
            Manifest(folder=folder, state=state, fault_count=faults) for folder in RECORDS
        ),
        contested=paths,
    )


DIFFERING = contested(f"{SITE}/jwt/__init__.py", "sha256=a", "sha256=b", stands=0)
SAME = contested(f"{SITE}/jwt/py.typed", "sha256=a", "sha256=a")


def test_other_contents_are_an_error_that_names_whose_file_is_there() -> None:
    (finding, *_) = judge(BOTH, files=files(DIFFERING, SAME))

    assert told((finding,)) == [
        (
            "error[files-overlap] `jwt 1.3.1` and `PyJWT 2.10.1` both claim 2 paths, "
            "1 of them with different contents"
        )
    ]
    assert finding.distributions == ("jwt", "pyjwt")
    assert finding.evidence == (
        "on disk: 1 file of `jwt 1.3.1`",
        f"path: {SITE}/jwt/__init__.py",
    )


def test_the_same_contents_are_an_info() -> None:
    assert told(judge(BOTH, files=files(SAME))) == [
        (
            "info[files-overlap] `jwt 1.3.1` and `PyJWT 2.10.1` both claim 1 path, "
            "all with the same contents"
        )
    ]


def test_contents_that_cannot_be_compared_are_an_info_that_says_so() -> None:
    unknown = contested(f"{SITE}/jwt/__init__.py", None, "sha256=b")

    assert told(judge(BOTH, files=files(unknown))) == [
        (
            "info[files-overlap] `jwt 1.3.1` and `PyJWT 2.10.1` both claim 1 path, "
            "1 of them without a digest to compare"
        )
    ]


@pytest.mark.parametrize("path", [f"{SITE}/README.md", "share/doc/jwt/NOTES"])
def test_a_text_that_nothing_imports_is_a_warning(path: str) -> None:
    (finding, *_) = judge(BOTH, files=files(contested(path, "sha256=a", "sha256=b")))

    assert finding.severity.value == "warning"


def test_what_is_needed_is_kept_first_and_else_what_stands() -> None:
    needing = snapshot(*BOTH.distributions, distribution("user==1", requires=("pyjwt",)))
    keep_pyjwt = Keep(name="pyjwt", version="2.10.1", losers=("jwt",))
    keep_jwt = Keep(name="jwt", version="1.3.1", losers=("pyjwt",))

    assert judge(needing, files=files(DIFFERING))[0].remedies == (keep_pyjwt, keep_jwt)
    assert judge(BOTH, files=files(DIFFERING))[0].remedies == (keep_jwt, keep_pyjwt)


def test_what_cannot_be_uninstalled_is_not_offered_to_be() -> None:
    assert judge(BOTH, files=files(DIFFERING, state=ManifestState.ABSENT))[0].remedies == ()
    assert judge(BOTH, files=files(DIFFERING, faults=1))[0].remedies == ()


def test_what_another_tool_looks_after_gets_no_command_of_uv() -> None:
    env = snapshot("jwt==1.3.1", distribution("PyJWT==2.10.1", owner=Owner.SYSTEM))

    (finding, *_) = judge(env, files=files(DIFFERING))

    assert finding.remedies == ()
    assert any("operating system" in line for line in finding.evidence)


def test_two_records_of_one_name_are_no_overlap() -> None:
    twice = snapshot(
        distribution("jwt==1.3.1", folder=RECORDS[0]), distribution("jwt==2", folder=RECORDS[1])
    )

    assert "files-overlap" not in {one.code for one in judge(twice, files=files(DIFFERING))}
