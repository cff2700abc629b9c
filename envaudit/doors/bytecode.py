"""The door to what the interpreter that runs knows of bytecode: magic number, hash of a source."""

import _imp
import importlib.util
import sys

MAGIC_BYTES = 4


def own_magic(minor: str) -> bytes | None:
    """Return the magic number of CPython ``minor`` (``3.11``); ``None``: this is another one."""
    if (
        sys.implementation.name != "cpython"
        or minor != f"{sys.version_info[0]}.{sys.version_info[1]}"
    ):
        return None
    return importlib.util.MAGIC_NUMBER


def hash_source(magic: bytes, source: bytes) -> bytes:
    """Return the hash of ``source`` that CPython 3.11 and later put into a ``.pyc`` (PEP 552)."""
    return _imp.source_hash(int.from_bytes(magic, "little"), source)
