"""Facts: where each comes from, and when it is not known."""

from dataclasses import replace

import pytest
from packaging.version import Version

from envaudit.model.distribution import Distribution, Origin, OriginKind
from envaudit.model.fact import Absent, Fact, Known, Unknown, is_commit, read_fact
from envaudit.model.pattern import matches
from envaudit.model.policy import PLATFORMS
from envaudit.model.snapshot import Interpreter
from tests.kit.builders import distribution

TOOLKIT = ("cuda-toolkit[cublas,cudart]==13.0.2; platform_system == 'Linux'",)
RUNTIME = (
    'nvidia-cublas-cu12==12.8.4.1; platform_machine == "x86_64"',
    'nvidia-cuda-runtime-cu12==12.8.90; platform_machine == "x86_64"',
    'nvidia-nccl-cu13; extra == "later"',
)


def machine(platform: str) -> Interpreter:
    return Interpreter(
        implementation="cpython",
        version="3.11",
        markers=tuple(sorted(PLATFORMS[platform].items())),
    )


def read(fact: str, record: str | Distribution, platform: str = "linux-x86_64") -> Fact:
    record = distribution(record) if isinstance(record, str) else record
    return read_fact(fact, record, interpreter=machine(platform))


def shown(fact: Fact) -> str | None:
    """Return a value as text, nothing for what a distribution does not have, `None`: unknown."""
    match fact:
        case Known(value=value):
            return str(value)
        case Absent():
            return ""
        case Unknown():
            return None


@pytest.mark.parametrize(
    ("fact", "version", "value"),
    [
        ("full", "2.9.1.post1+cu128", "2.9.1.post1+cu128"),
        ("public", "2.9.1.post1+cu128", "2.9.1.post1"),
        ("release", "2.9.1rc1+cu128", "2.9.1"),
        ("minor", "2.9.1", "2.9"),
        ("minor", "3", "3.0"),
        ("major", "2.9.1", "2"),
        ("first3", "2024.5.0.1", "2024.5.0"),
        ("first1", "2.9", "2"),
        ("label", "2.9+cu128", "cu128"),
        ("label", "2.9", ""),
        ("minor", "2.10.0+git8514f05", None),
        ("full", "2.10.0+git8514f05", "2.10.0+git8514f05"),
        ("minor", "2.2.0a0+81ea7a4", None),
        ("minor", "2.6.0a0+ecf3bae40a.nv25.01", None),
        ("minor", "2.7.0+git", "2.7"),
        ("minor", "2.13.0.dev20260530+cu132", "2.13"),
        ("full", "0.0.0+unknown", None),
        ("full", "0.11.1+empty", None),
        ("full", "0.1.dev1+g0123abcd", None),
        ("full", "0.0.0", None),
        ("full", "2013b-x", None),
        ("full", "9" * 5000, None),
    ],
)
def test_facts_of_a_version(fact: str, version: str, value: str | None) -> None:
    assert shown(read(fact, f"a=={version}")) == value


@pytest.mark.parametrize(
    ("label", "commit"),
    [
        ("eaa9e4e", True),
        ("g0123456", True),
        ("cu128", False),
        ("20260530", False),
        ("git", False),
        ("deadbee", True),
        (None, False),
    ],
)
def test_a_label_that_is_a_commit(label: str | None, *, commit: bool) -> None:
    assert is_commit(label) is commit


@pytest.mark.parametrize(
    ("pin", "vendor", "cuda"),
    [
        ("a==1+cu128", "cuda", "12.8"),
        ("a==1+cu92", "cuda", "9.2"),
        ("a==1+pt23cu121", "cuda", "12.1"),
        ("a==1+cpu", "cpu", ""),
        ("a==1+pt23cpu", "cpu", ""),
        ("a==1+rocm6.4", "rocm", ""),
        ("a==1+xpu", "xpu", ""),
        ("nvidia-nccl-cu13==2", "cuda", None),
        ("cupy-cuda12x==14", "cuda", None),
        ("tensorrt-cu12-libs==10", "cuda", None),
        ("jax-cuda13-plugin==0.8", "cuda", None),
        ("triton-rocm==3", "rocm", ""),
        ("tensorflow-cpu==2", "cpu", ""),
        ("nvidia-cublas==13.1", "cuda", None),
        ("cuda-bindings==12.9.4", "cuda", "12.9"),
        ("torch==2.9.1", "cuda", "12.8"),
        ("torch==2.11.0", "cuda", "13.0"),
        ("torchvision==0.24.1", "cuda", "12.8"),
        ("torchvision==0.15.2", "cuda", "11.7"),
        ("torchaudio==2.0.2", "cuda", "11.7"),
        ("torch==2.99.0", None, None),
        ("torch==2.9.0.dev1", None, None),
        ("torch==2.9.1+something", None, None),
        ("vllm==0.21.0", "cuda", "13.0"),
        ("vllm==0.16.0", "cuda", "12.8"),
        ("a==1", None, None),
    ],
)
def test_what_a_distribution_was_built_for(pin: str, vendor: str | None, cuda: str | None) -> None:
    assert shown(read("vendor", pin)) == vendor
    assert shown(read("cuda.minor", pin)) == cuda
    if cuda:
        assert shown(read("cuda", pin)) == str(Version(cuda).major)


@pytest.mark.parametrize(
    ("pin", "platform", "vendor", "cuda"),
    [
        ("torch==2.9.1", "linux-aarch64", "cpu", ""),
        ("torch==2.11.0", "linux-aarch64", "cuda", "13"),
        ("torch==2.11.0", "macos-arm64", "none", ""),
        ("torchvision==0.26.0", "windows-x86_64", "cpu", ""),
        ("vllm==0.16.0", "linux-aarch64", None, None),
    ],
)
def test_an_unlabelled_wheel_is_another_build_on_another_platform(
    pin: str, platform: str, vendor: str | None, cuda: str | None
) -> None:
    assert shown(read("vendor", pin, platform)) == vendor
    assert shown(read("cuda", pin, platform)) == cuda


def test_a_wheel_that_came_from_elsewhere_is_in_no_table() -> None:
    built = distribution("torch==2.9.1", origin=Origin(kind=OriginKind.PATH, url="file:///x"))
    assert shown(read("cuda", built)) is None
    assert shown(read_fact("cuda", distribution("torch==2.9.1"))) is None


def test_what_it_requires_tells_the_cuda_of_its_libraries() -> None:
    assert shown(read("cuda.minor", distribution("a==1", requires=TOOLKIT))) == "13.0"
    assert shown(read("cuda.minor", distribution("a==1", requires=RUNTIME))) == "12.8"
    assert shown(read("cuda", distribution("a==1", requires=RUNTIME), "linux-aarch64")) is None
    both = ("nvidia-nccl-cu12", "nvidia-nccl-cu13")
    assert shown(read("cuda", distribution("a==1", requires=both))) is None
    assert shown(read("cuda", distribution("a==1", requires=("nvidia-nccl-cu12 ((",)))) is None
    assert shown(read("cuda", distribution("a==1", requires=None))) is None


def test_vllm_is_of_the_cuda_of_the_torch_that_it_pins() -> None:
    vllm = distribution("vllm==0.9.9", requires=("torch==2.6.0", "torchvision==0.21.0"))
    assert shown(read("cuda.minor", vllm)) == "12.4"
    assert shown(read("cuda", distribution("vllm==0.9.9", requires=None))) is None


def test_a_measured_file_tells_what_torch_was_built_for() -> None:
    torch = replace(distribution("torch==2.99.0"), measured=(("cuda", "14.1"),))
    assert shown(read("cuda", torch)) == "14"
    torch = replace(distribution("torch==2.9.1"), measured=(("vendor", "rocm"),))
    assert shown(read("vendor", torch)) == "rocm"


@pytest.mark.parametrize(
    ("record", "torch", "cuda", "vendor"),
    [
        (distribution("torch-sparse==0.6.18+pt23cu121"), "2.3", "12", "cuda"),
        (distribution("torch-sparse==0.6.18+pt112cpu"), "1.12", "", "cpu"),
        (distribution("torch-sparse==0.6.18+pt210cu128"), "2.10", "12", "cuda"),
        (distribution("nunchaku==1.0.0+torch2.8"), "2.8", None, None),
        (distribution("sageattention==2.2.0+cu128torch2.8.0"), "2.8", "12", "cuda"),
        (distribution("exllamav2==0.2.4+cu121.torch2.4.0"), "2.4", "12", "cuda"),
        (distribution("xformers==0.0.24+cu121"), None, "12", "cuda"),
        (distribution("flash-attn==2.8.3"), None, None, None),
        (
            distribution(
                "flash-attn==2.8.3",
                origin=Origin(
                    kind=OriginKind.ARCHIVE,
                    url="https://x.example/a/flash_attn-2.8.3%2Bcu12torch2.8cxx11abiTRUE-cp312.whl",
                ),
            ),
            "2.8",
            "12",
            "cuda",
        ),
        (
            replace(distribution("xformers==0.0.24"), measured=(("built.torch", "2.2.0+cu121"),)),
            "2.2",
            "12",
            "cuda",
        ),
        (
            replace(
                distribution("deepspeed==0.15.0"),
                measured=(("built.cuda", "12.1"), ("built.torch", "2.3")),
            ),
            "2.3",
            "12",
            "cuda",
        ),
        (replace(distribution("x==1"), measured=(("built.torch", "?"),)), None, None, None),
    ],
)
def test_against_what_an_extension_was_compiled(
    record: Distribution, torch: str | None, cuda: str | None, vendor: str | None
) -> None:
    assert shown(read("built.torch", record)) == torch
    assert shown(read("built.cuda", record)) == cuda
    assert shown(read("built.vendor", record)) == vendor


@pytest.mark.parametrize(
    ("pattern", "text", "matched"),
    [
        ("a", "a", True),
        ("a", "ab", False),
        ("a*", "a", True),
        ("a*c", "abc", True),
        ("a*c", "ac", True),
        ("a*c", "acb", False),
        ("a*b*c", "aXbYc", True),
        ("ab*ba", "aba", False),
        ("*+git*", "2.7+git1", True),
        ("a*" * 200 + "b", "a" * 400, False),
    ],
)
def test_a_pattern_matches_a_whole_text(pattern: str, text: str, *, matched: bool) -> None:
    assert matches(pattern, text) is matched
