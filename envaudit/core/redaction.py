"""Secrets out of URLs and texts: what has passed here may stand in a snapshot, a report or a log.

URLs are taken apart by the standard parser, not by a pattern: all userinfo goes (a token may stand
there alone, without a password), and of query and fragment every key that is not known to be
harmless.
"""

import re
import urllib.parse
from collections.abc import Iterable, Iterator, Mapping

_HARMLESS_KEYS = frozenset(
    {"subdirectory", "egg", "md5", "sha1", "sha224", "sha256", "sha384", "sha512"}
)
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s\"'`<>]+")
_SECRET_NAME = re.compile(r"PASSWORD|PASSWD|TOKEN|SECRET|API_?KEY|CREDENTIAL", re.IGNORECASE)
_MASK = "****"
# Shorter values are words of any text (`1`, `yes`, `auto`): masking them would hide messages.
_SHORTEST_SECRET = 6


def redact_url(url: str) -> str:
    """Return ``url`` without userinfo, and of query and fragment only the harmless keys."""
    try:
        parts = urllib.parse.urlsplit(url)
    except ValueError:
        return "(a URL that cannot be parsed)"
    netloc, path = parts.netloc.rpartition("@")[2], parts.path
    if not parts.netloc and parts.scheme != "file":  # `user:token@host/path` and the like
        path = path.rpartition("@")[2]
    return urllib.parse.urlunsplit(
        (
            parts.scheme if parts.netloc or path == parts.path else "",
            netloc,
            path,
            _keep_harmless(parts.query),
            _keep_harmless(parts.fragment),
        )
    )


def _keep_harmless(pairs: str) -> str:
    return "&".join(pair for pair in pairs.split("&") if pair.partition("=")[0] in _HARMLESS_KEYS)


def redact_text(text: str, secrets: Iterable[str] = ()) -> str:
    """Return ``text`` with every URL in it redacted, and each of ``secrets`` masked."""
    if "://" in text:
        text = _URL.sub(lambda match: redact_url(match[0]), text)
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, _MASK)
    return text


def find_secrets(variables: Mapping[str, str], words: Iterable[str] = ()) -> frozenset[str]:
    """Return the values that must not be repeated: passwords of URLs, and variables so named.

    ``words``: a command line, in which URLs may stand.
    """
    named = {value for name, value in variables.items() if _SECRET_NAME.search(name)}
    texts = (*variables.values(), *words)
    found = named | {part for text in texts if "://" in text for part in _userinfo(text)}
    return frozenset(value for value in found if len(value) >= _SHORTEST_SECRET)


def _userinfo(text: str) -> Iterator[str]:
    for match in _URL.finditer(text):
        try:
            parts = urllib.parse.urlsplit(match[0])
        except ValueError:
            continue
        for part in parts.netloc.rpartition("@")[0].split(":"):
            yield part
            yield urllib.parse.unquote(part)
