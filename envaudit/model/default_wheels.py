"""What the unlabelled wheels of the default index were built for: dated tables, read from wheels.

A wheel without a local label is another build on another platform: on Linux x86-64 for the CUDA of
its time, on Linux aarch64 first for CPU and later for CUDA, on Windows for CPU, on macOS for none.
"""

import re
from collections.abc import Mapping
from datetime import date
from types import MappingProxyType

from packaging.version import Version

from envaudit.model.distribution import Distribution
from envaudit.model.snapshot import Interpreter

NONE = "none"
"""No accelerator, and no choice of one."""

_Minor = tuple[int, int]
REVIEWED = date(2026, 12, 1)
"""When the tables were read from the wheels' own requirements."""

_TORCH: Mapping[_Minor, str] = MappingProxyType(
    {
        (1, 13): "11.7",
        (2, 0): "11.7",
        (2, 1): "12.1",
        (2, 2): "12.1",
        (2, 3): "12.1",
        (2, 4): "12.1",
        (2, 5): "12.4",
        (2, 6): "12.4",
        (2, 7): "12.6",
        (2, 8): "12.8",
        (2, 9): "12.8",
        (2, 10): "12.8",
        (2, 11): "13.0",
        (2, 12): "13.0",
        (2, 13): "13.0",
        (2, 14): "13.0",
    }
)
"""torch's first two numbers -> CUDA of the unlabelled Linux x86-64 wheel."""

_FIRST_CUDA_ON_ARM = (2, 11)
"""Before, the unlabelled Linux wheels for aarch64 are CPU builds."""

_VLLM: tuple[tuple[_Minor, _Minor], ...] = (((0, 20), (2, 11)), ((0, 15), (2, 9)))
"""vllm from this release on -> a torch of its CUDA, where its own requirement is not known."""

_PIN = re.compile(r"torch\s*\(?==\s*(\d+)\.(\d+)[.\d]*\)?")
_TORCHVISION_BEFORE = {(0, 14): (1, 13), (0, 15): (2, 0)}


def built_for(distribution: Distribution, interpreter: Interpreter | None) -> str | None:
    """Return ``12.8``, ``cpu`` or ``none``; ``None``: no table knows.

    ``distribution`` came from an index, and has no label.
    """
    torch = _torch_of(distribution)
    if torch is None or interpreter is None:
        return None
    markers = interpreter.marker_values()
    match markers.get("sys_platform"), markers.get("platform_machine"):
        case "darwin", _:
            return NONE
        case "win32", _:
            return "cpu"
        case "linux", "aarch64" if torch < _FIRST_CUDA_ON_ARM:
            return None if distribution.name == "vllm" else "cpu"
        case "linux", "x86_64" | "aarch64":
            return _TORCH.get(torch)
        case _:
            return None


def _torch_of(distribution: Distribution) -> _Minor | None:
    """Return the first two numbers of the torch that a wheel belongs to."""
    try:
        version = Version(distribution.version)
    except ValueError:
        return None
    minor = (version.major, version.minor)
    found: _Minor | None = None
    match distribution.name:
        case "torch" | "torchaudio":
            found = minor
        case "torchvision":
            # 0.16 came with torch 2.1, 0.17 with 2.2, and so on.
            found = (2, version.minor - 15) if minor >= (0, 16) else _TORCHVISION_BEFORE.get(minor)
        case "vllm":
            pins = (_PIN.fullmatch(text.partition(";")[0].strip()) for text in _lines(distribution))
            pin = next((match for match in pins if match), None)
            later = (torch for since, torch in _VLLM if minor >= since)
            found = next(later, None) if pin is None else (int(pin[1]), int(pin[2]))
        case _:
            pass
    return None if version.is_devrelease else found


def _lines(distribution: Distribution) -> tuple[str, ...]:
    return tuple(text for text in distribution.requires or () if text.startswith("torch"))
