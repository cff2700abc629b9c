"""One ``.dist-info`` folder to a distribution, and to what of it could not be read."""

from packaging.utils import InvalidName, canonicalize_name

from envaudit.core.redaction import redact_text
from envaudit.doors.disk import AbsentError, DiskError, Folder
from envaudit.model.distribution import Distribution, Origin, OriginKind, Unreadable
from envaudit.readers import direct_url, metadata, record

_RECORD_LIMIT = 256 * 1024 * 1024
_SMALL = 64 * 1024


def read_distribution(
    site: Folder, name: str, where: str, *, contents: bool
) -> tuple[Distribution | None, tuple[Unreadable, ...]]:
    """Read the record ``name`` of the site directory ``site``, which is called ``where``.

    ``contents``: whether to read RECORD for the content id. Without METADATA there is no
    distribution; without anything else there is one, and a sibling tells what could not be read.
    """
    reader = _Reader(f"{where}/{name}")
    try:
        with site.folder(name) as folder:
            return reader.read(folder, name, contents=contents), tuple(reader.unreadable)
    except DiskError as error:
        return None, (reader.note("the record", error.reason),)


class _Reader:
    """Reads the files of one record, and notes what it cannot read."""

    def __init__(self, where: str) -> None:
        self._where = where
        self.unreadable: list[Unreadable] = []

    def note(self, part: str, reason: str) -> Unreadable:
        found = Unreadable(folder=self._where, part=part, reason=reason)
        self.unreadable.append(found)
        return found

    def read(self, folder: Folder, name: str, *, contents: bool) -> Distribution | None:
        headers = self._headers(folder)
        if headers is None:
            return None
        spelling, version = metadata.single(headers, "name"), metadata.single(headers, "version")
        if spelling is None or version is None:
            self.note("METADATA", "has no name or no version")
            return None
        try:
            normalised = canonicalize_name(spelling, validate=True)
        except InvalidName:
            # Never a name to show as one, or to put on a command line: `x @ https://…`, `--flag`.
            self.note("METADATA", f"has a name that no distribution may have, `{spelling}`")
            return None
        wheel = metadata.parse_headers(self._optional(folder, "WHEEL") or b"")
        return Distribution(
            name=normalised,
            spelling=spelling,
            version=version,
            folder=self._where,
            origin=self._origin(folder),
            tags=tuple(sorted(set(wheel.get("tag", ())))),
            build=metadata.single(wheel, "build"),
            requires=tuple(metadata_line(text) for text in headers.get("requires-dist", ())),
            extras=metadata.extras(headers),
            requires_python=metadata.single(headers, "requires-python"),
            repositories=metadata.repositories(headers),
            content_id=self._content_id(folder, name) if contents else None,
            installer=(self._optional(folder, "INSTALLER") or b"")
            .decode("utf-8", "replace")
            .strip()
            or None,
            requested=folder.has("REQUESTED"),
        )

    def _headers(self, folder: Folder) -> metadata.Headers | None:
        try:
            head = folder.head("METADATA", limit=metadata.HEAD_LIMIT)
        except DiskError as error:
            self.note("METADATA", error.reason)
            return None
        if len(head) == metadata.HEAD_LIMIT and not metadata.is_whole(head):
            self.note("METADATA", f"has headers of over {metadata.HEAD_LIMIT} bytes")
            return None
        return metadata.parse_headers(head)

    def _optional(self, folder: Folder, name: str) -> bytes | None:
        try:
            return folder.read(name, limit=_SMALL)
        except AbsentError:
            return None
        except DiskError as error:
            self.note(name, error.reason)
            return None

    def _origin(self, folder: Folder) -> Origin:
        try:
            return direct_url.parse(folder.read("direct_url.json", limit=direct_url.LIMIT))
        except AbsentError:
            pass
        except (DiskError, direct_url.DirectUrlError) as error:
            self.note("direct_url.json", str(error))
        return Origin(kind=OriginKind.INDEX)

    def _content_id(self, folder: Folder, name: str) -> str | None:
        try:
            return record.content_id(folder.read("RECORD", limit=_RECORD_LIMIT), name)
        except AbsentError:
            return None
        except (DiskError, record.RecordError) as error:
            self.note("RECORD", str(error))
            return None


def metadata_line(text: str) -> str:
    """Return a header value on one line, without secrets: a requirement may be a URL (PEP 508)."""
    line = " ".join(text.split("\n")) if "\n" in text else text
    return redact_text(line)
