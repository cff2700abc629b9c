"""Reading uv's plan: rows are joined, and what is not understood is never guessed at."""

import json

import pytest

from envaudit.exits import Exit
from envaudit.model.errors import UnreadableError
from envaudit.model.plan import Move
from envaudit.uv.dry_run import parse_moves


def plan(*rows: object, version: str = "preview") -> str:
    return json.dumps({"schema": {"version": version}, "changes": rows, "dry_run": True})


def row(name: str, action: str, **more: object) -> dict[str, object]:
    return {"name": name, "action": action, **more}


def test_a_pair_of_rows_is_one_move() -> None:
    text = plan(
        row("Torch", "uninstalled", version="2.9.1"),
        row("torch", "installed", version="2.10.0"),
        row("new", "installed", version="1"),
        row("gone", "uninstalled", version="3"),
    )
    assert parse_moves(text, at="uv") == (
        Move(name="gone", before="3", after=None),
        Move(name="new", before=None, after="1"),
        Move(name="torch", before="2.9.1", after="2.10.0"),
    )


def test_a_source_tree_has_no_version_and_is_said_to_be_unknown() -> None:
    (move,) = parse_moves(plan(row("a", "installed")), at="uv")
    assert (move.after, move.known) == (None, False)


def test_an_empty_plan_is_a_plan() -> None:
    assert parse_moves(plan(), at="uv") == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "what",
        "[]",
        plan(version="2"),
        plan(row("a", "moved", version="1")),
        plan(row("a", "installed", version=1)),
        plan({"action": "installed", "version": "1"}),
        plan("a"),
        plan(row("a", "installed", version="1"), row("A", "installed", version="2")),
        plan(row("a", "installed", version="1.0$(touch x)")),
        plan(row("a", "installed", version="")),
        plan(row("a", "uninstalled", version="what")),
        plan(row("", "installed", version="1")),
        plan(row("a; touch x", "installed", version="1")),
        plan(row("--index-url=x", "installed")),
        json.dumps({"schema": {"version": "preview"}}),
        json.dumps({"schema": {"version": "preview"}, "changes": [], "dry_run": False}),
        json.dumps({"schema": {"version": "preview"}, "changes": []}),
        "[" * 100_000,
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        parse_moves(text, at="uv")
    assert caught.value.exit is Exit.UNKNOWN
