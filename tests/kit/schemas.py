"""The shipped JSON Schemas, as they are and closed: nothing is said that they do not describe."""

import copy
import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

import envaudit

FOLDER = Path(envaudit.__file__).parent / "schemas"
NAMES = ("snapshot", "report", "plan", "journal")


def load_schema(name: str) -> dict[str, Any]:
    """Return the schema ``name`` (one of ``NAMES``) as it is shipped."""
    schema: dict[str, Any] = json.loads((FOLDER / f"{name}.schema.json").read_text("utf-8"))
    return schema


def closed(schema: dict[str, Any]) -> dict[str, Any]:
    """Return ``schema`` with every object limited to the properties that it describes.

    As shipped, objects are open: a minor version may add to them.
    """
    limited = copy.deepcopy(schema)
    waiting: list[Any] = [limited]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            if part.get("type") == "object" and "properties" in part:
                part.setdefault("additionalProperties", False)
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)
    return limited


_VALIDATORS = {name: Draft202012Validator(closed(load_schema(name))) for name in NAMES}


def validate(name: str, document: object) -> None:
    """Fail the test if ``document`` is not of the closed schema ``name``."""
    problems = [
        f"{error.json_path}: {error.message}" for error in _VALIDATORS[name].iter_errors(document)
    ]
    assert problems == []
