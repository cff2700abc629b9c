"""Records that are torn, doubled, misnamed or unreadable are named, and repaired."""

import shutil
from pathlib import Path

import pytest

from tests.kit.environments import install, list_versions, run, uv
from tests.kit.repairing import find, loud, repair
from tests.kit.wheels import Wheel, build_wheel
from tests.states.conftest import record

SIX = ("six",)


def blocked(environment: Path) -> bool:
    return uv("pip", "list", "--no-config", "--python", environment).code == 2


@pytest.mark.parametrize("damage", ["no METADATA", "NULs", "nothing but the folder"])
def test_a_record_without_metadata_is_reinstalled(
    environment: Path, site: Path, six: Path, damage: str
) -> None:
    install(environment, "six==1.16.0", index=six)
    folder = site / "six-1.16.0.dist-info"
    if damage == "NULs":
        (folder / "METADATA").write_bytes(bytes(1795))
    elif damage == "no METADATA":
        (folder / "METADATA").unlink()
    else:
        shutil.rmtree(folder)
        folder.mkdir()

    assert loud(environment) == {"error[distribution-incomplete]": SIX}

    done = repair(environment, six)

    assert "--reinstall-package six" in done.plan.shell
    assert done.left == {}


@pytest.mark.parametrize("empty", [True, False])
def test_a_record_without_a_list_of_files_comes_back_at_its_version(
    environment: Path, site: Path, six: Path, *, empty: bool
) -> None:
    install(environment, "six==1.16.0", index=six)
    (site / "six-1.16.0.dist-info" / "RECORD").unlink()
    if empty:
        (site / "six-1.16.0.dist-info" / "RECORD").touch()

    assert loud(environment) == {"warning[record-missing]": SIX}

    done = repair(environment, six)

    assert done.left == {}
    assert list_versions(environment) == {"six": "1.16.0"}


def test_what_has_no_list_comes_back_first_before_it_changes_its_version(
    environment: Path, site: Path, six: Path
) -> None:
    install(environment, "six==1.16.0", index=six)
    build_wheel(Wheel("consumer", "1.0", requires=("six>=1.17",)), six)
    record(site, "consumer", "1.0", requires=("six>=1.17",))
    (site / "six-1.16.0.dist-info" / "RECORD").unlink()

    done = repair(environment, six)

    assert done.left == {}
    assert [one[-1] for one in done.plan.commands] == ["six==1.16.0", "consumer==1.0"]
    assert list_versions(environment)["six"] == "1.17.0"
    assert len(list(site.glob("six-*.dist-info"))) == 1


@pytest.mark.parametrize("row", ["\n", "not a row\n", "../../../../etc/passwd,,\n", '"open,,\n'])
def test_a_list_that_is_not_in_order_is_replaced_with_its_record(
    environment: Path, site: Path, six: Path, row: str
) -> None:
    install(environment, "six==1.16.0", index=six)
    listed = site / "six-1.16.0.dist-info" / "RECORD"
    listed.write_text(listed.read_text() + row)

    assert loud(environment) == {"error[record-malformed]": SIX}

    done = repair(environment, six)

    assert done.plan.commands[0] == ("rm", "-r", "--", str(listed.parent))
    assert done.left == {}


def test_rows_without_a_digest_are_said_and_nothing_is_done(
    environment: Path, site: Path, six: Path
) -> None:
    install(environment, "six==1.16.0", index=six)
    listed = site / "six-1.16.0.dist-info" / "RECORD"
    rows = (line.split(",")[0] for line in listed.read_text().splitlines())
    listed.write_text("".join(f"{row},,\n" for row in rows))

    assert [item.code for item in find(environment)] == ["record-missing"]
    assert loud(environment) == {}


def test_of_two_records_the_one_that_the_files_match_is_kept(
    environment: Path, site: Path, six: Path, tmp_path: Path
) -> None:
    install(environment, "six==1.17.0", index=six)
    shutil.copytree(site / "six-1.17.0.dist-info", tmp_path / "kept")
    install(environment, "six==1.16.0", index=six)
    shutil.copytree(tmp_path / "kept", site / "six-1.17.0.dist-info")

    (finding,) = find(environment)
    assert (finding.code, finding.distributions) == ("distribution-duplicate", SIX)
    assert "the live one is `six 1.16.0`" in finding.message

    assert repair(environment, six).left == {}
    assert list_versions(environment) == {"six": "1.16.0"}


def test_a_dead_record_beside_a_good_one_is_removed(
    environment: Path, site: Path, six: Path
) -> None:
    install(environment, "six==1.16.0", index=six)
    dead = site / "six-1.10.0.dist-info"
    dead.mkdir()
    (dead / "REQUESTED").touch()

    assert set(loud(environment)) == {
        "error[distribution-incomplete]",
        "error[distribution-duplicate]",
    }

    done = repair(environment, six)

    assert done.left == {}
    assert list_versions(environment) == {"six": "1.16.0"}


def test_a_record_that_says_two_names_is_replaced(environment: Path, site: Path, six: Path) -> None:
    install(environment, "six==1.16.0", index=six)
    (site / "six-1.16.0.dist-info").rename(site / "sixx-1.17.0.dist-info")

    assert "error[name-mismatch]" in loud(environment)

    done = repair(environment, six)

    assert done.left == {}
    assert list_versions(environment) == {"six": "1.16.0"}


def test_a_version_that_is_none_blocks_uv_until_its_record_is_gone(
    environment: Path, site: Path, six: Path
) -> None:
    install(environment, "six==1.16.0", index=six)
    record(site, "gpg", "1.14.0-unknown")
    assert blocked(environment)

    assert loud(environment) == {
        "error[uv-blocked]": ("gpg",),
        "error[version-invalid]": ("gpg",),
    }

    done = repair(environment, six)

    assert [command[0] for command in done.plan.commands] == ["rm"]
    assert done.left == {}
    assert not blocked(environment)


def test_a_dash_in_the_name_blocks_uv_until_its_record_is_written_anew(
    environment: Path, site: Path, six: Path
) -> None:
    build_wheel(Wheel("foo-bar", "1.0", modules={"foo_bar.py": ""}), six)
    record(site, "foo-bar", "1.0")
    assert blocked(environment)

    assert "error[uv-blocked]" in loud(environment)

    done = repair(environment, six)

    assert done.plan.commands[0][0] == "rm"
    assert done.left == {}
    assert list_versions(environment) == {"foo-bar": "1.0"}


def test_a_direct_url_that_is_none_blocks_uv_until_its_record_is_written_anew(
    environment: Path, site: Path, six: Path
) -> None:
    install(environment, "six==1.16.0", index=six)
    (site / "six-1.16.0.dist-info" / "direct_url.json").write_text("{not json")
    assert blocked(environment)

    assert loud(environment) == {
        "error[uv-blocked]": SIX,
        "error[direct-url-invalid]": SIX,
    }

    assert repair(environment, six).left == {}
    assert not blocked(environment)


def test_another_finding_in_a_blocked_environment_is_repaired_in_the_same_go(
    environment: Path, site: Path, six: Path
) -> None:
    record(site, "gpg", "1.14.0-unknown")
    build_wheel(Wheel("consumer", "1.0", requires=("six>=1.16",)), six)
    record(site, "consumer", "1.0", requires=("six>=1.16",))

    done = repair(environment, six)

    assert done.left == {}
    assert list_versions(environment)["six"] == "1.17.0"


def test_what_a_stopped_removal_left_is_removed_by_name(
    environment: Path, site: Path, six: Path
) -> None:
    install(environment, "six==1.16.0", index=six)
    shutil.copytree(site / "six-1.16.0.dist-info", site / "~ix-1.15.0.dist-info")
    (site / "~ix").mkdir()

    assert loud(environment) == {"warning[leftover]": SIX}

    done = repair(environment, six)

    assert "*" not in done.plan.shell
    assert done.left == {}


def test_where_a_stopped_upgrade_left_nothing_else_the_distribution_comes_back(
    environment: Path, site: Path, six: Path
) -> None:
    install(environment, "six==1.16.0", index=six)
    (site / "six-1.16.0.dist-info").rename(site / "~ix-1.16.0.dist-info")
    (site / "six.py").rename(site / "~ix.py")

    assert loud(environment) == {"error[leftover]": SIX}

    assert repair(environment, six).left == {}
    assert run(environment / "bin" / "python", "-c", "import six").code == 0
