"""Snapshots as JSON: canonical, whole or refused, and no field is lost."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from envaudit.core.codec import decode, digest, encode
from envaudit.exits import Exit
from envaudit.model.distribution import Origin, OriginKind, Unreadable
from envaudit.model.errors import UnreadableError
from envaudit.model.snapshot import Provenance, Snapshot, StartupHook
from tests.kit.builders import distribution, snapshot


@pytest.fixture
def full() -> Snapshot:
    return replace(
        snapshot(
            distribution(
                "Torch==2.9.1+cu128",
                origin=Origin(kind=OriginKind.VCS, url="https://example.org", revision="abc"),
                requires=("b>=1",),
                extras=("x",),
                requires_python=">=3.10",
                repositories=("https://example.org/a/b",),
                content_id="sha256:1",
                installer="uv",
                requested=True,
                active_extras=("x",),
                build="3",
            ),
            distribution("planned==1", requires=None),
            unreadable=(Unreadable(folder="x.dist-info", part="METADATA", reason="is a link"),),
        ),
        hooks=(StartupHook(path="x.pth", digest="sha256:2", lines=("import x",), owner="x"),),
        provenance=Provenance(taken="2026-12-01T00:00:00Z", host="h", details=(("libc", "2"),)),
    )


def test_what_is_decoded_is_what_was_encoded(full: Snapshot) -> None:
    again = decode(encode(full), at="x")
    assert again == full
    assert again.provenance == full.provenance
    assert [record.active_extras for record in again.distributions] == [(), ("x",)]
    assert encode(again) == encode(full)


def test_one_distribution_is_one_line(full: Snapshot) -> None:
    lines = encode(full).splitlines()
    assert sum(line.startswith('{"active_extras"') for line in lines) == 2


def test_the_digest_leaves_out_provenance_and_what_installers_write(full: Snapshot) -> None:
    other = replace(
        full,
        provenance=Provenance(taken="2027-01-01T00:00:00Z", host="other"),
        distributions=tuple(
            replace(record, installer="pip", requested=False, active_extras=())
            for record in full.distributions
        ),
    )
    assert digest(other) == digest(full)
    assert digest(replace(full, hooks=())) != digest(full)
    assert digest(replace(full, unreadable=())) != digest(full)


def test_fields_of_a_newer_minor_schema_are_kept(full: Snapshot) -> None:
    document = json.loads(encode(full))
    document["schema"] = "envaudit.snapshot/1.4"
    document["later"] = {"a": 1}
    document["distributions"][0]["later"] = [1]
    again = json.loads(encode(decode(json.dumps(document), at="x")))
    assert again["later"] == {"a": 1}
    assert again["distributions"][0]["later"] == [1]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda text: text[: len(text) // 2], "is not a whole JSON document"),
        (lambda text: text.replace("snapshot/1", "snapshot/2"), "is of schema"),
        (lambda text: text.replace('"spelling": "Torch", ', ""), "has no `spelling` in"),
        (lambda text: text.replace('"version": "1"', '"version": 1'), "has no text as `version`"),
        (lambda text: text.replace('"kind": "vcs"', '"kind": "moon"'), "has an unknown `kind`"),
        (lambda text: text.replace('"hooks":', '"digest": "x", "hooks":'), "stands twice"),
        (lambda text: text.replace('"3.11.7"', "NaN"), "NaN is not JSON"),
        (lambda _: "[" * 100_000, "is not a whole JSON document"),
        (lambda _: "[]", "has no object at the document"),
    ],
)
def test_a_damaged_snapshot_is_refused_with_what_and_where(
    full: Snapshot, damage: Callable[[str], str], message: str
) -> None:
    with pytest.raises(UnreadableError, match=message) as caught:
        decode(damage(encode(full)), at="prod.json")
    assert caught.value.exit is Exit.UNKNOWN
    assert caught.value.problems[0].at == "prod.json"
