"""One ``.dist-info`` folder to a distribution, and to what of it could not be read."""

from packaging.utils import canonicalize_name

from envaudit.doors.disk import AbsentError, DiskError
from envaudit.model.distribution import Distribution, Origin, OriginKind
from envaudit.readers import direct_url, metadata, record
from envaudit.readers.record_files import RecordFiles


def read_distribution(files: RecordFiles, name: str, *, contents: bool) -> Distribution | None:
    """Read the ``.dist-info`` folder ``name`` through ``files``, which notes what it cannot read.

    ``contents``: whether to read RECORD for the content id. Without METADATA there is no
    distribution; without anything else there is one.
    """
    headers = files.headers("METADATA")
    identity = None if headers is None else files.identity("METADATA", headers)
    if headers is None or identity is None:
        return None
    spelling, version = identity
    wheel = metadata.parse_headers(files.optional("WHEEL") or b"")
    return Distribution(
        name=canonicalize_name(spelling),
        spelling=spelling,
        version=version,
        folder=files.where,
        origin=_origin(files),
        tags=tuple(sorted(set(wheel.get("tag", ())))),
        build=metadata.single(wheel, "build"),
        requires=metadata.requirement_lines(headers.get("requires-dist", ())),
        extras=metadata.extras(headers),
        requires_python=metadata.single(headers, "requires-python"),
        repositories=metadata.repositories(headers),
        content_id=_content_id(files, name) if contents else None,
        installer=_installer(files),
        requested=files.has("REQUESTED"),
        linked=files.linked,
    )


def _installer(files: RecordFiles) -> str | None:
    text = (files.optional("INSTALLER") or b"").decode("utf-8", "replace")
    return text.strip() or None


def _origin(files: RecordFiles) -> Origin:
    try:
        return direct_url.parse(files.read("direct_url.json", limit=direct_url.LIMIT))
    except AbsentError:
        pass
    except (DiskError, direct_url.DirectUrlError) as error:
        files.note("direct_url.json", str(error))
    return Origin(kind=OriginKind.INDEX)


def _content_id(files: RecordFiles, name: str) -> str | None:
    try:
        return record.content_id(files.record(), name)
    except AbsentError:
        return None
    except (DiskError, record.RecordError) as error:
        files.note("RECORD", str(error))
        return None
