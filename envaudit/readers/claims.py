"""Which file of a site directory's top level RECORD claims: startup files and editables' loaders.

A line is looked for, and the file is not parsed: where the RECORD is damaged elsewhere, the claim
still stands.
"""

import re
from collections.abc import Iterable

from envaudit.doors.disk import DiskError
from envaudit.readers.record_files import RecordFiles

_STARTUP = re.compile(
    rb"""^"?((?:[^/,"\r\n]+\.(?:pth|start|py)|(?:site|user)customize[^,"\r\n]*))"?,""", re.MULTILINE
)


def read_claims(files: RecordFiles) -> frozenset[str]:
    """Return the ``.pth`` files and modules of the top level that the RECORD of ``files`` lists.

    Empty where there is none to be read: that is noted elsewhere.
    """
    try:
        return parse_claims(files.record())
    except DiskError:
        return frozenset()


def find_claims(files: RecordFiles, names: Iterable[str]) -> frozenset[str]:
    """Return which of ``names`` the RECORD of ``files`` lists, as ``read_claims`` would."""
    try:
        content = files.record()
    except DiskError:
        return frozenset()
    mentioned = [name for name in names if name.encode("utf-8", "surrogateescape") in content]
    return parse_claims(content).intersection(mentioned) if mentioned else frozenset()


def parse_claims(content: bytes) -> frozenset[str]:
    """Return the claims in the ``content`` of a RECORD."""
    return frozenset(
        match[1].decode("utf-8", "surrogateescape") for match in _STARTUP.finditer(content)
    )
