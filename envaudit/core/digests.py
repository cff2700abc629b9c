"""Digests as RECORD spells them: an algorithm of ``hashlib``, ``=``, and unpadded URL-safe base64.

Some build backends wrote hexadecimal in its place; those mean the same.
"""

import binascii
import hashlib

_PLAIN = "sha256"
_TO_URL_SAFE = bytes.maketrans(b"+/", b"-_")


def algorithm_of(listed: str) -> str | None:
    """Return the algorithm of a digest as listed; ``None``: ``hashlib`` has none of that name.

    Those of variable length (``shake``) are none: their digests do not say how long they are.
    """
    algorithm, equals, value = listed.partition("=")
    if algorithm == _PLAIN and value:
        return algorithm
    known = algorithm in hashlib.algorithms_available and not algorithm.startswith("shake")
    return algorithm if known and equals and value else None


def spell(algorithm: str, digest: bytes) -> str:
    """Return ``digest`` as RECORD wants it."""
    encoded = binascii.b2a_base64(digest, newline=False).translate(_TO_URL_SAFE, b"=")
    return f"{algorithm}={encoded.decode('ascii')}"


def agree(listed: str, found: str) -> bool:
    """Return whether a digest as listed means the one that was ``found``, spelled by ``spell``."""
    if listed == found:
        return True
    algorithm, _, value = listed.partition("=")
    if algorithm != found.partition("=")[0]:
        return False
    return value.rstrip("=") == found.partition("=")[2] or value.lower() == _hexadecimal(found)


def _hexadecimal(found: str) -> str:
    value = found.partition("=")[2].replace("-", "+").replace("_", "/")
    return binascii.a2b_base64(value + "=" * (-len(value) % 4)).hex()
