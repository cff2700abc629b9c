"""A snapshot written out as a virtual environment: for readers, for uv, and for benchmarks."""

import json
from pathlib import Path, PurePosixPath

from envaudit.model.distribution import Distribution, Origin, OriginKind
from envaudit.model.snapshot import Snapshot
from tests.kit.environments import base_interpreter
from tests.kit.records import Metadata, compose_record, compose_wheel


def write_environment(snapshot: Snapshot, folder: Path, *, modules: int = 1) -> Path:
    """Write ``snapshot`` as a virtual environment at ``folder``, and return ``folder``.

    Reading it back gives an equal snapshot, on the machine that its markers describe. A content id
    cannot be written, being a digest: two distributions that are equal but for their content ids
    get equal modules if those are equal, and other ones if they differ; without a content id there
    is no RECORD. ``bin/python`` is the interpreter that runs the tests, so that
    ``uv pip check --python FOLDER`` works where the snapshot is of the same Python. ``modules``:
    how many modules each distribution has.

    Raises:
        ValueError: the snapshot holds what cannot be written: something unreadable, a startup hook,
            or a distribution of which the requirements are not known.
    """
    if snapshot.unreadable or snapshot.hooks:
        raise ValueError("what is unreadable, and startup hooks, cannot be written")
    _write(folder / "pyvenv.cfg", _configuration(snapshot))
    _link_interpreter(folder / "bin")
    seen: dict[str, int] = {}
    for distribution in snapshot.distributions:
        seen[distribution.name] = seen.get(distribution.name, 0) + 1
        package = distribution.name.replace("-", "_") + "_again" * (seen[distribution.name] - 1)
        for path, content in _files(distribution, package, modules).items():
            _write(folder / PurePosixPath(distribution.folder).parent / path, content)
    if not snapshot.distributions:
        minor = ".".join(snapshot.interpreter.version.split(".")[:2])
        (folder / "lib" / f"python{minor}" / "site-packages").mkdir(parents=True)
    return folder


def _configuration(snapshot: Snapshot) -> bytes:
    lines = (
        f"home = {base_interpreter().parent}",
        "implementation = CPython",
        f"version_info = {snapshot.interpreter.version}",
        "include-system-site-packages = false",
    )
    return "".join(f"{line}\n" for line in lines).encode()


def _link_interpreter(folder: Path) -> None:
    folder.mkdir(parents=True)
    base = base_interpreter()
    (folder / "python").symlink_to(base)
    for name in ("python3", base.name):
        (folder / name).symlink_to("python")


def _files(distribution: Distribution, package: str, modules: int) -> dict[str, bytes]:
    """Return all files of ``distribution``, contents by path inside its site directory."""
    records = PurePosixPath(distribution.folder).name
    texts = {
        f"{package}/{_module(number)}": f'"""Of {distribution.label}."""\n\n'
        f'CONTENT = "{distribution.content_id}"\nNUMBER = {number}\n'
        for number in range(modules)
    }
    texts[f"{records}/METADATA"] = _metadata(distribution).compose()
    texts[f"{records}/WHEEL"] = compose_wheel(distribution.tags, build=distribution.build)
    if distribution.installer is not None:
        texts[f"{records}/INSTALLER"] = distribution.installer
    if distribution.requested:
        texts[f"{records}/REQUESTED"] = ""
    if distribution.origin.kind is not OriginKind.INDEX:
        texts[f"{records}/direct_url.json"] = json.dumps(_direct_url(distribution.origin))
    files = {path: text.encode() for path, text in texts.items()}
    if distribution.content_id is not None:
        record = f"{records}/RECORD"
        files[record] = compose_record(files, record).encode()
    return files


def _module(number: int) -> str:
    return f"module_{number}.py" if number else "__init__.py"


def _metadata(distribution: Distribution) -> Metadata:
    if distribution.requires is None:
        raise ValueError(f"the requirements of `{distribution.label}` are not known")
    return Metadata(
        name=distribution.spelling,
        version=distribution.version,
        requires=distribution.requires,
        extras=distribution.extras,
        requires_python=distribution.requires_python,
        project_urls={
            f"Source {number}": url for number, url in enumerate(distribution.repositories, 1)
        },
    )


def _direct_url(origin: Origin) -> dict[str, object]:
    """Return PEP 610's document for ``origin``."""
    document: dict[str, object] = {"url": origin.url or "https://example.org/nowhere.whl"}
    match origin.kind:
        case OriginKind.ARCHIVE:
            document["archive_info"] = {}
        case OriginKind.VCS:
            document["vcs_info"] = {"vcs": "git", "commit_id": origin.revision}
        case OriginKind.PATH:
            document["dir_info"] = {}
        case OriginKind.EDITABLE:
            document["dir_info"] = {"editable": True}
        case OriginKind.INDEX:
            raise ValueError("an index is no direct URL")
    if origin.subdirectory is not None:
        document["subdirectory"] = origin.subdirectory
    return document


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
