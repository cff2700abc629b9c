"""Which environment is meant, by every word that the shell has for one."""

from pathlib import Path

import pytest

from envaudit.model.errors import UnreadableError
from envaudit.readers.libraries import Library
from envaudit.readers.locate import locate_environment, locate_folder
from envaudit.readers.python_request import parse_request
from tests.kit.bare import make_prefix, make_venv, put


@pytest.fixture
def places(tmp_path: Path) -> Path:
    """Return a folder with the environments ``old`` (3.11) and ``new`` (3.12), and a prefix."""
    make_venv(tmp_path / "old")
    make_venv(tmp_path / "new", "version_info = 3.12.1", library="python3.12")
    make_prefix(tmp_path / "prefix")
    (tmp_path / "project" / "deep").mkdir(parents=True)
    return tmp_path


def test_the_option_wins(places: Path) -> None:
    variables = {"UV_PYTHON": "old", "VIRTUAL_ENV": "old"}

    assert locate_environment("new", variables, places).root == places / "new"


def test_the_order_of_the_variables(places: Path) -> None:
    (places / "project" / ".venv").symlink_to(places / "old")
    variables = {"CONDA_PREFIX": str(places / "prefix")}
    here = places / "project"

    assert locate_environment(None, {}, here / "deep").root == here / ".venv"
    assert locate_environment(None, variables, here).root == places / "prefix"
    variables["VIRTUAL_ENV"] = str(places / "new")
    assert locate_environment(None, variables, here).root == places / "new"
    variables |= {"UV_SYSTEM_PYTHON": "true", "PATH": str(places / "prefix" / "bin")}
    (places / "prefix/bin/python3").resolve().chmod(0o755)
    assert locate_environment(None, variables, here).root == places / "prefix"
    variables["UV_PYTHON"] = str(places / "old")
    assert locate_environment(None, variables, here).root == places / "old"


def test_nothing_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=r"no environment is named, and there is no `\.venv`"):
        locate_environment(None, {}, tmp_path)


@pytest.mark.parametrize("request_text", ["3.12", "python3.12", ">=3.12", "cpython@3.12.9", "312"])
def test_a_version_request_chooses_among_what_is_found(places: Path, request_text: str) -> None:
    (places / ".venv").symlink_to(places / "new")
    variables = {"UV_PYTHON": request_text, "VIRTUAL_ENV": str(places / "old")}

    assert locate_environment(None, variables, places).root == places / ".venv"


def test_a_version_request_that_nothing_meets_is_said(places: Path) -> None:
    variables = {"UV_PYTHON": "3.13", "VIRTUAL_ENV": str(places / "old")}

    with pytest.raises(UnreadableError) as caught:
        locate_environment(None, variables, places)

    message = caught.value.problems[0].message
    assert "`UV_PYTHON` asks for `3.13`, a version and no environment" in message
    assert "`VIRTUAL_ENV`" in message
    assert "python3.11" in message


def test_a_version_request_and_no_environment_at_all(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="a version and no environment"):
        locate_environment(None, {"UV_PYTHON": "3.13"}, tmp_path)


def test_the_option_takes_no_version(places: Path) -> None:
    with pytest.raises(UnreadableError, match=r"`--python` is `3\.12`, a version"):
        locate_environment("3.12", {"VIRTUAL_ENV": str(places / "new")}, places)


def test_an_interpreter_of_a_virtual_environment(places: Path) -> None:
    (places / "old/bin").mkdir()
    (places / "old/bin/python").symlink_to(places / "prefix/bin/python3.11")

    target = locate_environment("old/bin/python", {}, places)

    assert (target.root, target.interpreter) == (places / "old", places / "old/bin/python")


def test_an_interpreter_that_is_gone_still_names_its_environment(places: Path) -> None:
    (places / "old/bin").mkdir()
    (places / "old/bin/python").symlink_to("/nowhere/python3.11")

    assert locate_environment("old/bin/python", {}, places).root == places / "old"


def test_a_link_to_an_interpreter_belongs_to_where_it_leads(places: Path) -> None:
    (places / "old/bin").mkdir()
    (places / "old/bin/python").symlink_to(places / "prefix/bin/python3.11")
    (places / "mine").symlink_to(places / "old/bin/python")

    target = locate_environment("./mine", {}, places)

    assert target.root == (places / "prefix").resolve()
    assert target.interpreter == (places / "prefix/bin/python3.11").resolve()


def test_an_environment_named_through_a_link_keeps_the_user_s_name(places: Path) -> None:
    (places / "current").symlink_to(places / "old")

    assert locate_environment("current", {}, places).root == places / "current"
    assert locate_environment("current/../old", {}, places).root == places / "old"


def test_a_script_is_no_interpreter(places: Path) -> None:
    put(places / "shims/python3", '#!/bin/sh\nexec python3 "$@"\n')

    with pytest.raises(UnreadableError, match="is a script and no interpreter"):
        locate_environment("shims/python3", {}, places)


def test_a_path_that_is_not_there(places: Path) -> None:
    with pytest.raises(UnreadableError, match="which is not there"):
        locate_environment("nowhere/bin/python", {}, places)


def test_a_plain_folder_and_its_interpreter(places: Path) -> None:
    target = locate_folder("project", "old", {}, places)

    assert (target.root, target.plain) == (places / "project", True)
    assert target.importer is not None
    assert target.importer.root == places / "old"


@pytest.mark.parametrize(
    ("text", "admitted"),
    [
        ("3", ["python3.11", "python3.13t"]),
        ("3.11", ["python3.11"]),
        ("3.11.4", ["python3.11"]),
        ("311", ["python3.11"]),
        ("cp311", ["python3.11"]),
        ("3.13t", ["python3.13t"]),
        ("3.13+freethreaded", ["python3.13t"]),
        ("pypy", ["pypy3.10"]),
        ("pypy@3.10", ["pypy3.10"]),
        ("cpython-3.11-linux-x86_64-gnu", ["python3.11"]),
        (">=3.11,<3.12", ["python3.11"]),
        (">3.11.5", ["python3.11", "python3.13t"]),
    ],
)
def test_what_a_request_admits(text: str, admitted: list[str]) -> None:
    request = parse_request(text)
    assert request is not None
    libraries = [Library.parse(name) for name in ("python3.11", "python3.13t", "pypy3.10")]
    found = [each.name for each in libraries if each is not None and request.admits(each)]

    assert [name for name in found if text != "3" or name != "pypy3.10"] == admitted


@pytest.mark.parametrize("text", ["python", "python3", "venv", ".venv", "/x/3.11", "", "~/x", "t"])
def test_what_is_no_request(text: str) -> None:
    assert parse_request(text) is None
