"""Whose file is on disk, where RECORDs disagree: contents are read of contested paths alone."""

import hashlib
from collections.abc import Callable, Mapping, Sequence

from envaudit.core.digests import agree, algorithm_of, spell
from envaudit.doors.disk import DiskError, Folder
from envaudit.model.files import Claim, Contested

_LIMIT_FILE = 64 * 1024 * 1024
_LIMIT_TOTAL = 512 * 1024 * 1024


class Contents:
    """Compares digests of RECORDs with what is on disk, up to half a gibibyte in all."""

    def __init__(self, environment: Folder, digests: Callable[[str], Mapping[str, str]]) -> None:
        """Keep what to read from.

        ``digests``: those that the RECORD of one metadata folder lists, by path from the
        ``environment``.
        """
        self._environment = environment
        self._read_digests = digests
        self._digests: dict[str, Mapping[str, str]] = {}
        self._left = _LIMIT_TOTAL

    def digests(self, name: str) -> Mapping[str, str]:
        """Return what the RECORD of ``name`` lists."""
        if name not in self._digests:
            self._digests[name] = self._read_digests(name)
        return self._digests[name]

    def contest(self, path: str, owners: Mapping[str, str]) -> Contested:
        """Return who claims ``path``; ``owners``: metadata folders' names by record."""
        claimed = {folder: self.digests(name).get(path) for folder, name in owners.items()}
        content = self._content(path) if len(set(claimed.values())) > 1 else None
        return Contested(
            path=path,
            claims=tuple(
                Claim(
                    folder=folder,
                    digest=digest,
                    stands=None if content is None or not digest else verifies(content, digest),
                )
                for folder, digest in sorted(claimed.items())
            ),
        )

    def count_verified(self, name: str, paths: Sequence[str]) -> int | None:
        """Return how many of ``paths`` the disk holds as the RECORD of ``name`` lists them.

        ``None``: they are more than are read.
        """
        listed = self.digests(name)
        verified = 0
        for path in paths:
            digest = listed.get(path)
            if self._left <= 0:
                return None
            content = self._content(path) if digest else None
            if digest and content is not None and verifies(content, digest):
                verified += 1
        return verified

    def _content(self, path: str) -> bytes | None:
        if self._left <= 0:
            return None
        try:
            content = self._environment.read_below(path, limit=_LIMIT_FILE)
        except DiskError:
            return None
        self._left -= len(content)
        return content


def verifies(content: bytes, digest: str) -> bool | None:
    """Return whether ``content`` has the ``digest`` of a RECORD; ``None``: of an unknown kind."""
    algorithm = algorithm_of(digest)
    if algorithm is None:
        return None
    found = hashlib.new(algorithm, content, usedforsecurity=False).digest()
    return agree(digest, spell(algorithm, found))
