"""JSON from files that anybody may have written: parsed strictly, and taken apart key by key.

Python's parser takes more than JSON (NaN, infinities, a key twice, the last one winning) and so
makes two readers see two documents in one file; here all of that is refused.
"""

import json
import math
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TypeVar

from envaudit.model.document import Json

_Noun = TypeVar("_Noun")
_Word = TypeVar("_Word", bound=StrEnum)


_DEEPEST = 32


def parse_json(text: str) -> Json:
    """Parse one JSON document, strictly.

    Raises:
        ValueError: it is no JSON, holds a key twice, or a number that no double can hold.
        RecursionError: it is nested deeper than Python's stack.
    """
    document: Json = json.loads(
        text,
        object_pairs_hook=_unique,
        parse_constant=_no_constant,
        parse_float=_finite,
        parse_int=_whole,
    )
    return document


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return document


def _no_constant(text: str) -> Json:
    raise ValueError(f"{text} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is larger than JSON readers can hold")
    return number


def _whole(text: str) -> int:
    _finite(text)
    return int(text)


class ShapeError(Exception):
    """The document is JSON but not a snapshot; the message is a predicate with the place."""


class JsonObject:
    """A JSON object being taken apart: every getter checks the type and knows the place."""

    def __init__(self, value: Json, place: str) -> None:
        """Take ``value`` apart; ``place`` names it in messages."""
        if not isinstance(value, Mapping):
            raise ShapeError(f"has no object at {place}")
        self._left = dict(value)
        self._place = place

    def _take(self, key: str) -> Json:
        if key not in self._left:
            raise ShapeError(f"has no `{key}` in {self._place}")
        return self._left.pop(key)

    def text(self, key: str) -> str:
        """Return the text of ``key``."""
        value = self._take(key)
        if not isinstance(value, str):
            raise ShapeError(f"has no text as `{key}` in {self._place}")
        return value

    def word(self, key: str, words: type[_Word]) -> _Word:
        """Return the member of ``words`` that the text of ``key`` is."""
        value = self.text(key)
        try:
            return words(value)
        except ValueError:
            raise ShapeError(f"has an unknown `{key}`, `{value}`, in {self._place}") from None

    def optional_word(self, key: str, words: type[_Word]) -> _Word | None:
        """Return the like of ``word``, or ``None`` where the key is absent or null."""
        return self.word(key, words) if self._present(key) else None

    def _present(self, key: str) -> bool:
        """Return whether ``key`` is there and not null; a null is taken away."""
        if self._left.get(key) is None:
            self._left.pop(key, None)
            return False
        return True

    def has(self, key: str) -> bool:
        """Return whether ``key`` is there, be it null."""
        return key in self._left

    def optional_text(self, key: str) -> str | None:
        """Return the text of ``key``, or ``None`` where it is absent or null."""
        return self.text(key) if self._present(key) else None

    def flag(self, key: str, *, default: bool | None = None) -> bool:
        """Return the truth value of ``key``; where it is absent, ``default`` if there is one."""
        if default is not None and key not in self._left:
            return default
        value = self._take(key)
        if not isinstance(value, bool):
            raise ShapeError(f"has neither true nor false as `{key}` in {self._place}")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the texts of ``key``."""
        value = self._take(key)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise ShapeError(f"has no list of texts as `{key}` in {self._place}")
        return tuple(value)

    def optional_texts(self, key: str) -> tuple[str, ...] | None:
        """Return the texts of ``key``, or ``None`` where it is absent or null."""
        return self.texts(key) if self._present(key) else None

    def all_texts(self) -> tuple[tuple[str, str], ...]:
        """Return every key with its text, sorted."""
        return tuple((key, self.text(key)) for key in sorted(self._left))

    def optional_child(self, key: str) -> "JsonObject | None":
        """Return the object of ``key``, or ``None`` where it is absent or null."""
        return self.child(key) if self._present(key) else None

    def child(self, key: str) -> "JsonObject":
        """Return the object of ``key``."""
        return JsonObject(self._take(key), f"`{key}` of {self._place}")

    def optional_children(
        self, key: str, build: Callable[["JsonObject"], _Noun]
    ) -> tuple[_Noun, ...]:
        """Return what ``build`` makes of each object of ``key``; none where it is absent."""
        return self.children(key, build) if self._present(key) else ()

    def children(self, key: str, build: Callable[["JsonObject"], _Noun]) -> tuple[_Noun, ...]:
        """Return what ``build`` makes of each object of ``key``."""
        value = self._take(key)
        if not isinstance(value, list):
            raise ShapeError(f"has no list as `{key}` in {self._place}")
        return tuple(
            build(JsonObject(item, f"`{key}[{index}]`")) for index, item in enumerate(value)
        )

    def rest(self) -> tuple[tuple[str, Json], ...]:
        """Return what nothing has asked for, sorted by key.

        It is kept and written again as it came, so it must be of a depth that every reader takes.
        """
        for key, value in self._left.items():
            if _is_deeper(value, _DEEPEST):
                raise ShapeError(f"nests over {_DEEPEST} levels deep in `{key}` of {self._place}")
        return tuple(sorted(self._left.items()))


def _is_deeper(value: Json, levels: int) -> bool:
    """Return whether ``value`` nests deeper than ``levels``, without recursion."""
    layer = [value]
    while layer and levels >= 0:
        layer = [
            child
            for item in layer
            if isinstance(item, Mapping | list)
            for child in (item.values() if isinstance(item, Mapping) else item)
        ]
        levels -= 1
    return bool(layer)
