"""The door to zip files: members by name, each bounded, whatever they unpack to."""

import io
import zipfile
from collections.abc import Mapping

from envaudit.doors.disk import DiskError


def read_members(content: bytes, limits: Mapping[str, int]) -> Mapping[str, bytes]:
    """Return the first bytes of the members that ``limits`` names; those that are absent, are not.

    Raises:
        DiskError: ``content`` is no zip file, or a member cannot be unpacked.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            present = set(archive.namelist()).intersection(limits)
            return {name: _head(archive, name, limits[name]) for name in sorted(present)}
    # What the standard library raises for damaged, encrypted and unknown ones. zlib's own error is
    # a plain Exception, and so are those of the other methods.
    except Exception as error:
        raise DiskError(f"is no zip file that can be read ({error})") from error


def _head(archive: zipfile.ZipFile, name: str, limit: int) -> bytes:
    with archive.open(name) as member:
        return member.read(limit)
