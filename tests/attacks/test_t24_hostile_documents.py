"""T24: snapshots, metadata and uv's answers that are deep, huge, double or not numbers.

Each is refused with what and where, or judged; none is a fault of envaudit, and none takes long.
Policies: `tests/readers/test_hostile_policies.py`.
"""

import json
from pathlib import Path

import pytest

from envaudit.core.codec import decode, encode
from envaudit.model.declared import (
    admits,
    hangs_on_another_extra,
    parse_requirement,
    parse_version,
)
from envaudit.model.errors import UnreadableError
from envaudit.readers import direct_url
from envaudit.readers.store import read_snapshot
from envaudit.uv.dry_run import parse_moves
from tests.kit.builders import snapshot
from tests.kit.commands import envaudit
from tests.kit.hostile import empty_environment, metadata, write_record

GOOD = encode(snapshot("torch==2.9.1"))
DIGITS = "9" * 5000
DEEP = 100_000


def _with(field: str) -> str:
    """Return a snapshot that holds one more field."""
    return GOOD.replace("{\n", f"{{\n{field},\n", 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD[: len(GOOD) // 2], "is not a whole JSON document"),
        ("", "is not a whole JSON document"),
        ("null", "has no object"),
        ("[" * DEEP, "is not a whole JSON document"),
        (_with('"more": ' + "[" * DEEP + "]" * DEEP), "is not a whole JSON document"),
        (_with('"more": ' + "[" * 100 + "]" * 100), "nests over 32 levels deep in `more`"),
        (_with(f'"more": {DIGITS}'), "is not a whole JSON document"),
        (_with('"more": 1e999'), "a number is larger"),
        (_with(f'"more": {"9" * 400}'), "a number is larger"),
        (_with(f'"more": -{"9" * 400}'), "a number is larger"),
        (_with('"more": NaN'), "NaN is not JSON"),
        (_with('"more": -Infinity'), "-Infinity is not JSON"),
        (_with('"schema": "envaudit.snapshot/1"'), "a key stands twice"),
        (GOOD.replace("snapshot/1", "snapshot/2"), "is of schema `envaudit.snapshot/2`"),
        (GOOD.replace("snapshot/1", "snapshot/11"), "is of schema `envaudit.snapshot/11`"),
        (GOOD.replace('"name": "torch"', '"name": "Torch"'), "has a `name` that is not that of"),
        (GOOD.replace('"name": "torch"', '"name": "flash"'), "has a `name` that is not that of"),
        (GOOD.replace('"2.9.1"', "{}"), "has no text as `version`"),
        (GOOD.replace('"tags": ["py3', '"tags": [1, "py3'), "has no list of texts as `tags`"),
    ],
)
def test_a_hostile_snapshot_is_refused_with_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        decode(text, at="kept.json")

    assert message in caught.value.problems[0].message
    assert caught.value.problems[0].at == "kept.json"


def test_a_snapshot_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    path.write_bytes(GOOD.encode().replace(b'"spelling": "torch"', b'"spelling": "tor\xffch"'))

    with pytest.raises(UnreadableError, match="is not UTF-8"):
        read_snapshot(path)


def test_what_is_deep_within_bounds_is_kept_and_written_again() -> None:
    text = _with('"more": ' + "[" * 30 + "]" * 30)

    assert decode(encode(decode(text, at="a")), at="b").more == decode(text, at="a").more


@pytest.mark.parametrize(
    "text",
    [
        f"a=={DIGITS}",
        f"a=={DIGITS}.*",
        f"a~={DIGITS}.1",
        "a; " + "(" * 1900 + 'extra == "x"' + ")" * 1900,
        "a; " + 'extra == "x" and ' * 100_000 + 'extra == "x"',
        "extra" + "a" * 1_000_000,
        "a " + "(" * 1_000_000 + ' ; extra == "x"',
        "a[" + "x," * 500_000 + "x]",
        "a; python_version > '" + "1" * 4000 + "'",
        "a; python_full_version > '" + "1." * 2000 + "1'",
    ],
    ids=lambda text: text[:12] + str(len(text)),
)
def test_a_hostile_requirement_is_read_or_is_none(text: str) -> None:
    assert hangs_on_another_extra(text, "y") in {True, False}
    parsed = parse_requirement(text)

    assert parsed is None or admits(str(parsed.specifier), "1.0") in {True, False, None}


@pytest.mark.parametrize("text", [DIGITS, "1." * 10_000, "1+" + "a." * 10_000 + "a", "1!" + DIGITS])
def test_a_hostile_version_is_none(text: str) -> None:
    assert parse_version(text) is None


def test_an_environment_full_of_them_is_judged(tmp_path: Path) -> None:
    environment = empty_environment(tmp_path / "environment")
    hostile = (
        f"Requires-Dist: b=={DIGITS}",
        "Requires-Dist: b; " + "(" * 1900 + 'extra == "x"' + ")" * 1900,
        "Requires-Dist: " + "(" * 100_000 + ' ; extra == "x"',
        f"Requires-Dist: b[{'x,' * 10_000}x]",
        f"Requires-Python: >={DIGITS}",
        f"Provides-Extra: {'x' * 100_000}",
        'Requires-Dist: b; python_version > "' + "1" * 4500 + '"',
        f"Project-URL: Source, https://github.com/{'a/' * 50_000}",
    )
    content = {"METADATA": metadata("a", DIGITS, *hostile)}
    write_record(environment, "a-1.dist-info", content)
    write_record(environment, "b-1.dist-info", {"METADATA": metadata("b", "1", *hostile)})
    deep = b'{"url": ' + b"[" * DEEP
    write_record(
        environment,
        "c-1.dist-info",
        {
            "METADATA": content["METADATA"][:0] + metadata("c", "1"),
            "direct_url.json": deep[:200_000],
        },
    )

    for command in (("check",), ("snapshot", "--to", "a.json"), ("why", "b"), ("diff", "a.json")):
        outcome = envaudit(*command, "-p", environment, folder=tmp_path)

        assert outcome.code in {0, 1}, (command, outcome.stderr[-2000:])


@pytest.mark.parametrize(
    "content", [b"[" * DEEP, b'{"url": ' + DIGITS.encode() + b"}", b"NaN", b"\xff", b"", b"[]"]
)
def test_a_hostile_direct_url_is_an_error_of_its_own(content: bytes) -> None:
    with pytest.raises(direct_url.DirectUrlError):
        direct_url.parse(content)


@pytest.mark.parametrize(
    "text", ["[" * DEEP, DIGITS, "NaN", "", "{}", json.dumps({"changes": [1], "schema": {}})]
)
def test_a_hostile_plan_of_uv_is_not_understood(text: str) -> None:
    with pytest.raises(UnreadableError, match="uv's plan"):
        parse_moves(text, at="uv")
