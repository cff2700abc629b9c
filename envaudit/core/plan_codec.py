"""Saved plans as JSON and back, sealed: what was changed or cut off on the way is not carried out.

The seal is a digest and no signature: whoever can write the file can write another plan with
another seal. It is the file's owner and mode that keep others from it.
"""

import hashlib
import json

from envaudit.core.json_object import JsonObject, ShapeError, parse_json
from envaudit.core.planner import write_requirement
from envaudit.model.declared import parse_version
from envaudit.model.document import Json
from envaudit.model.errors import Problem, UnreadableError
from envaudit.model.saved_plan import SavedPlan

SCHEMA = "envaudit.plan/1"
"""Described by ``envaudit/schemas/plan.schema.json``."""


def encode(plan: SavedPlan) -> str:
    """Return the plan as JSON text, ending in a newline."""
    document: dict[str, Json] = {
        "schema": SCHEMA,
        "command": list(plan.command),
        "environment": plan.environment,
        "fingerprint": plan.fingerprint,
        "judged": plan.judged,
        "tool": plan.tool,
        "installer": plan.installer,
        "settings": plan.settings,
        "installs": list(plan.installs),
        "uninstalls": list(plan.uninstalls),
        "policies": dict(plan.policies),
    }
    return json.dumps({**document, "seal": _seal(document)}, indent=2, ensure_ascii=True) + "\n"


def decode(text: str, at: str) -> SavedPlan:
    """Read a saved plan; ``at``: its file.

    Raises:
        UnreadableError: it is none, of another major schema, or not as it was written.
    """
    try:
        document = JsonObject(parse_json(text), "the plan")
        return _decode(document)
    except (ValueError, RecursionError) as error:
        raise _unreadable(at, "is not JSON") from error
    except ShapeError as error:
        raise _unreadable(at, str(error)) from error


def _decode(document: JsonObject) -> SavedPlan:
    schema = document.text("schema")
    if schema != SCHEMA:
        raise ShapeError(f"is of schema `{schema}`, and `{SCHEMA}` is understood")
    seal = document.text("seal")
    plan = SavedPlan(
        command=document.texts("command"),
        environment=document.text("environment"),
        fingerprint=document.text("fingerprint"),
        judged=document.text("judged"),
        tool=document.text("tool"),
        installer=document.text("installer"),
        settings=document.text("settings"),
        installs=document.texts("installs"),
        uninstalls=document.texts("uninstalls"),
        policies=document.child("policies").all_texts(),
    )
    if document.rest() or json.loads(encode(plan))["seal"] != seal:
        raise ShapeError("is not as it was written: its seal does not fit")
    for text in plan.installs:
        name, _, version = text.partition("==")
        if parse_version(version) is None or write_requirement(name, f"=={version}") != text:
            raise ShapeError(f"names `{text}`, which is no exact version")
    return plan


def _seal(document: dict[str, Json]) -> str:
    text = json.dumps(document, sort_keys=True, ensure_ascii=True)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def _unreadable(at: str, what: str) -> UnreadableError:
    return UnreadableError(
        Problem(
            message=f"the plan `{at}` {what}",
            at=at,
            hint="judge the command anew: `envaudit gate --save PLAN -- …`",
        )
    )
