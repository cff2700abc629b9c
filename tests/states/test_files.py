"""Files that are missing, and files that two distributions claim."""

import shutil
from pathlib import Path

import pytest

from tests.kit.environments import find_site, install, run, uninstall
from tests.kit.repairing import find, loud, repair
from tests.kit.wheels import Wheel, build_wheel

PYJWT = Wheel("PyJWT", "2.10.1", modules={"jwt/__init__.py": "encode = 1\n", "jwt/api.py": ""})
JWT = Wheel("jwt", "1.3.1", modules={"jwt/__init__.py": "other = 1\n", "jwt/jwk.py": ""})
YAML = Wheel("PyYAML", "6.0.2", modules={"yaml/__init__.py": "", "yaml/loader.py": ""})


@pytest.fixture
def wheels(index: Path) -> Path:
    for wheel in (PYJWT, JWT, YAML):
        build_wheel(wheel, index)
    return index


def imports(environment: Path, statement: str) -> bool:
    return run(environment / "bin" / "python", "-c", statement).code == 0


def test_a_record_without_payload_is_named_and_reinstalled(environment: Path, wheels: Path) -> None:
    install(environment, "pyyaml", index=wheels)
    shutil.rmtree(find_site(environment) / "yaml")

    assert loud(environment) == {"error[files-missing]": ("pyyaml",)}

    done = repair(environment, wheels)

    assert "--reinstall-package pyyaml" in done.plan.shell
    assert done.left == {}
    assert imports(environment, "import yaml.loader")


def test_an_overlap_is_settled_in_the_order_that_works(environment: Path, wheels: Path) -> None:
    install(environment, "pyjwt", index=wheels)
    install(environment, "jwt", index=wheels)

    (finding,) = find(environment)
    assert (finding.code, finding.distributions) == ("files-overlap", ("jwt", "pyjwt"))
    assert finding.evidence[0] == "on disk: 1 file of `jwt 1.3.1`"

    done = repair(environment, wheels)

    uninstall_first, install_then = done.plan.commands
    assert uninstall_first[1:3] == ("pip", "uninstall")
    assert "--reinstall-package" in install_then
    assert done.left == {}


def test_what_something_installed_needs_is_kept(environment: Path, wheels: Path) -> None:
    build_wheel(Wheel("consumer", "1", requires=("pyjwt",)), wheels)
    install(environment, "consumer", index=wheels)
    install(environment, "jwt", index=wheels)

    done = repair(environment, wheels)

    assert done.plan.commands[0][-1] == "jwt"
    assert done.left == {}
    assert imports(environment, "import jwt; jwt.encode")


def test_the_hole_that_a_naive_repair_leaves_is_named(environment: Path, wheels: Path) -> None:
    install(environment, "pyjwt", index=wheels)
    install(environment, "jwt", index=wheels)
    uninstall(environment, "jwt")

    assert loud(environment) == {"error[files-missing]": ("pyjwt",)}
    assert repair(environment, wheels).left == {}
    assert imports(environment, "import jwt; jwt.encode")


def test_eleven_wheels_that_share_one_file_of_the_same_content_are_an_info(
    environment: Path, index: Path
) -> None:
    for number in range(11):
        modules = {"nvidia/__init__.py": "", f"nvidia/part{number}/__init__.py": f"N = {number}\n"}
        build_wheel(Wheel(f"nvidia-part{number}", "1", modules=modules), index)
    install(environment, *(f"nvidia-part{number}" for number in range(11)), index=index)

    (finding,) = find(environment)

    assert (finding.code, finding.severity.value) == ("files-overlap", "info")
    assert len(finding.distributions) == 11


def test_links_to_nowhere_are_missing_files(environment: Path, index: Path, tmp_path: Path) -> None:
    build_wheel(Wheel("idna", "3.7", modules={"idna/__init__.py": "", "idna/core.py": ""}), index)
    install(environment, "idna", index=index)
    core = find_site(environment) / "idna" / "core.py"
    core.unlink()
    core.symlink_to(tmp_path / "a-cache-that-was-cleaned" / "core.py")

    assert loud(environment) == {"error[files-missing]": ("idna",)}
    assert repair(environment, index).left == {}
