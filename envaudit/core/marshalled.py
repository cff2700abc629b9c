"""The meaning of marshalled code, so that two spellings of the same code compare equal.

``marshal`` writes a reference in the place of an object it has written before, and which objects it
marks for that depends on how many references they happen to have: the same source compiled twice
may give other bytes. What the bytes mean is compared here, references resolved, with the file name
left out (a moved environment has another). Bytes are parsed and never loaded: ``marshal.loads``
is not made for hostile ones. Each object becomes a digest of its parts' digests, so that references
upon references cost no more than they take bytes.

The format is CPython's, ``Python/marshal.c``, of 3.11 to 3.14.
"""

import hashlib
from collections.abc import Callable

_REFERABLE = 0x80
_LONG, _DOUBLE, _DIGIT = 4, 8, 2
_NUMBERS_OF_CODE = 5
_SINGLE = frozenset({b"N", b"F", b"T", b".", b"S"})
_TEXT = frozenset({b"s", b"t", b"u", b"a", b"A"})
_SHORT_TEXT = frozenset({b"z", b"Z"})


class UnparsableError(ValueError):
    """Bytes that no CPython of these versions writes."""


def understand(content: bytes) -> bytes:
    """Return a digest of what the marshalled ``content`` means.

    Raises:
        UnparsableError: it is none, or larger or deeper than code is.
    """
    try:
        return _Parser(content).whole()
    except (IndexError, RecursionError) as error:
        raise UnparsableError("it refers to what is not there, or is too deep") from error


def _mean(kind: bytes, *parts: bytes) -> bytes:
    """Return the digest of an object: of its kind, and of one part or of parts of known lengths."""
    return hashlib.sha256(b"".join((kind, *parts)), usedforsecurity=False).digest()


class _Parser:
    def __init__(self, content: bytes) -> None:
        self._content = content
        self._at = 0
        self._seen: list[bytes] = []
        self._readers: dict[bytes, Callable[[], bytes]] = {
            b"i": lambda: _mean(b"i", self._take(_LONG)),
            b"l": lambda: _mean(b"l", self._take(abs(self._long(back=True)) * _DIGIT + _LONG)),
            b"g": lambda: _mean(b"g", self._take(_DOUBLE)),
            b"y": lambda: _mean(b"y", self._take(2 * _DOUBLE)),
            b")": lambda: _mean(b"(", *self._items(self._take(1)[0])),
            b"(": lambda: _mean(b"(", *self._items(self._long())),
            b">": lambda: _mean(b">", *sorted(self._items(self._long()))),
            b":": lambda: _mean(b":", *self._items(3)),
            b"c": self._code,
        }

    def whole(self) -> bytes:
        meaning = self._next()
        if self._at != len(self._content):
            raise UnparsableError("something comes after it")
        return meaning

    def _take(self, size: int) -> bytes:
        if size < 0 or self._at + size > len(self._content):
            raise UnparsableError("it ends too early")
        found = self._content[self._at : self._at + size]
        self._at += size
        return found

    def _long(self, *, back: bool = False) -> int:
        """Read an integer; ``back``: and stay where it stands, for it is part of what follows."""
        found = int.from_bytes(self._take(_LONG), "little", signed=True)
        self._at -= _LONG if back else 0
        return found

    def _next(self) -> bytes:
        letter = self._take(1)[0]
        kind = bytes([letter & ~_REFERABLE])
        if kind == b"r":
            return self._seen[self._long()]
        place = len(self._seen)
        if letter & _REFERABLE:
            self._seen.append(_mean(b"?"))
        meaning = self._read(kind)
        if letter & _REFERABLE:
            self._seen[place] = meaning
        return meaning

    def _read(self, kind: bytes) -> bytes:
        if kind in _SINGLE:
            return _mean(kind)
        if kind in _TEXT:
            return _mean(b"s" if kind == b"s" else b"u", self._take(self._long()))
        if kind in _SHORT_TEXT:
            return _mean(b"u", self._take(self._take(1)[0]))
        reader = self._readers.get(kind)
        if reader is None:
            raise UnparsableError(f"{kind!r} is no type that code is made of")
        return reader()

    def _items(self, count: int) -> list[bytes]:
        if not 0 <= count <= len(self._content):
            raise UnparsableError("it has more items than bytes")
        return [self._next() for _ in range(count)]

    def _code(self) -> bytes:
        numbers = self._take(_NUMBERS_OF_CODE * _LONG)
        parts = self._items(5)  # code, constants, names, local names, their kinds
        self._next()  # the file name
        parts += self._items(2)  # name, qualified name
        line = self._take(_LONG)
        parts += self._items(2)  # lines, exceptions
        return _mean(b"c", numbers, line, *parts)
