"""The journal of one change as JSON and back."""

import json
import re
import zlib

from envaudit.core import codec
from envaudit.core.json_object import JsonObject, ShapeError, parse_json
from envaudit.model.bundle import Stashed
from envaudit.model.document import Json
from envaudit.model.errors import Problem, UnreadableError
from envaudit.model.journal import Entry, FileStates, Outcome

SCHEMA = "envaudit.journal/1"
_MODE = re.compile(r"[0-7]{1,3}")
_STATES_LIMIT = 1024 * 1024 * 1024


def encode(entry: Entry) -> str:
    """Return the entry as JSON text, ending in a newline."""
    document: dict[str, Json] = {
        "schema": SCHEMA,
        "begun": entry.begun,
        "outcome": None if entry.outcome is None else entry.outcome.value,
        "environment": entry.environment,
        "commands": [{"words": list(command)} for command in entry.commands],
        "folder": entry.folder,
        "flags": list(entry.flags),
        "names": list(entry.names),
        "lacking": list(entry.lacking),
        "stash": [
            {
                "name": one.name,
                "version": one.version,
                "content_id": one.content_id,
                "path": one.path,
                "digest": one.digest,
                "size": str(one.size),
                "files": dict(one.files),
                "modes": {path: f"{mode:o}" for path, mode in one.modes},
            }
            for one in entry.stash
        ],
        "before": codec.encode(entry.before),
    }
    return json.dumps(document, indent=2, ensure_ascii=True) + "\n"


def encode_states(states: FileStates) -> bytes:
    """Return the states packed: a path and what is told of it, each ended by a NUL."""
    text = "".join(f"{path}\0{state}\0" for path, state in sorted(states.items()))
    return zlib.compress(text.encode("utf-8", "surrogateescape"), level=1)


def decode_states(content: bytes, at: str) -> FileStates:
    """Read states; ``at``: its file.

    Raises:
        UnreadableError: it is none, or larger than one of a million files can be.
    """
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(content, _STATES_LIMIT).decode("utf-8", "surrogateescape")
    except zlib.error as error:
        raise _unreadable(at, "is no packed list") from error
    parts = text.split("\0")
    # An empty list would make a stray of everything that the environment holds.
    if not unpacking.eof or len(parts) % 2 == 0 or parts[-1] or len(parts) == 1:
        raise _unreadable(at, "is not whole")
    return dict(zip(parts[::2], parts[1::2], strict=False))


def decode(text: str, at: str) -> Entry:
    """Read the journal of one change; ``at``: its file.

    Raises:
        UnreadableError: it is none, or not of the stated shape.
    """
    try:
        return _decode(JsonObject(parse_json(text), "the journal"), at)
    except (ValueError, RecursionError) as error:
        raise _unreadable(at, "is not JSON") from error
    except ShapeError as error:
        raise _unreadable(at, str(error)) from error


def _decode(document: JsonObject, at: str) -> Entry:
    if document.text("schema") != SCHEMA:
        raise ShapeError(f"is of another schema than `{SCHEMA}`")
    return Entry(
        begun=document.text("begun"),
        outcome=document.optional_word("outcome", Outcome),
        environment=document.text("environment"),
        commands=_decode_commands(document),
        folder=document.text("folder"),
        flags=document.texts("flags"),
        names=document.texts("names"),
        lacking=document.texts("lacking"),
        stash=document.children("stash", _decode_stashed),
        before=codec.decode(document.text("before"), at=at),
    )


def _decode_commands(document: JsonObject) -> tuple[tuple[str, ...], ...]:
    return document.children("commands", lambda command: command.texts("words"))


def _decode_stashed(entry: JsonObject) -> Stashed:
    return Stashed(
        name=entry.text("name"),
        version=entry.text("version"),
        content_id=entry.optional_text("content_id"),
        path=entry.text("path"),
        digest=entry.text("digest"),
        size=int(entry.text("size")),
        files=_inside(entry.child("files")),
        modes=tuple((path, _mode(text)) for path, text in _inside(entry.child("modes"))),
    )


def _inside(entry: JsonObject) -> tuple[tuple[str, str], ...]:
    """Return what is said of paths, none of which may lead out of the environment."""
    said = entry.all_texts()
    for path, _ in said:
        if {"", ".", ".."} & {*path.split("/")}:
            raise ShapeError(f"names `{path}`, which is no path in an environment")
    return said


def _mode(text: str) -> int:
    if _MODE.fullmatch(text) is None:
        raise ShapeError(f"has `{text}` where the permission bits of a file belong")
    return int(text, 8)


def _unreadable(at: str, what: str) -> UnreadableError:
    return UnreadableError(
        Problem(
            message=f"the journal `{at}` {what}",
            at=at,
            hint="look at the environment with `envaudit check`, and then remove that file",
        )
    )
