"""The top-level modules of the standard library, by version of Python."""

import sys

_REMOVED: tuple[tuple[int, str], ...] = (
    (10, "formatter parser symbol macpath"),
    (11, "binhex"),
    (12, "asynchat asyncore distutils imp smtpd"),
    (13, "aifc audioop cgi cgitb chunk crypt imghdr lib2to3 mailcap msilib nis nntplib"),
    (13, "ossaudiodev pipes sndhdr spwd sunau telnetlib uu xdrlib"),
)
_ADDED: tuple[tuple[int, str], ...] = (
    (9, "graphlib zoneinfo"),
    (11, "tomllib"),
    (14, "annotationlib compression"),
)


def module_names(version: str) -> frozenset[str]:
    """Return the names of the standard library of Python ``version`` (``3.11.7``).

    Those of the Python that runs this, with what other versions added and removed (the "What's New"
    pages of 3.9 to 3.14).
    """
    parts = version.split(".")
    minor = int(parts[1]) if len(parts) > 1 and parts[1].isdigit() else sys.version_info.minor
    names = set(sys.stdlib_module_names)
    for removed, words in _REMOVED:
        names = names | set(words.split()) if minor < removed else names - set(words.split())
    for added, words in _ADDED:
        names = names | set(words.split()) if minor >= added else names - set(words.split())
    return frozenset(name for name in names if not name.startswith("_"))
