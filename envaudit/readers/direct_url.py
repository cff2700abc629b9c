"""``direct_url.json`` (PEP 610): where a distribution came from, with its secrets dropped."""

import json
import urllib.parse
from collections.abc import Mapping

from envaudit.model.distribution import Origin, OriginKind

LIMIT = 256 * 1024
_KEPT_KEYS = frozenset(
    {"subdirectory", "egg", "md5", "sha1", "sha224", "sha256", "sha384", "sha512"}
)


class DirectUrlError(Exception):
    """Not the JSON object that PEP 610 describes."""


def parse(content: bytes) -> Origin:
    """Return the origin that ``content`` records.

    Raises:
        DirectUrlError: it is no JSON, or not of PEP 610's shape.
    """
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise DirectUrlError("is not JSON") from error
    if not isinstance(document, dict) or not isinstance(document.get("url"), str):
        raise DirectUrlError("names no URL")
    kind, revision = _kind(document)
    subdirectory = document.get("subdirectory")
    return Origin(
        kind=kind,
        url=redact(document["url"]),
        revision=revision,
        subdirectory=subdirectory if isinstance(subdirectory, str) else None,
    )


def _kind(document: Mapping[str, object]) -> tuple[OriginKind, str | None]:
    match document:
        case {"vcs_info": {"commit_id": str(commit)}}:
            return OriginKind.VCS, commit
        case {"dir_info": {"editable": True}}:
            return OriginKind.EDITABLE, None
        case {"dir_info": dict()}:
            return OriginKind.PATH, None
        case {"archive_info": dict()}:
            return OriginKind.ARCHIVE, None
        case _:
            raise DirectUrlError("says neither `archive_info`, `dir_info` nor a commit")


def redact(url: str) -> str:
    """Return ``url`` without userinfo, and of query and fragment only the harmless keys."""
    try:
        parts = urllib.parse.urlsplit(url)
    except ValueError:
        return "(a URL that cannot be parsed)"
    return urllib.parse.urlunsplit(
        (
            parts.scheme,
            parts.netloc.rpartition("@")[2],
            parts.path,
            _keep_harmless(parts.query),
            _keep_harmless(parts.fragment),
        )
    )


def _keep_harmless(pairs: str) -> str:
    return "&".join(pair for pair in pairs.split("&") if pair.partition("=")[0] in _KEPT_KEYS)
