"""The journal of a change comes back as it was written, and nothing else is taken for one."""

import json
from dataclasses import replace

import pytest

from envaudit.core.journal_codec import decode, encode
from envaudit.model.bundle import Stashed
from envaudit.model.errors import UnreadableError
from envaudit.model.journal import Entry, Outcome
from tests.kit.builders import snapshot
from tests.kit.schemas import validate

ENTRY = Entry(
    folder="/srv",
    flags=("--offline",),
    begun="2026-12-02T12:00:00Z",
    environment="/srv/venv",
    commands=(("uv", "pip", "install", "--", "a==2"), ("uv", "x y")),
    names=("a",),
    before=snapshot("a==1"),
    stash=(
        Stashed(
            name="a",
            version="1",
            content_id=None,
            path="/state/a-1.whl",
            digest=f"sha256:{'0' * 64}",
            size=3,
            files=(("a.py", "sha256=x"),),
            modes=(("a.py", 0o640),),
        ),
    ),
)


@pytest.mark.parametrize("outcome", [None, *Outcome])
def test_it_comes_back_as_it_was(outcome: Outcome | None) -> None:
    entry = replace(ENTRY, outcome=outcome)
    assert decode(encode(entry), "journal") == entry
    validate("journal", json.loads(encode(entry)))


@pytest.mark.parametrize(
    ("old", "new"), [("journal/1", "journal/2"), ('"begun"', '"began"'), ("[", "]"), ("null", "1")]
)
def test_what_is_none_is_refused(old: str, new: str) -> None:
    with pytest.raises(UnreadableError, match="the journal `journal`"):
        decode(encode(ENTRY).replace(old, new), "journal")


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "a/../../x", "", "a//b"])
def test_a_path_that_leads_out_of_the_environment_is_refused(path: str) -> None:
    with pytest.raises(UnreadableError, match="no path in an environment"):
        decode(encode(ENTRY).replace('"a.py"', json.dumps(path)), "journal")


@pytest.mark.parametrize("mode", ["4755", "8", "", "-1", "0o7"])
def test_permissions_that_are_none_are_refused(mode: str) -> None:
    with pytest.raises(UnreadableError, match="permission bits"):
        decode(encode(ENTRY).replace('"640"', json.dumps(mode)), "journal")
