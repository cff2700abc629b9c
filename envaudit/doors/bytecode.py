"""The door to what the interpreter that runs knows of bytecode: magic number, hash of a source."""

import _imp
import importlib.util
import marshal
import platform
import sys
import warnings

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


def is_own_version(version: str) -> bool:
    """Return whether the interpreter that runs is CPython ``version`` (``3.11.7``), to the patch.

    Only then does it compile as that one did: a patch release may repair the compiler.
    """
    return sys.implementation.name == "cpython" and version == platform.python_version()


def compile_source(source: bytes, *, optimization: int) -> bytes | None:
    """Return ``source`` compiled and marshalled, as a ``.pyc`` has it after its header.

    Nothing of it is run. ``None``: it is not Python, or more than the compiler can take.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = compile(source, "<source>", "exec", dont_inherit=True, optimize=optimization)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None
    return marshal.dumps(code)
