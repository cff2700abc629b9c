"""Auditor for installed Python environments: what changed, what is wrong, what repairs it.

As a library, these names are public, and stay as they are within a major version:

* ``read_environment`` - an environment on disk to a ``Snapshot``
* ``Snapshot`` - the record of one environment at one moment
* ``diff`` - two snapshots to the changes between them
* ``resolve`` - a snapshot to the graph of what requires what
* ``load_policies`` - policies, built-in and from files
* ``evaluate`` - a snapshot and policies to findings

Each is imported when it is first asked for: ``import envaudit`` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from envaudit.core.drift import diff
    from envaudit.core.evaluate import evaluate
    from envaudit.core.graph import resolve
    from envaudit.model.snapshot import Snapshot
    from envaudit.readers.environment import read_environment
    from envaudit.readers.policies import load_policies

__version__ = "0.1.0"

__all__ = [
    "Snapshot",
    "__version__",
    "diff",
    "evaluate",
    "load_policies",
    "read_environment",
    "resolve",
]

_HOMES = {
    "Snapshot": "envaudit.model.snapshot",
    "diff": "envaudit.core.drift",
    "evaluate": "envaudit.core.evaluate",
    "load_policies": "envaudit.readers.policies",
    "read_environment": "envaudit.readers.environment",
    "resolve": "envaudit.core.graph",
}


def __getattr__(name: str) -> object:
    """Import a public name from where it lives (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """Return the public names, imported or not."""
    return sorted(__all__)
