"""Snapshots as canonical JSON and back. One distribution a line, so that ``git diff`` reads well.

The digest covers what a snapshot *is*: interpreter, distributions, what could not be read, startup
hooks. It leaves out provenance, and what two installers write differently for the same wheel.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from envaudit.model.distribution import Distribution, Origin, OriginKind, Unreadable
from envaudit.model.document import Json
from envaudit.model.errors import Problem, UnreadableError
from envaudit.model.snapshot import Interpreter, Provenance, Snapshot, StartupHook

SCHEMA = "envaudit.snapshot/1"
_Noun = TypeVar("_Noun")
_OUTSIDE_DIGEST = frozenset({"installer", "requested", "active_extras"})


def digest(snapshot: Snapshot) -> str:
    """Return ``sha256:…`` over what a snapshot is: the same environment gives the same digest."""
    document: dict[str, Json] = {
        "interpreter": encode_interpreter(snapshot.interpreter),
        "hooks": [_encode_hook(hook) for hook in snapshot.hooks],
        "distributions": [
            {
                key: value
                for key, value in encode_distribution(distribution).items()
                if key not in _OUTSIDE_DIGEST
            }
            for distribution in snapshot.distributions
        ],
        "unreadable": [_encode_unreadable(part) for part in snapshot.unreadable],
    }
    return "sha256:" + hashlib.sha256(_line(document).encode()).hexdigest()


def encode(snapshot: Snapshot) -> str:
    """Return the canonical JSON text of ``snapshot``, ending in a newline."""
    sections: list[str] = [
        f'"schema": {_line(SCHEMA)}',
        f'"digest": {_line(digest(snapshot))}',
        f'"interpreter": {_line(encode_interpreter(snapshot.interpreter))}',
        _listing("hooks", [_encode_hook(hook) for hook in snapshot.hooks]),
        _listing(
            "distributions",
            [encode_distribution(distribution) for distribution in snapshot.distributions],
        ),
        _listing("unreadable", [_encode_unreadable(part) for part in snapshot.unreadable]),
        f'"provenance": {_line(_encode_provenance(snapshot.provenance))}',
        *(f"{_line(key)}: {_line(value)}" for key, value in snapshot.more),
    ]
    return "{\n" + ",\n".join(sections) + "\n}\n"


def _line(value: Json) -> str:
    # Lone surrogates (undecodable bytes of a file name) survive as escapes: ASCII only.
    return json.dumps(value, sort_keys=True, ensure_ascii=True, allow_nan=False)


def _listing(key: str, entries: Sequence[Mapping[str, Json]]) -> str:
    if not entries:
        return f"{_line(key)}: []"
    return f"{_line(key)}: [\n" + ",\n".join(_line(entry) for entry in entries) + "\n]"


def encode_interpreter(interpreter: Interpreter) -> dict[str, Json]:
    """Return an interpreter as a JSON object."""
    return {
        "implementation": interpreter.implementation,
        "version": interpreter.version,
        "markers": dict(interpreter.markers),
        "tags": list(interpreter.tags),
    }


def _encode_hook(hook: StartupHook) -> dict[str, Json]:
    return {
        "path": hook.path,
        "digest": hook.digest,
        "lines": list(hook.lines),
        "owner": hook.owner,
    }


def encode_distribution(distribution: Distribution) -> dict[str, Json]:
    """Return one distribution as a JSON object."""
    origin = distribution.origin
    return {
        "name": distribution.name,
        "spelling": distribution.spelling,
        "version": distribution.version,
        "folder": distribution.folder,
        "origin": {
            "kind": origin.kind.value,
            "url": origin.url,
            "revision": origin.revision,
            "subdirectory": origin.subdirectory,
        },
        "tags": list(distribution.tags),
        "build": distribution.build,
        "requires": None if distribution.requires is None else list(distribution.requires),
        "extras": list(distribution.extras),
        "requires_python": distribution.requires_python,
        "repositories": list(distribution.repositories),
        "content_id": distribution.content_id,
        "installer": distribution.installer,
        "requested": distribution.requested,
        "active_extras": list(distribution.active_extras),
        **dict(distribution.more),
    }


def _encode_unreadable(part: Unreadable) -> dict[str, Json]:
    return {"folder": part.folder, "part": part.part, "reason": part.reason}


def _encode_provenance(provenance: Provenance) -> dict[str, Json]:
    return {
        "taken": provenance.taken,
        "host": provenance.host,
        "environment": provenance.environment,
        "tool": provenance.tool,
        "details": dict(provenance.details),
    }


def decode(text: str, *, at: str) -> Snapshot:
    """Read a snapshot's JSON text; ``at`` names it in messages.

    Fields that this version does not know (a newer minor schema) are kept.

    Raises:
        UnreadableError: it is no JSON, another major schema, or not of the stated shape.
    """
    try:
        document = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise _unreadable(at, f"is not a whole JSON document ({error})") from error
    try:
        return _Object(document, "the document").snapshot()
    except _ShapeError as error:
        raise _unreadable(at, str(error)) from error


def _unreadable(at: str, what: str) -> UnreadableError:
    return UnreadableError(
        Problem(
            message=f"snapshot `{at}` {what}",
            at=at,
            hint="take the snapshot again, or name another one",
        )
    )


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return document


def _no_constant(text: str) -> Json:
    raise ValueError(f"{text} is not JSON")


class _ShapeError(Exception):
    """The document is JSON but not a snapshot; the message is a predicate with the place."""


class _Object:
    """A JSON object being taken apart: every getter checks the type and knows the place."""

    def __init__(self, value: Json, place: str) -> None:
        if not isinstance(value, Mapping):
            raise _ShapeError(f"has no object at {place}")
        self._left = dict(value)
        self._place = place

    def _take(self, key: str) -> Json:
        if key not in self._left:
            raise _ShapeError(f"has no `{key}` in {self._place}")
        return self._left.pop(key)

    def text(self, key: str) -> str:
        value = self._take(key)
        if not isinstance(value, str):
            raise _ShapeError(f"has no text as `{key}` in {self._place}")
        return value

    def origin_kind(self, key: str) -> OriginKind:
        value = self.text(key)
        try:
            return OriginKind(value)
        except ValueError:
            raise _ShapeError(f"has an unknown `{key}`, `{value}`, in {self._place}") from None

    def optional_text(self, key: str) -> str | None:
        if self._left.get(key) is None:
            self._left.pop(key, None)
            return None
        return self.text(key)

    def flag(self, key: str) -> bool:
        value = self._take(key)
        if not isinstance(value, bool):
            raise _ShapeError(f"has neither true nor false as `{key}` in {self._place}")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        value = self._take(key)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise _ShapeError(f"has no list of texts as `{key}` in {self._place}")
        return tuple(value)

    def optional_texts(self, key: str) -> tuple[str, ...] | None:
        if self._left.get(key) is None:
            self._left.pop(key, None)
            return None
        return self.texts(key)

    def child(self, key: str) -> "_Object":
        return _Object(self._take(key), f"`{key}` of {self._place}")

    def children(self, key: str, build: Callable[["_Object"], _Noun]) -> tuple[_Noun, ...]:
        value = self._take(key)
        if not isinstance(value, list):
            raise _ShapeError(f"has no list as `{key}` in {self._place}")
        return tuple(build(_Object(item, f"`{key}[{index}]`")) for index, item in enumerate(value))

    def rest(self) -> tuple[tuple[str, Json], ...]:
        return tuple(sorted(self._left.items()))

    def snapshot(self) -> Snapshot:
        schema = self.text("schema")
        if schema != SCHEMA and not schema.startswith(f"{SCHEMA}."):
            raise _ShapeError(f"is of schema `{schema}`, and this version reads `{SCHEMA}`")
        self._left.pop("digest", None)  # recomputed wherever it is wanted
        interpreter = self.child("interpreter")
        provenance = self.child("provenance")
        return Snapshot(
            interpreter=Interpreter(
                implementation=interpreter.text("implementation"),
                version=interpreter.text("version"),
                markers=interpreter.child("markers").all_texts(),
                tags=interpreter.texts("tags"),
            ),
            hooks=self.children("hooks", _decode_hook),
            distributions=self.children("distributions", _decode_distribution),
            unreadable=self.children("unreadable", _decode_unreadable),
            provenance=Provenance(
                taken=provenance.optional_text("taken"),
                host=provenance.optional_text("host"),
                environment=provenance.optional_text("environment"),
                tool=provenance.optional_text("tool"),
                details=provenance.child("details").rest(),
            ),
            more=self.rest(),
        )

    def all_texts(self) -> tuple[tuple[str, str], ...]:
        return tuple((key, self.text(key)) for key in sorted(self._left))


def _decode_hook(hook: _Object) -> StartupHook:
    return StartupHook(
        path=hook.text("path"),
        digest=hook.text("digest"),
        lines=hook.texts("lines"),
        owner=hook.optional_text("owner"),
    )


def _decode_unreadable(part: _Object) -> Unreadable:
    return Unreadable(
        folder=part.text("folder"), part=part.text("part"), reason=part.text("reason")
    )


def _decode_distribution(entry: _Object) -> Distribution:
    origin = entry.child("origin")
    return Distribution(
        name=entry.text("name"),
        spelling=entry.text("spelling"),
        version=entry.text("version"),
        folder=entry.text("folder"),
        origin=Origin(
            kind=origin.origin_kind("kind"),
            url=origin.optional_text("url"),
            revision=origin.optional_text("revision"),
            subdirectory=origin.optional_text("subdirectory"),
        ),
        tags=entry.texts("tags"),
        build=entry.optional_text("build"),
        requires=entry.optional_texts("requires"),
        extras=entry.texts("extras"),
        requires_python=entry.optional_text("requires_python"),
        repositories=entry.texts("repositories"),
        content_id=entry.optional_text("content_id"),
        installer=entry.optional_text("installer"),
        requested=entry.flag("requested"),
        active_extras=entry.texts("active_extras"),
        more=entry.rest(),
    )
