"""The files of a ``.dist-info`` folder as text, as the packaging specifications want them.

Written apart from the product's own wheel writer: a test that let the product write what the
product reads would agree with itself.
"""

import base64
import csv
import hashlib
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """What METADATA says (core metadata 2.4)."""

    name: str
    """As spelled."""
    version: str
    requires: tuple[str, ...] = ()
    """Lines of ``Requires-Dist``, extras' markers included."""
    extras: tuple[str, ...] = ()
    requires_python: str | None = None
    project_urls: Mapping[str, str] = field(default_factory=dict)
    """URLs by label."""

    def compose(self) -> str:
        """Return the file's text."""
        lines = [
            "Metadata-Version: 2.4",
            f"Name: {self.name}",
            f"Version: {self.version}",
            *(f"Project-URL: {label}, {url}" for label, url in self.project_urls.items()),
            *([f"Requires-Python: {self.requires_python}"] if self.requires_python else ()),
            *(f"Requires-Dist: {line}" for line in self.requires),
            *(f"Provides-Extra: {extra}" for extra in self.extras),
        ]
        return "".join(f"{line}\n" for line in lines)


def compose_wheel(tags: Iterable[str], *, build: str | None = None) -> str:
    """Return the text of WHEEL for a wheel of ``tags`` (``py3-none-any``)."""
    tags = tuple(tags)
    pure = all(tag.endswith("-none-any") for tag in tags)
    lines = [
        "Wheel-Version: 1.0",
        "Generator: envaudit-tests",
        f"Root-Is-Purelib: {str(pure).lower()}",
        *([f"Build: {build}"] if build else ()),
        *(f"Tag: {tag}" for tag in tags),
    ]
    return "".join(f"{line}\n" for line in lines)


def compose_record(files: Mapping[str, bytes], record: str) -> str:
    """Return the text of RECORD for ``files`` (contents by path); ``record`` is its own path."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for path, content in files.items():
        writer.writerow((path, digest(content), len(content)))
    writer.writerow((record, "", ""))
    return text.getvalue()


def digest(content: bytes) -> str:
    """Return the digest of ``content`` in RECORD's spelling: ``sha256=`` and base64, unpadded."""
    encoded = base64.urlsafe_b64encode(hashlib.sha256(content).digest())
    return f"sha256={encoded.rstrip(b'=').decode('ascii')}"
