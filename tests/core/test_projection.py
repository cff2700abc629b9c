"""How the files of an environment would stand after a plan."""

from envaudit.core.projection import project_files
from envaudit.model.files import Claim, Contested, Files, Manifest
from envaudit.model.plan import Move
from tests.kit.builders import snapshot

SITE = "lib/python3.11/site-packages"
JWT, PYJWT = f"{SITE}/jwt-1.3.1.dist-info", f"{SITE}/pyjwt-2.10.1.dist-info"
ENVIRONMENT = snapshot("jwt==1.3.1", "pyjwt==2.10.1")
SHARED = f"{SITE}/jwt/__init__.py"
FILES = Files(
    manifests=(Manifest(folder=JWT), Manifest(folder=PYJWT, missing=(f"{SITE}/jwt/api.py",))),
    contested=(
        Contested(
            path=SHARED,
            claims=tuple(Claim(folder=one, digest=one, stands=None) for one in (JWT, PYJWT)),
        ),
    ),
)
UNINSTALLED = Move(name="jwt", before="1.3.1", after=None)
REINSTALLED = Move(name="pyjwt", before="2.10.1", after="2.10.1")


def projected(*moves: Move) -> Files:
    return project_files(FILES, ENVIRONMENT, moves)


def test_uninstalling_the_loser_alone_takes_the_shared_files_from_the_keeper() -> None:
    assert projected(UNINSTALLED) == Files(
        manifests=(Manifest(folder=PYJWT, missing=(SHARED, f"{SITE}/jwt/api.py")),)
    )


def test_the_keeper_reinstalled_afterwards_is_sound() -> None:
    assert projected(UNINSTALLED, REINSTALLED) == Files(manifests=(Manifest(folder=PYJWT),))


def test_reinstalling_alone_leaves_the_contest_with_the_file_of_the_last() -> None:
    after = projected(REINSTALLED)

    assert [one.folder for one in after.manifests if one.missing] == []
    assert [one.path for one in after.contested] == [one.path for one in FILES.contested]
    assert {(claim.folder, claim.stands) for one in after.contested for claim in one.claims} == {
        (JWT, False),
        (PYJWT, True),
    }


def test_another_version_is_not_known() -> None:
    after = projected(Move(name="pyjwt", before="2.10.1", after="2.11"))

    assert after == Files(manifests=(Manifest(folder=JWT),))


def test_a_record_that_is_cleared_away_claims_nothing() -> None:
    assert project_files(FILES, ENVIRONMENT, (), cleared=(PYJWT,)) == Files(
        manifests=(Manifest(folder=JWT),)
    )
