"""The interpreter of an environment, from its files: it is never started.

Markers that belong to the machine (``sys_platform``, ``platform_machine``) are those of the machine
that envaudit runs on: an environment cannot be started on another one.
"""

import platform
import sys
import sysconfig
from collections.abc import Mapping

from envaudit.model.snapshot import Interpreter
from envaudit.readers.ground import Ground
from envaudit.readers.libraries import Library, read_patch_level

_IMPLEMENTATIONS: Mapping[str, tuple[str, str]] = {
    "python": ("cpython", "CPython"),
    "pypy": ("pypy", "PyPy"),
}


def read_interpreter(ground: Ground) -> Interpreter:
    """Describe the interpreter of ``ground`` without starting it.

    A marker that nothing tells is left out: the patch level where neither ``pyvenv.cfg`` nor
    ``patchlevel.h`` nor conda knows it, and everything of the interpreter for a plain folder.
    """
    machine = {
        "os_name": "posix",
        "platform_machine": platform.machine(),
        "platform_system": platform.system(),
        "sys_platform": sys.platform,
    }
    library = ground.library
    if library is None:
        return Interpreter(
            implementation="unknown", version="", markers=tuple(sorted(machine.items()))
        )
    full = _full_version(ground, library)
    name, platform_name = _IMPLEMENTATIONS[library.kind]
    markers = machine | {
        "implementation_name": name,
        "platform_python_implementation": platform_name,
        "python_version": library.minor,
    }
    if full is not None:
        markers["python_full_version"] = full
        if name == "cpython":
            markers["implementation_version"] = full
    return Interpreter(
        implementation=name,
        version=full or library.minor,
        markers=tuple(sorted(markers.items())),
        tags=(_best_tag(library),),
    )


def _full_version(ground: Ground, library: Library) -> str | None:
    """Return the whole version: what ``pyvenv.cfg`` states, else what the prefix's files tell."""
    stated = None if ground.configuration is None else ground.configuration.version
    if stated is not None and stated.startswith(f"{library.minor}."):
        return stated
    return None if ground.prefix is None else read_patch_level(ground.prefix, library)


def _best_tag(library: Library) -> str:
    digits = library.minor.replace(".", "")
    system = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    prefix = "cp" if library.kind == "python" else "pp"
    return f"{prefix}{digits}-{prefix}{digits}{library.threads}-{system}"
