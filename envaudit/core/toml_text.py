"""Writing TOML: texts, lists and tables as a person would write them."""

from collections.abc import Mapping, Sequence
from datetime import date

Value = str | date | Sequence[str]


def quote(text: str) -> str:
    r"""Return ``text`` as a TOML basic string.

    What TOML forbids in one is written as ``\u`` and four digits; a lone surrogate, which no TOML
    can say, as the replacement character.
    """
    return f'"{"".join(_escape(character) for character in text)}"'


def _escape(character: str) -> str:
    code = ord(character)
    if character in {'"', "\\"}:
        return f"\\{character}"
    if code < ord(" ") or code in range(0x7F, 0xA0):
        return f"\\u{code:04x}"
    if code in range(0xD800, 0xE000):
        return "\N{REPLACEMENT CHARACTER}"
    return character


def table(header: str, values: Mapping[str, Value]) -> str:
    """Return a table: its header (``[[rule]]``), and a line for each value."""
    lines = [header, *(f"{key} = {_value(value)}" for key, value in values.items())]
    return "".join(f"{line}\n" for line in lines)


def _value(value: Value) -> str:
    match value:
        case str():
            return quote(value)
        case date():
            return value.isoformat()
        case _:
            return f"[{', '.join(quote(text) for text in value)}]"
