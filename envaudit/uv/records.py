"""A snapshot written out as records, so that real uv plans against what is no longer there."""

import json
import re
from pathlib import Path

from envaudit.model.declared import parse_version
from envaudit.model.distribution import Distribution, Origin, OriginKind
from envaudit.model.snapshot import Snapshot
from envaudit.uv.scratch import write_file

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def write_records(prefix: Path, snapshot: Snapshot) -> tuple[str, ...]:
    """Write records of ``snapshot`` below ``prefix``, as far as uv looks at them when it plans.

    Returns the labels of those of which name or version make no record: a snapshot is a file that
    anybody may have written.
    """
    minor = ".".join(snapshot.interpreter.version.split(".")[:2])
    site = f"lib/python{minor}/site-packages"
    skipped: list[str] = []
    write_file(prefix, f"{site}/empty", "")
    for record in snapshot.distributions:
        if not _NAME.fullmatch(record.name) or parse_version(record.version) is None:
            skipped.append(record.label)
            continue
        stem = f"{record.name.replace('-', '_')}-{record.version}"
        for name, text in _record_files(record).items():
            write_file(prefix, f"{site}/{stem}.dist-info/{name}", text)
    return tuple(skipped)


def _record_files(record: Distribution) -> dict[str, str]:
    requires = [line for line in record.requires or () if len(line.splitlines()) == 1]
    headers = [
        "Metadata-Version: 2.1",
        f"Name: {record.name}",
        f"Version: {record.version}",
        *(f"Requires-Dist: {line}" for line in requires),
        *(f"Provides-Extra: {extra}" for extra in record.extras if _NAME.fullmatch(extra)),
    ]
    files = {"METADATA": "".join(f"{line}\n" for line in headers), "INSTALLER": "uv", "RECORD": ""}
    if record.origin.url is not None:
        files["direct_url.json"] = json.dumps(_direct_url(record.origin))
    return files


def _direct_url(origin: Origin) -> dict[str, object]:
    return {"url": origin.url, **_details(origin)}


def _details(origin: Origin) -> dict[str, object]:
    match origin.kind:
        case OriginKind.INDEX | OriginKind.ARCHIVE:
            return {"archive_info": {}}
        case OriginKind.VCS:
            return {"vcs_info": {"vcs": "git", "commit_id": origin.revision or ""}}
        case OriginKind.PATH:
            return {"dir_info": {}}
        case OriginKind.EDITABLE:
            return {"dir_info": {"editable": True}}
