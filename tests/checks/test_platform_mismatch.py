"""The check ``platform-mismatch``, and which tags an interpreter accepts."""

import pytest

from envaudit.checks.platform_mismatch import accepts
from tests.kit.builders import distribution, interpreter, snapshot
from tests.kit.judging import judge, told


@pytest.mark.parametrize(
    "tag",
    [
        "py3-none-any",
        "py2-none-any",
        "py311-none-any",
        "py3-none-manylinux2014_x86_64",
        "cp311-cp311-manylinux_2_28_x86_64",
        "cp311-cp311-musllinux_1_2_x86_64",
        "cp38-abi3-manylinux_2_17_x86_64",
        "cp311-none-any",
        "cp39-none-linux_x86_64",
        "py2.py3-none-any",
        "cp310.cp311-cp310.cp311-manylinux_2_17_x86_64.manylinux2014_x86_64",
        "cp39-abi3-manylinux_2_17_x86_64.musllinux_1_1_x86_64",
        "no tag at all",
        f"{'.'.join(['a'] * 20_000)}-{'.'.join(['b'] * 20_000)}-any",
    ],
)
def test_these_are_accepted(tag: str) -> None:
    assert accepts(interpreter(), tag)


@pytest.mark.parametrize(
    "tag",
    [
        "cp310-cp310-manylinux_2_28_x86_64",
        "cp312-cp312-manylinux_2_28_x86_64",
        "cp312-abi3-manylinux_2_28_x86_64",
        "cp311-cp311t-manylinux_2_28_x86_64",
        "cp311-cp311-manylinux_2_28_aarch64",
        "cp311-cp311-win_amd64",
        "cp311-cp311-macosx_11_0_arm64",
        "pp39-pypy39_pp73-manylinux_2_28_x86_64",
        "py312-none-any",
        "cp39.cp310-cp39.cp310-linux_x86_64",
        "cp311-cp311-win32.win_amd64",
        f"py3{'9' * 6000}-none-any",
        f"cp3{'9' * 6000}-abi3-any",
        "py3²-none-any",
        "cp3²-abi3-linux_x86_64",
    ],
)
def test_these_are_not(tag: str) -> None:
    assert not accepts(interpreter(), tag)


def test_one_tag_that_is_accepted_is_enough() -> None:
    tags = ("cp310-cp310-linux_x86_64", "cp311-cp311-linux_x86_64")

    assert told(judge(snapshot(distribution("w==1", tags=tags)))) == []


def test_a_foreign_wheel_is_an_error_and_one_without_tags_an_info() -> None:
    env = snapshot(
        distribution("w==1", tags=("cp310-cp310-win_amd64",)), distribution("x==1", tags=())
    )

    assert told(judge(env)) == [
        (
            "error[platform-mismatch] `w 1` is a wheel for cp310-cp310-win_amd64, and this is "
            "cp311-cp311-linux_x86_64"
        ),
        "info[platform-mismatch] `x 1` does not say for what its wheel was made",
    ]
