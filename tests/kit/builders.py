"""Snapshots and distributions in memory, from a few words.

``snapshot("torch==2.9.1", distribution("vllm==0.16.0", requires=("torch==2.9.1",)))``
"""

from dataclasses import replace
from pathlib import PurePosixPath
from typing import TypedDict, Unpack

from packaging.utils import canonicalize_name

from envaudit.model.distribution import Distribution, Editable, Origin, Remnant, Unreadable
from envaudit.model.layout import Layout, Owner, Scope
from envaudit.model.record_name import Form
from envaudit.model.snapshot import Interpreter, Snapshot

_PYTHON = "3.11.7"


class Fields(TypedDict, total=False):
    """The fields of a distribution that a pin does not say; see ``Distribution``."""

    folder: str
    origin: Origin
    tags: tuple[str, ...]
    build: str | None
    requires: tuple[str, ...] | None
    extras: tuple[str, ...]
    requires_python: str | None
    repositories: tuple[str, ...]
    content_id: str | None
    installer: str | None
    requested: bool
    active_extras: tuple[str, ...]
    form: Form
    scope: Scope
    owner: Owner | None
    editable: Editable | None
    linked: bool


def distribution(pin: str, **fields: Unpack[Fields]) -> Distribution:
    """Build the distribution that ``pin`` (``spelling==version``) names.

    The version may be anything, PEP 440 or not. Without ``folder`` it lies in the site directory of
    Python 3.11, or of the snapshot that it is put into; without ``tags`` it is a pure wheel's.
    """
    spelling, equals, version = pin.partition("==")
    if not equals:
        raise ValueError(f"`{pin}` is no pin: write `name==version`")
    name = canonicalize_name(spelling)
    fields.setdefault("folder", f"{_site(_PYTHON)}/{name.replace('-', '_')}-{version}.dist-info")
    fields.setdefault("tags", ("py3-none-any",))
    return Distribution(name=name, spelling=spelling, version=version, **fields)


def snapshot(
    *distributions: str | Distribution,
    python: str = _PYTHON,
    unreadable: tuple[Unreadable, ...] = (),
    remnants: tuple[Remnant, ...] = (),
    layout: Layout | None = None,
) -> Snapshot:
    """Build the snapshot of a CPython environment on x86-64 Linux; pins stand for distributions."""
    built = (distribution(entry) if isinstance(entry, str) else entry for entry in distributions)
    return Snapshot(
        interpreter=interpreter(python),
        distributions=tuple(
            sorted(
                (_settle(entry, python) for entry in built),
                key=lambda entry: (entry.name, entry.folder),
            )
        ),
        unreadable=unreadable,
        remnants=remnants,
        layout=layout,
    )


def interpreter(python: str = _PYTHON) -> Interpreter:
    """Describe CPython ``python`` (``3.11.7``; ``3.11``: patch level not known) on x86-64 Linux.

    The markers are all those that an environment's files tell; ``platform_release`` and
    ``platform_version`` belong to a running kernel and are not among them.
    """
    minor = ".".join(python.split(".")[:2])
    markers = {
        "implementation_name": "cpython",
        "os_name": "posix",
        "platform_machine": "x86_64",
        "platform_python_implementation": "CPython",
        "platform_system": "Linux",
        "python_version": minor,
        "sys_platform": "linux",
    }
    if python != minor:
        markers |= {"implementation_version": python, "python_full_version": python}
    digits = minor.replace(".", "")
    return Interpreter(
        implementation="cpython",
        version=python,
        markers=tuple(sorted(markers.items())),
        tags=(f"cp{digits}-cp{digits}-linux_x86_64",),
    )


def _settle(entry: Distribution, python: str) -> Distribution:
    """Move a record out of the default site directory into the one of ``python``."""
    folder = PurePosixPath(entry.folder)
    if str(folder.parent) != _site(_PYTHON):
        return entry
    return replace(entry, folder=f"{_site(python)}/{folder.name}")


def _site(python: str) -> str:
    major, minor = python.split(".")[:2]
    return f"lib/python{major}.{minor}/site-packages"
