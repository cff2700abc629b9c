"""Journals, packed lists and copies that are torn, huge, deep or of the wrong shape.

What they say is not believed, nothing is changed, and it is never a fault of ours.
"""

import json
import os
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.test_apply import module, words
from tests.e2e.test_restore import interrupt
from tests.kit.commands import envaudit
from tests.kit.environments import find_site, install
from tests.kit.staging import contents
from tests.kit.wheels import build_wheel

RESUME = ("restore", "@interrupted", "--apply", "--python")


@pytest.fixture
def server(environment: Path, index: Path) -> Path:
    """Return an environment of which a change, `left 1` to `left 2`, was interrupted."""
    for version in ("1", "2"):
        build_wheel(module("left", version), index)
    install(environment, "left==1", index=index)
    assert envaudit("apply", *words("install", environment, index, "left==2")).code == 0
    interrupt()
    return environment


def begun() -> Path:
    (found,) = Path(os.environ["ENVAUDIT_STATE"]).glob("*/*.begun.json")
    return found


def kept(name: str) -> Path:
    (found,) = Path(os.environ["ENVAUDIT_STATE"]).glob(f"*/change-*Z/{name}")
    return found


def _edited(text: bytes, **values: object) -> bytes:
    return json.dumps({**json.loads(text), **values}).encode()


JOURNALS: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "torn": lambda text: text[: len(text) // 2],
    "deep": lambda _: b"[" * 200_000,
    "huge number": lambda _: b'{"schema": 1' + b"0" * 400 + b"}",
    "no text": lambda text: text.replace(b'"', b"\xff"),
    "a list": lambda _: b"[]",
    "wrong type": lambda text: _edited(text, stash={}),
    "no size": lambda text: text.replace(b'"size": "', b'"size": "x'),
    "no snapshot": lambda text: _edited(text, before="{}"),
    "deep snapshot": lambda text: _edited(text, before="[" * 200_000),
    "outside": lambda text: text.replace(b'"lib/', b'"../lib/'),
}


def test_a_journal_that_is_none_changes_nothing(server: Path) -> None:
    journal, before = begun(), contents(server)
    text = journal.read_bytes()
    for name, spoil in JOURNALS.items():
        spoiled = spoil(text)
        assert spoiled != text, name
        journal.write_bytes(spoiled)
        refused = envaudit(*RESUME, server)
        assert (refused.code, "journal" in refused.stderr) == (3, True), (name, refused.stderr)
        assert contents(server) == before, name
    journal.write_bytes(_edited(text, folder="/\0"))  # a folder that there cannot be
    assert envaudit(*RESUME, server).code == 0


LISTS: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "torn": lambda content: content[:-8],
    "not packed": lambda _: b"x\0y\0",
    "of nothing": lambda _: zlib.compress(b""),
    "odd": lambda _: zlib.compress(b"x\0y"),
    "no text": lambda _: zlib.compress(b"\xff\xfe"),
}


def test_a_list_of_files_that_is_none_changes_nothing(server: Path) -> None:
    states, before = kept("states"), contents(server)
    for name, spoil in LISTS.items():
        states.write_bytes(spoil(states.read_bytes()))
        refused = envaudit(*RESUME, server)
        assert refused.code == 3, (name, refused.stdout, refused.stderr)
        assert contents(server) == before, name


def test_a_copy_that_is_another_one_is_not_installed(server: Path, index: Path) -> None:
    """And nothing else can bring it back: a person is told, and nothing evil is installed."""
    (index / "left-1-py3-none-any.whl").unlink()
    shutil.rmtree(os.environ["UV_CACHE_DIR"])
    wheel = kept("left-1*.whl")
    for content in (b"", b"PK\x03\x04", wheel.read_bytes()[:-1] + b"x"):
        wheel.write_bytes(content)
        refused = envaudit(*RESUME, server)
        assert refused.code == 6, refused.stdout + refused.stderr
        assert "still to be put back: left 1" in refused.stdout
    wheel.unlink()
    wheel.symlink_to(index / "left-2-py3-none-any.whl")
    assert envaudit(*RESUME, server).code == 6
    assert "2" in (find_site(server) / "left" / "__init__.py").read_text()
