"""Editing policy files: a table is added, and everything else stays byte for byte. Owns tomlkit."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT

from envaudit.core.toml_text import Value, table
from envaudit.doors import disk_write

_LINE_END = "\n"
_WINDOWS_LINE_END = "\r\n"


def with_table(text: str, kind: str, values: Mapping[str, Value]) -> str:
    """Return a policy's text with one more ``[[kind]]`` table, behind the others of its kind.

    tomlkit writes it, but only if it gives back the text as it is: it reorders arrays of tables
    that alternate. Else the table is appended at the end, where TOML allows it as well. Its lines
    end as those of the text do.
    """
    addition = table(f"[[{kind}]]", values)
    if "\r\n" in text:
        return f"{text.rstrip()}\r\n\r\n{addition.replace(_LINE_END, _WINDOWS_LINE_END)}"
    appended = f"{text.rstrip()}\n\n{addition}" if text.strip() else addition
    inserted = _inserted(text, kind, values)
    return appended if inserted is None or not _read_alike(inserted, appended) else inserted


def _read_alike(one: str, other: str) -> bool:
    """Return whether two texts say the same; what tomlkit breaks (no last newline) says nothing."""
    try:
        return tomllib.loads(one) == tomllib.loads(other)
    except tomllib.TOMLDecodeError:
        return False


def _inserted(text: str, kind: str, values: Mapping[str, Value]) -> str | None:
    try:
        document = tomlkit.parse(text)
        if tomlkit.dumps(document) != text or not isinstance(document.get(kind), AoT):
            return None
        fresh = tomlkit.table()
        for key, value in values.items():
            fresh.add(key, list(value) if isinstance(value, tuple) else value)
        fresh.add(tomlkit.nl())
        tables = document[kind]
        if not isinstance(tables, AoT):
            return None
        tables.append(fresh)
        return tomlkit.dumps(document).rstrip() + "\n"
    except (TOMLKitError, ValueError, RecursionError):
        return None


def keep_policy(path: Path, text: str) -> None:
    """Write a policy's text; the old file or the new one stands there, whatever happens.

    Raises:
        UnreadableError: it is read-only or cannot be written; what stood there still stands.
    """
    disk_write.update_file(path, text.encode("utf-8"))
