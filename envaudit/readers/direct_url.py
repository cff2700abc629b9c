"""``direct_url.json`` (PEP 610): where a distribution came from, with its secrets dropped."""

import json
from collections.abc import Mapping

from envaudit.core.redaction import redact_url
from envaudit.model.distribution import Origin, OriginKind

LIMIT = 256 * 1024


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
        url=redact_url(document["url"]),
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
