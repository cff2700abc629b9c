"""What only files of a distribution tell: the CUDA of torch, and the torch of an extension.

Three distributions write it down where nothing else does. A file that is absent, hostile or of
another shape leaves the fact unknown; it is never an error.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from envaudit.doors.disk import DiskError, Folder

_LIMIT = 64 * 1024
_TORCH_LINE = re.compile(
    r"^(?P<key>cuda|hip|xpu)\s*(?::[^=\n]*)?=\s*'(?P<value>[\w.+-]{1,40})'", re.MULTILINE
)
_OPS = re.compile(r"^installed_ops\s*=\s*\{([^}\n]*)\}", re.MULTILINE)
_COMPILED = re.compile(r":\s*(?:True|[1-9])")
_TORCH_INFO = re.compile(r"^torch_info\s*=\s*\{([^}\n]*)\}", re.MULTILINE)
_PAIR = re.compile(r"'(\w+)'\s*:\s*'(\d[\w.+-]{0,60})'")
_NO_TORCH = "0.0"
"""What deepspeed writes where it was built without torch, or without CUDA."""
_VERSION = re.compile(r"\d[\w.+-]{0,60}")

Facts = Iterator[tuple[str, str]]


def measure(site: Folder, name: str) -> tuple[tuple[str, str], ...]:
    """Return the facts that files of the distribution ``name`` (normalised) tell, sorted.

    ``site`` is the site directory that it is installed in.
    """
    if name not in _FILES:
        return ()
    folder, file, parse = _FILES[name]
    try:
        with site.folder(folder) as package:
            text = package.read(file, limit=_LIMIT).decode("utf-8")
        return tuple(sorted(parse(text)))
    except (DiskError, ValueError, RecursionError):
        return ()


def _of_torch(text: str) -> Facts:
    """Read ``torch/version.py``, which names the CUDA, HIP or XPU that it was built for."""
    found = {match["key"]: match["value"] for match in _TORCH_LINE.finditer(text)}
    if "cuda" in found:
        yield "cuda", found["cuda"]
    elif "hip" in found:
        yield "vendor", "rocm"
    elif "xpu" in found:
        yield "vendor", "xpu"


def _of_xformers(text: str) -> Facts:
    """Read ``xformers/cpp_lib.json``. Its ``cuda`` is the compiler's: torch's label says more."""
    match json.loads(text):
        case {"version": {"torch": str(torch)}} if _VERSION.fullmatch(torch):
            yield "built.torch", torch
        case _:
            pass


def _of_deepspeed(text: str) -> Facts:
    """Read the module that deepspeed's build writes; it counts only where ops were compiled.

    By patterns, since a hostile file could exhaust a parser of Python.
    """
    ops = _OPS.search(text)
    torch = _TORCH_INFO.search(text)
    if ops is None or torch is None or not _COMPILED.search(ops[1]):
        return
    found = dict(_PAIR.findall(torch[1]))
    if found.get("version", _NO_TORCH) == _NO_TORCH:
        return
    yield "built.torch", found["version"]
    if found.get("cuda_version", _NO_TORCH) != _NO_TORCH:
        yield "built.cuda", found["cuda_version"]


_FILES: Mapping[str, tuple[str, str, Callable[[str], Facts]]] = MappingProxyType(
    {
        "torch": ("torch", "version.py", _of_torch),
        "xformers": ("xformers", "cpp_lib.json", _of_xformers),
        "deepspeed": ("deepspeed", "git_version_info_installed.py", _of_deepspeed),
    }
)
