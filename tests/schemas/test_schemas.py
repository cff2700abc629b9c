"""The JSON Schemas describe what is written, all of it, and are shipped."""

import json
import tomllib
from enum import StrEnum
from pathlib import Path

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from envaudit.core import codec
from envaudit.model.distribution import EditableKind, OriginKind, RemnantKind
from envaudit.model.layout import EnvironmentKind, Owner, Scope
from envaudit.model.record_name import Form
from envaudit.model.report import Report
from envaudit.model.snapshot import Snapshot
from envaudit.render.json import SCHEMA, encode
from tests.kit.commands import ROOT
from tests.kit.reports import REPORTS
from tests.kit.schemas import FOLDER, NAMES, load_schema, validate
from tests.kit.strategies import snapshots


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_one_and_has_an_identity_of_its_own(name: str) -> None:
    schema = load_schema(name)

    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"urn:envaudit:schema:{name}:1"


def test_every_schema_is_known_here() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.schema.json" for name in NAMES}


def test_the_wheel_holds_the_package_with_all_that_is_in_it() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wheel = settings["tool"]["hatch"]["build"]["targets"]["wheel"]

    assert wheel["packages"] == ["envaudit"]
    assert "exclude" not in wheel


@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
def test_every_sample_report_is_of_the_schema(report: Report) -> None:
    validate("report", json.loads(json.dumps(encode(report))))


@pytest.mark.parametrize("path", sorted((ROOT / "snapshots").glob("*.json")), ids=str)
def test_every_committed_snapshot_is_of_the_schema(path: Path) -> None:
    validate("snapshot", json.loads(path.read_text("utf-8")))


@given(snapshots())
def test_every_snapshot_is_of_the_schema(snapshot: Snapshot) -> None:
    validate("snapshot", json.loads(codec.encode(snapshot)))


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("distribution form", Form),
        ("distribution scope", Scope),
        ("distribution owner", Owner),
        ("distribution origin kind", OriginKind),
        ("distribution editable kind", EditableKind),
        ("remnant kind", RemnantKind),
        ("layout kind", EnvironmentKind),
        ("layout owner", Owner),
        ("layout sites scope", Scope),
    ],
)
def test_the_words_of_a_snapshot_are_those_that_are_read_back(
    place: str, words: type[StrEnum]
) -> None:
    definition, *names = place.split()
    part = load_schema("snapshot")["$defs"][definition]
    for name in names:
        part = part.get("items", part)["properties"][name]

    assert [word for word in part["enum"] if word is not None] == list(words)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("snapshot", {"schema": "envaudit.snapshot/2"}),
        ("snapshot", {"digest": "md5:0"}),
        ("snapshot", {"distributions": [{}]}),
        ("snapshot", {"surprise": 1}),
        ("report", {"schema": "envaudit.report/2"}),
        ("report", {"verdict": "maybe"}),
        ("report", {"exit_code": 9}),
        ("report", {"findings": [{}]}),
        ("report", {"surprise": 1}),
    ],
)
def test_what_is_not_of_the_schema_is_caught(name: str, change: dict[str, object]) -> None:
    stored = json.loads((ROOT / "snapshots" / "vllm-0.16.0.json").read_text("utf-8"))
    good = stored if name == "snapshot" else encode(REPORTS["check_passes"])

    with pytest.raises(AssertionError):
        validate(name, {**good, **change})


def test_the_schemas_name_the_versions_that_are_written() -> None:
    assert load_schema("report")["properties"]["schema"]["const"] == SCHEMA
    pattern = load_schema("snapshot")["properties"]["schema"]["pattern"]
    assert pattern.replace("\\", "").startswith(f"^{codec.SCHEMA}")
