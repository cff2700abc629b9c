"""What a distribution was built for (CUDA, ROCm, CPU …), and against which torch.

A wheel for an accelerator seldom says so in one place. The places, and the first that answers wins:

1. the local label: ``cu128``, ``cpu``, ``rocm6.4``, ``pt23cu121``;
2. a file of the distribution that a reader measured (``Distribution.measured``);
3. the name: ``nvidia-nccl-cu12``, ``cupy-cuda13x``, ``triton-rocm``;
4. what it declares to require: ``nvidia-cuda-runtime-cu12==12.8.90``, ``cuda-toolkit==13.0.2``;
5. the dated tables of ``default_wheels``, for unlabelled wheels.

What none of them tells is unknown.
"""

import re
import urllib.parse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from envaudit.model import default_wheels
from envaudit.model.distribution import Distribution, OriginKind
from envaudit.model.snapshot import Interpreter

CUDA = "cuda"


@dataclass(frozen=True, slots=True, kw_only=True)
class Accelerator:
    """What something was built for."""

    vendor: str
    """``cuda``, ``rocm``, ``xpu``, ``cpu``, ``none``."""
    cuda: Version | None = None
    """Major, or major and minor; ``None``: not CUDA, or not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What an extension was compiled against."""

    torch: Version | None
    accelerator: Accelerator | None


# Names of which the suffix does not tell it.
_BY_NAME: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(
            (
                "nvidia-cublas",
                "nvidia-cuda-cccl",
                "nvidia-cuda-cupti",
                "nvidia-cuda-nvcc",
                "nvidia-cuda-nvrtc",
                "nvidia-cuda-runtime",
                "nvidia-cufft",
                "nvidia-cufile",
                "nvidia-curand",
                "nvidia-cusolver",
                "nvidia-cusparse",
                "nvidia-nvjitlink",
                "nvidia-nvtx",
            ),
            "13",
        ),
        "mooncake-transfer-engine": "12",
    }
)
_BY_OWN_VERSION = frozenset({"cuda-bindings", "cuda-python", "cuda-toolkit"})

_LABEL_CUDA = re.compile(r"(?<![a-z])cu(\d{2,3})(?!\d)")
_LABEL_OTHER = re.compile(r"(?<![a-z])(cpu|rocm|xpu)")
_NAME_CUDA = re.compile(r"(?:^|-)(?:cu|cuda)(\d{2,3})x?(?:-|$)")
_NAME_OTHER = re.compile(r"-(cpu|rocm|xpu)\d*(?:-|$)")
_LABEL_TORCH = re.compile(r"pt(\d)(\d{1,2})(?!\d)")
_FILE_TORCH = re.compile(r"torch(\d+)\.(\d+)")
_NVIDIA = re.compile(r"nvidia-(?P<library>[a-z0-9-]+)-cu(?P<major>\d{2})")


def read(distribution: Distribution, interpreter: Interpreter | None) -> Accelerator | None:
    """Return what ``distribution`` was built for; ``None``: not known.

    ``interpreter`` is the environment's: an unlabelled wheel of one version is another build on
    another platform.
    """
    label = _local(distribution.version)
    return (
        of_label(label)
        or _measured(distribution)
        or _of_name(distribution)
        or _declared(distribution.requires or (), interpreter)
        or (_of_wheel(distribution, interpreter) if label is None else None)
    )


def read_built(distribution: Distribution) -> Built | None:
    """Return what an extension was compiled against, where anything tells it.

    The label (PyG: ``pt23cu121``, nunchaku: ``torch2.8``), a measured file (xformers, deepspeed),
    or the name of the file it was installed from (flash-attn), which only ``direct_url.json`` still
    knows. A label without a torch (``cu121``) still tells the accelerator.
    """
    label = _local(distribution.version) or ""
    if match := _LABEL_TORCH.match(label) or _FILE_TORCH.search(label):
        return Built(torch=Version(f"{match[1]}.{match[2]}"), accelerator=of_label(label))
    measured = dict(distribution.measured)
    if "built.torch" in measured:
        try:
            torch = Version(measured["built.torch"])
        except InvalidVersion:
            return None
        cuda = measured.get("built.cuda")
        found = of_label(torch.local) if cuda is None else _cuda(cuda)
        return Built(torch=torch, accelerator=found)
    name = urllib.parse.unquote((distribution.origin.url or "").partition("#")[0])
    _, plus, built = name.rpartition("/")[2].partition("+")
    match = _FILE_TORCH.search(built)
    if plus and match:
        return Built(torch=Version(f"{match[1]}.{match[2]}"), accelerator=of_label(built))
    found = of_label(label)
    return None if found is None else Built(torch=None, accelerator=found)


def _local(text: str) -> str | None:
    try:
        return Version(text).local
    except ValueError:
        return None


def of_label(label: str | None) -> Accelerator | None:
    """Return what a local label says: ``cu128``, ``cpu``, ``rocm6.4``, ``pt23cu121``."""
    if label is None:
        return None
    if match := _LABEL_CUDA.search(label):
        return Accelerator(vendor=CUDA, cuda=_digits(match[1]))
    if match := _LABEL_OTHER.search(label):
        return Accelerator(vendor=match[1])
    return None


_LAST_MAJOR_OF_ONE_DIGIT = 70


def _digits(digits: str) -> Version:
    """Read ``128`` as 12.8, ``92`` as 9.2, and ``12`` as 12."""
    if len(digits) == len("128") or int(digits) >= _LAST_MAJOR_OF_ONE_DIGIT:
        return Version(f"{digits[:-1]}.{digits[-1]}")
    return Version(digits)


def _cuda(text: str) -> Accelerator | None:
    try:
        return Accelerator(vendor=CUDA, cuda=Version(text))
    except InvalidVersion:
        return None


def _of_wheel(distribution: Distribution, interpreter: Interpreter | None) -> Accelerator | None:
    """Return what the dated tables say of an unlabelled wheel that came from an index."""
    if distribution.origin.kind is not OriginKind.INDEX or distribution.owner is not None:
        return None  # a source tree's build, or conda's, or the system's
    built = default_wheels.built_for(distribution, interpreter)
    if built is None:
        return None
    return Accelerator(vendor=built) if built.isalpha() else _cuda(built)


def _measured(distribution: Distribution) -> Accelerator | None:
    measured = dict(distribution.measured)
    if "cuda" in measured:
        return _cuda(measured["cuda"])
    if "vendor" in measured:
        return Accelerator(vendor=measured["vendor"])
    return None


def _of_name(distribution: Distribution) -> Accelerator | None:
    name = distribution.name
    if match := _NAME_CUDA.search(name):
        return Accelerator(vendor=CUDA, cuda=_digits(match[1]))
    if match := _NAME_OTHER.search(name):
        return Accelerator(vendor=match[1])
    if name in _BY_NAME:
        return _cuda(_BY_NAME[name])
    if name in _BY_OWN_VERSION:
        return _cuda(".".join(distribution.version.split(".")[:2]))
    return None


@lru_cache(maxsize=4096)
def _declared(requires: tuple[str, ...], interpreter: Interpreter | None) -> Accelerator | None:
    """Return the CUDA of the libraries that ``requires`` names, if they are all of one."""
    majors: set[str] = set()
    exact: str | None = None
    for requirement in _in_force(requires, interpreter):
        name = canonicalize_name(requirement.name)
        pinned = next((item.version for item in requirement.specifier if item.operator == "=="), "")
        version = ".".join(pinned.removesuffix(".*").split(".")[:2])
        match = _NVIDIA.fullmatch(name)
        if match:
            majors.add(match["major"])
            if match["library"] == "cuda-runtime":
                exact = version or exact
        elif name == "cuda-toolkit" and version:
            majors.add(version.split(".")[0])
            exact = version
    if len(majors) != 1:
        return None
    (major,) = majors
    return _cuda(exact if exact is not None and exact.split(".")[0] == major else major)


def _in_force(requires: tuple[str, ...], interpreter: Interpreter | None) -> Iterator[Requirement]:
    markers = {} if interpreter is None else interpreter.marker_values()
    for text in requires:
        if not text.lower().startswith(("nvidia", "cuda")):
            continue
        try:
            requirement = Requirement(text)
        except InvalidRequirement:
            continue
        marker = requirement.marker
        if marker is None or (markers and marker.evaluate({**markers, "extra": ""})):
            yield requirement
