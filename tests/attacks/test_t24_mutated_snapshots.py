"""T24: a snapshot with something wrong at every place: refused, or read, judged and written anew.

What is read although a key of a newer schema or a null stands in it must be of the schema once it
is written again; nothing may be a fault of envaudit.
"""

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from envaudit.core.codec import decode, encode
from envaudit.core.drift import diff, explain
from envaudit.core.evaluate import evaluate
from envaudit.core.graph import resolve
from envaudit.model.distribution import (
    Editable,
    EditableKind,
    Origin,
    OriginKind,
    Remnant,
    RemnantKind,
    Unreadable,
)
from envaudit.model.errors import UnreadableError
from envaudit.model.inspection import FileDigest
from envaudit.model.layout import EnvironmentKind, Layout, Owner, Scope, Site
from envaudit.model.snapshot import Snapshot, StartupHook
from tests.kit.builders import distribution, snapshot
from tests.kit.schemas import validate

Place = tuple[str | int, ...]

VALUES: tuple[object, ...] = (
    *(None, True, 0, -1.5, 10**300, "", "a b", "\x1b[31m\x00", "\ud800", "../x"),
    *([], {}, [None], [1], {"a": 1}, ["a"], [["a"]]),
)


def _rich() -> Snapshot:
    """Return a snapshot in which every key that there is says something."""
    torch = distribution(
        "torch==2.9.1",
        origin=Origin(kind=OriginKind.VCS, url="https://example.org/a", revision="abc"),
        requires=("numpy<2; python_version > '3'", "x[y]"),
        extras=("z",),
        requires_python=">=3.9",
        repositories=("https://example.org/one/one",),
        content_id="sha256:1",
        active_extras=("z",),
        scope=Scope.BASE,
        owner=Owner.CONDA,
        editable=Editable(kind=EditableKind.PATH, files=("a.pth",), targets=("/a",), dangling=()),
        linked=True,
    )
    layout = Layout(
        kind=EnvironmentKind.VENV,
        sites=(Site(path="lib", scope=Scope.OWN, named_by="a.pth"),),
        owner=Owner.EXTERNAL,
    )
    return replace(
        snapshot(
            torch,
            "numpy==1.0",
            unreadable=(Unreadable(folder="x", part="METADATA", reason="is a link"),),
            remnants=(Remnant(folder="~orch", kind=RemnantKind.LEFTOVER, name=None, version=None),),
            layout=layout,
        ),
        shadowed=(distribution("six==1.0"),),
        files=(FileDigest(path="a.py", digest="sha256=1"), FileDigest(path="b.py", digest=None)),
        hooks=(StartupHook(path="a.pth", digest="sha256:2", lines=("import a",), owner="torch"),),
    )


SNAPSHOT = _rich()
DOCUMENT: dict[str, Any] = json.loads(encode(SNAPSHOT))


def _places(value: object, place: Place = ()) -> Iterator[Place]:
    if place:
        yield place
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _places(inner, (*place, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _places(inner, (*place, index))


def _changed(place: Place) -> Iterator[dict[str, Any]]:
    """Yield the document with each wrong value at ``place``, and without what stands there."""
    *way, last = place
    for value in (*VALUES, _changed):
        document = copy.deepcopy(DOCUMENT)
        target: Any = document
        for step in way:
            target = target[step]
        if value is _changed:
            del target[last]
        else:
            target[last] = copy.deepcopy(value)
        yield document


@pytest.mark.parametrize(
    "place", tuple(_places(DOCUMENT)), ids=lambda place: ".".join(map(str, place))
)
def test_something_wrong_at_one_place(place: Place) -> None:
    for document in _changed(place):
        try:
            read = decode(json.dumps(document), at="kept.json")
        except UnreadableError:
            continue
        validate("snapshot", json.loads(encode(read)))
        assert decode(encode(read), at="again") == read
        changes = diff(read, SNAPSHOT)
        explain(changes, resolve(read), resolve(SNAPSHOT))
        evaluate(read, (), baseline=SNAPSHOT)
        evaluate(SNAPSHOT, (), baseline=read)
