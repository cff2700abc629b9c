"""Tiny real wheels, built into a local folder in the binary distribution format."""

import zipfile
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.kit.records import Metadata, compose_record, compose_wheel

# A zip file cannot say a time before 1980; a fixed one makes equal wheels equal bytes.
_TIME = (1980, 1, 1, 0, 0, 0)
_REGULAR_FILE = 0o100644 << 16


@dataclass(frozen=True, slots=True)
class Wheel:
    """What a wheel holds."""

    name: str
    """As spelled in its metadata."""
    version: str
    _: KW_ONLY
    requires: tuple[str, ...] = ()
    extras: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Requirements by extra, without the extra's own marker."""
    modules: Mapping[str, str] = field(default_factory=dict)
    """Source text by path inside the site directory: ``flashinfer/__init__.py``."""
    project_urls: Mapping[str, str] = field(default_factory=dict)
    requires_python: str | None = None
    tag: str = "py3-none-any"
    """May be compressed: ``py2.py3-none-any``."""
    entry_points: Mapping[str, str] | None = None
    """Console scripts: ``module:function`` by name."""


def build_wheel(wheel: Wheel, folder: Path) -> Path:
    """Write ``wheel`` into ``folder``, which is made if need be, and return its path."""
    stem = f"{canonicalize_name(wheel.name).replace('-', '_')}-{wheel.version}"
    records = f"{stem}.dist-info"
    texts = {
        **wheel.modules,
        f"{records}/METADATA": _metadata(wheel).compose(),
        f"{records}/WHEEL": compose_wheel(_expand(wheel.tag)),
    }
    if wheel.entry_points is not None:
        scripts = (f"{name} = {target}\n" for name, target in wheel.entry_points.items())
        texts[f"{records}/entry_points.txt"] = "".join(("[console_scripts]\n", *scripts))
    files = {path: text.encode() for path, text in texts.items()}
    record = f"{records}/RECORD"
    files[record] = compose_record(files, record).encode()
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{stem}-{wheel.tag}.whl"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, _TIME)
            entry.external_attr = _REGULAR_FILE
            archive.writestr(entry, content)
    return target


def _metadata(wheel: Wheel) -> Metadata:
    gated = (
        gate(requirement, extra)
        for extra, requirements in wheel.extras.items()
        for requirement in requirements
    )
    return Metadata(
        name=wheel.name,
        version=wheel.version,
        requires=(*wheel.requires, *gated),
        extras=tuple(wheel.extras),
        requires_python=wheel.requires_python,
        project_urls=wheel.project_urls,
    )


def gate(line: str, extra: str) -> str:
    """Return the requirement ``line`` as it stands in METADATA when ``extra`` brings it in."""
    requirement = Requirement(line)
    marker = f'extra == "{extra}"'
    if requirement.marker is not None:
        marker = f"({requirement.marker}) and {marker}"
        requirement.marker = None
    return f"{requirement} ; {marker}"


def _expand(tag: str) -> tuple[str, ...]:
    """Return the single tags of a compressed one, as WHEEL lists them."""
    interpreters, abis, platforms = (part.split(".") for part in tag.split("-"))
    return tuple(
        f"{interpreter}-{abi}-{platform}"
        for interpreter in interpreters
        for abi in abis
        for platform in platforms
    )
