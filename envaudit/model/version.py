"""Versions as installers write them: PEP 440 or not, and never so long that reading takes time."""

from functools import lru_cache

from packaging.version import Version

_LONGEST = 512
"""Characters. PEP 440 sets no limit; ``int`` refuses a number of thousands of digits."""


@lru_cache(maxsize=16384)
def parse_version(text: str) -> Version | None:
    """Return the parsed PEP 440 version, or ``None`` where it is not one, or is absurdly long."""
    if len(text) > _LONGEST:
        return None
    try:
        return Version(text)
    except ValueError:  # InvalidVersion
        return None
