"""Snapshots as canonical JSON and back. One distribution a line, so that ``git diff`` reads well.

The digest covers what a snapshot *is*: interpreter, distributions, what could not be read, startup
hooks. It leaves out provenance, and what two installers write differently for the same wheel.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence

from packaging.utils import canonicalize_name

from envaudit.core.codec_layout import decode_layout, encode_layout
from envaudit.core.json_object import JsonObject, ShapeError, parse_json
from envaudit.model.distribution import (
    Distribution,
    Editable,
    EditableKind,
    Origin,
    OriginKind,
    Remnant,
    RemnantKind,
    Unreadable,
)
from envaudit.model.document import Json
from envaudit.model.errors import Problem, UnreadableError
from envaudit.model.inspection import FileDigest
from envaudit.model.layout import Owner, Scope
from envaudit.model.record_name import Form
from envaudit.model.snapshot import Interpreter, Provenance, Snapshot, StartupHook

SCHEMA = "envaudit.snapshot/1"
_DIGEST = re.compile(r"[a-z0-9]+:")
_OUTSIDE_DIGEST = frozenset(
    {"installer", "requested", "active_extras", "scope", "owner", "editable", "linked"}
)


def digest(snapshot: Snapshot) -> str:
    """Return ``sha256:…`` over what a snapshot is: the same environment gives the same digest."""
    document: dict[str, Json] = {
        "interpreter": encode_interpreter(snapshot.interpreter),
        "hooks": [encode_hook(hook) for hook in snapshot.hooks],
        "distributions": [
            {
                key: value
                for key, value in encode_distribution(distribution).items()
                if key not in _OUTSIDE_DIGEST
            }
            for distribution in snapshot.distributions
        ],
        "unreadable": [encode_unreadable(part) for part in snapshot.unreadable],
    }
    if snapshot.remnants:
        document["remnants"] = [_encode_remnant(remnant) for remnant in snapshot.remnants]
    return "sha256:" + hashlib.sha256(_line(document).encode()).hexdigest()


def encode(snapshot: Snapshot) -> str:
    """Return the canonical JSON text of ``snapshot``, ending in a newline."""
    sections: list[str] = [
        f'"schema": {_line(SCHEMA)}',
        f'"digest": {_line(digest(snapshot))}',
        f'"interpreter": {_line(encode_interpreter(snapshot.interpreter))}',
        _listing("hooks", [encode_hook(hook) for hook in snapshot.hooks]),
        _listing(
            "distributions",
            [encode_distribution(distribution) for distribution in snapshot.distributions],
        ),
        _listing("unreadable", [encode_unreadable(part) for part in snapshot.unreadable]),
        *_optional_sections(snapshot),
        f'"provenance": {_line(_encode_provenance(snapshot.provenance))}',
        *(f"{_line(key)}: {_line(value)}" for key, value in snapshot.more),
    ]
    return "{\n" + ",\n".join(sections) + "\n}\n"


def _optional_sections(snapshot: Snapshot) -> Iterator[str]:
    """Yield the sections that came after the first release, where they say something."""
    if snapshot.remnants:
        yield _listing("remnants", [_encode_remnant(remnant) for remnant in snapshot.remnants])
    if snapshot.shadowed:
        yield _listing("shadowed", [encode_distribution(record) for record in snapshot.shadowed])
    if snapshot.layout is not None:
        yield f'"layout": {_line(encode_layout(snapshot.layout))}'
    if snapshot.files is not None:
        files = [{"path": one.path, "digest": one.digest} for one in snapshot.files]
        yield _listing("files", files)


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


def encode_hook(hook: StartupHook) -> dict[str, Json]:
    """Return a startup hook as a JSON object."""
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
        **_encode_standing(distribution),
        **dict(distribution.more),
    }


def _encode_standing(distribution: Distribution) -> dict[str, Json]:
    """Return how a distribution is recorded, as far as it is not the usual way.

    Keys that came after the schema's first release are written only where they say something, so
    that a snapshot that has nothing to say in them reads as it always did, digest included.
    """
    editable = distribution.editable
    entry: dict[str, Json] = {}
    if distribution.form is not Form.DIST_INFO:
        entry["form"] = distribution.form.value
    if distribution.scope is not Scope.OWN:
        entry["scope"] = distribution.scope.value
    if distribution.owner is not None:
        entry["owner"] = distribution.owner.value
    if distribution.linked:
        entry["linked"] = True
    if editable is not None:
        entry["editable"] = {
            "kind": editable.kind.value,
            "files": list(editable.files),
            "targets": list(editable.targets),
            "dangling": list(editable.dangling),
        }
    return entry


def _decode_editable(entry: JsonObject | None) -> Editable | None:
    if entry is None:
        return None
    return Editable(
        kind=entry.word("kind", EditableKind),
        files=entry.texts("files"),
        targets=entry.texts("targets"),
        dangling=entry.texts("dangling"),
    )


def _encode_remnant(remnant: Remnant) -> dict[str, Json]:
    return {
        "folder": remnant.folder,
        "kind": remnant.kind.value,
        "name": remnant.name,
        "version": remnant.version,
    }


def _decode_remnant(entry: JsonObject) -> Remnant:
    return Remnant(
        folder=entry.text("folder"),
        kind=entry.word("kind", RemnantKind),
        name=entry.optional_text("name"),
        version=entry.optional_text("version"),
    )


def encode_unreadable(part: Unreadable) -> dict[str, Json]:
    """Return what could not be read as a JSON object."""
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
        document = parse_json(text)
    except (ValueError, RecursionError) as error:
        raise _unreadable(at, f"is not a whole JSON document ({error})") from error
    try:
        return _decode_snapshot(JsonObject(document, "the document"))
    except ShapeError as error:
        raise _unreadable(at, str(error)) from error


def _unreadable(at: str, what: str) -> UnreadableError:
    return UnreadableError(
        Problem(
            message=f"snapshot `{at}` {what}",
            at=at,
            hint="take the snapshot again, or name another one",
        )
    )


def _decode_snapshot(document: JsonObject) -> Snapshot:
    schema = document.text("schema")
    if schema != SCHEMA and not schema.startswith(f"{SCHEMA}."):
        raise ShapeError(f"is of schema `{schema}`, and this version reads `{SCHEMA}`")
    document.optional_text("digest")  # recomputed wherever it is wanted
    interpreter = document.child("interpreter")
    provenance = document.child("provenance")
    layout = document.optional_child("layout")
    return Snapshot(
        interpreter=Interpreter(
            implementation=interpreter.text("implementation"),
            version=interpreter.text("version"),
            markers=interpreter.child("markers").all_texts(),
            tags=interpreter.texts("tags"),
        ),
        hooks=document.children("hooks", _decode_hook),
        distributions=document.children("distributions", _decode_distribution),
        unreadable=document.children("unreadable", _decode_unreadable),
        remnants=document.optional_children("remnants", _decode_remnant),
        shadowed=document.optional_children("shadowed", _decode_distribution),
        layout=None if layout is None else decode_layout(layout),
        files=document.children("files", _decode_file) if document.has("files") else None,
        provenance=Provenance(
            taken=provenance.optional_text("taken"),
            host=provenance.optional_text("host"),
            environment=provenance.optional_text("environment"),
            tool=provenance.optional_text("tool"),
            details=provenance.child("details").rest(),
        ),
        more=document.rest(),
    )


def _decode_hook(hook: JsonObject) -> StartupHook:
    return StartupHook(
        path=hook.text("path"),
        digest=hook.text("digest"),
        lines=hook.texts("lines"),
        owner=hook.optional_text("owner"),
    )


def _decode_file(file: JsonObject) -> FileDigest:
    return FileDigest(path=file.text("path"), digest=file.optional_text("digest"))


def _decode_unreadable(part: JsonObject) -> Unreadable:
    return Unreadable(
        folder=part.text("folder"), part=part.text("part"), reason=part.text("reason")
    )


def _decode_distribution(entry: JsonObject) -> Distribution:
    origin = entry.child("origin")
    name, spelling = entry.text("name"), entry.text("spelling")
    if name != canonicalize_name(spelling):
        # Every judgement finds distributions by this name: another one would hide it from all.
        raise ShapeError(f"has a `name` that is not that of `{spelling}`, `{name}`")
    content_id = entry.optional_text("content_id")
    if content_id is not None and not _DIGEST.match(content_id):
        raise ShapeError(f"has no digest as `content_id` of `{spelling}`, but `{content_id}`")
    return Distribution(
        name=name,
        spelling=spelling,
        version=entry.text("version"),
        folder=entry.text("folder"),
        origin=Origin(
            kind=origin.word("kind", OriginKind),
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
        content_id=content_id,
        installer=entry.optional_text("installer"),
        requested=entry.flag("requested"),
        active_extras=entry.texts("active_extras"),
        form=entry.optional_word("form", Form) or Form.DIST_INFO,
        scope=entry.optional_word("scope", Scope) or Scope.OWN,
        owner=entry.optional_word("owner", Owner),
        editable=_decode_editable(entry.optional_child("editable")),
        linked=entry.flag("linked", default=False),
        more=entry.rest(),
    )
