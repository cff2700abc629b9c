"""Taking a policy's TOML table apart: every getter checks, and notes what is wrong and where.

A person who writes a policy wants to see all mistakes at once, so nothing is raised here: a problem
is noted with the path of its key, and the getter returns an empty value of the right type.
"""

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

_Value = TypeVar("_Value")
Path = tuple[str | int, ...]
"""Keys and indices from the document's root: ``("rule", 0, "compare")``."""

_MOST_TEXTS = 200
"""How many texts a list may have: a person writes a pattern instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """One thing that is wrong in a policy file."""

    path: Path
    message: str
    offset: int | None = None
    """Where in the text of the value, in characters; ``None``: the value as a whole."""
    key: bool = False
    """Whether the key is what is wrong, and not its value."""


class ExpressionError(Exception):
    """A text value that does not parse: what was expected, and where."""

    def __init__(self, message: str, offset: int) -> None:
        """Keep the sentence and the offset, in characters, into the value."""
        super().__init__(message)
        self.message = message
        self.offset = offset


class Table:
    """One TOML table. Keys that nobody asks for are mistakes, found by ``finish``."""

    def __init__(self, values: Mapping[str, object], path: Path, mistakes: list[Mistake]) -> None:
        """Read ``values``, which stand at ``path``; note what is wrong in ``mistakes``."""
        self._left = dict(values)
        self._known: list[str] = []
        self.path = path
        self._mistakes = mistakes

    def has(self, key: str) -> bool:
        """Return whether the table has ``key``, without taking it."""
        return key in self._left

    def faulty(self, key: str) -> bool:
        """Return whether something was noted at ``key``: what hangs on it is then not said too."""
        path = (*self.path, key)
        return any(mistake.path[: len(path)] == path for mistake in self._mistakes)

    def note(self, key: str, message: str, offset: int | None = None) -> None:
        """Note a mistake at ``key``."""
        self._mistakes.append(Mistake(path=(*self.path, key), message=message, offset=offset))

    def _take(self, key: str, kind: type[_Value], what: str) -> _Value | None:
        self._known.append(key)
        value = self._left.pop(key, None)
        if value is None:
            return None
        if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
            self.note(key, f"`{key}` must be {what}")
            return None
        return value

    def require(self, key: str) -> None:
        """Note it if ``key`` is not there."""
        if key not in self._left:
            self._mistakes.append(Mistake(path=self.path, message=f"`{key}` is missing"))

    def optional_text(self, key: str) -> str | None:
        """Return the text at ``key``, or ``None``."""
        return self._take(key, str, "text in quotes")

    def text(self, key: str) -> str:
        """Return the text at ``key``, which must be there and not be empty."""
        self.require(key)
        value = self.optional_text(key)
        if value is not None and not value.strip():
            self.note(key, f"`{key}` must not be empty")
        return value or ""

    def choice(self, key: str, choices: Sequence[str], default: str) -> str:
        """Return the text at ``key``, one of ``choices``."""
        value = self.optional_text(key)
        if value is None:
            return default
        if value not in choices:
            self.note(key, f"`{key}` must be one of {', '.join(choices)}, not `{value}`")
            return default
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the list of texts at ``key``; empty where there is none."""
        value = self._take(key, list, "a list of texts")
        if value is None:
            return ()
        if len(value) > _MOST_TEXTS:
            self._too_many(key, f"{len(value)} texts", _MOST_TEXTS)
            return ()
        if not all(isinstance(item, str) for item in value):
            self.note(key, f"`{key}` must be a list of texts")
            return ()
        return tuple(value)

    def _too_many(self, key: str, what: str, most: int) -> None:
        """Note it at the first one that is too many."""
        self._mistakes.append(
            Mistake(path=(*self.path, key, most), message=f"`{key}` has {what}, {most} are allowed")
        )

    def flag(self, key: str, *, default: bool) -> bool:
        """Return the boolean at ``key``."""
        value = self._take(key, bool, "true or false")
        return default if value is None else value

    def optional_date(self, key: str) -> datetime.date | None:
        """Return the date at ``key``, or ``None``."""
        value = self._take(key, datetime.date, "a date, like 2026-12-01")
        if isinstance(value, datetime.datetime):
            self.note(key, f"`{key}` must be a date without a time, like 2026-12-01")
            return None
        return value

    def date(self, key: str) -> datetime.date | None:
        """Return the date at ``key``, which must be there."""
        self.require(key)
        return self.optional_date(key)

    def tables(self, key: str, *, most: int) -> "tuple[Table, ...]":
        """Return the tables of the array ``key``, ``most`` at most; empty where there is none."""
        value = self._take(key, list, "an array of tables")
        if value is None:
            return ()
        if len(value) > most:
            self._too_many(key, f"{len(value)} tables", most)
            return ()
        tables: list[Table] = []
        for index, item in enumerate(value):
            if isinstance(item, Mapping):
                tables.append(Table(item, (*self.path, key, index), self._mistakes))
            else:
                self.note(key, f"`{key}` must be an array of tables")
        return tuple(tables)

    def table(self, key: str) -> "Table":
        """Return the table ``key``, which must be there."""
        missing = key not in self._left
        value = self._take(key, dict, "a table")
        if missing:
            self._mistakes.append(Mistake(path=self.path, message=f"`[{key}]` is missing"))
        return Table(value or {}, (*self.path, key), self._mistakes)

    def text_mapping(self, key: str) -> Mapping[str, str]:
        """Return the table of texts at ``key``; empty where there is none."""
        value = self._take(key, dict, "a table of texts") or {}
        if not all(isinstance(item, str) for item in value.values()):
            self.note(key, f"`{key}` must be a table of texts")
            return {}
        return value

    def texts_mapping(self, key: str) -> Mapping[str, tuple[str, ...]]:
        """Return the table of lists of texts at ``key``; empty where there is none."""
        if key not in self._left:
            self._known.append(key)
            return {}
        inner = self.table(key)
        return {name: inner.texts(name) for name in inner.left()}

    def forgive(self, *keys: str) -> None:
        """Take ``keys`` without a look: what they belong to is not built, for other mistakes."""
        for key in keys:
            self._known.append(key)
            self._left.pop(key, None)

    def left(self) -> tuple[str, ...]:
        """Return the keys that nobody has asked for yet."""
        return tuple(self._left)

    def is_table(self, key: str) -> bool:
        """Return whether a table stands at ``key``."""
        return isinstance(self._left.get(key), Mapping)

    def is_array(self, key: str) -> bool:
        """Return whether an array stands at ``key``."""
        return isinstance(self._left.get(key), list)

    def parsed(self, key: str, parse: Callable[[str], _Value]) -> _Value | None:
        """Return the required text at ``key`` as ``parse`` reads it; ``None`` if it does not."""
        text = self.text(key)
        if not text.strip():
            return None
        try:
            return parse(text)
        except ExpressionError as error:
            self.note(key, error.message, error.offset)
            return None

    def each_parsed(self, key: str, parse: Callable[[str], _Value]) -> tuple[_Value, ...]:
        """Return each text of the list ``key`` as ``parse`` reads it, without those it does not."""
        values: list[_Value] = []
        for index, text in enumerate(self.texts(key)):
            try:
                values.append(parse(text))
            except ExpressionError as error:
                self._mistakes.append(
                    Mistake(
                        path=(*self.path, key, index), message=error.message, offset=error.offset
                    )
                )
        return tuple(values)

    def one_or_each_parsed(self, key: str, parse: Callable[[str], _Value]) -> tuple[_Value, ...]:
        """Return what ``parse`` reads of ``key``: one text, or a list of them."""
        if isinstance(self._left.get(key), list):
            return self.each_parsed(key, parse)
        if key not in self._left:
            self._known.append(key)
            return ()
        value = self.parsed(key, parse)
        return () if value is None else (value,)

    def finish(self) -> None:
        """Note every key that nobody asked for: a misspelt key must not pass in silence."""
        for key in self._left:
            message = f"`{key}` is not known here; known are {', '.join(sorted(set(self._known)))}"
            self._mistakes.append(Mistake(path=(*self.path, key), message=message, key=True))
