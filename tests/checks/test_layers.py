"""Distributions that are made to lie over each other: only the wrong one on disk is wrong."""

from collections.abc import Sequence

import pytest

from envaudit.model.distribution import Distribution
from envaudit.model.files import Claim, Contested, Files, Manifest, ManifestState
from envaudit.model.finding import Finding, Reinstall, Severity
from tests.kit.builders import distribution, snapshot
from tests.kit.judging import judge

BASE = distribution("nvidia-cutlass-dsl-libs-base==4.5.0")
TOP = distribution(
    "nvidia-cutlass-dsl-libs-cu13==4.5.0", requires=("nvidia-cutlass-dsl-libs-base==4.5.0",)
)
NIXL = distribution("nixl==1.1.0", requires=("nixl-cu12==1.1.0", "nixl-cu13==1.1.0"))
TWINS = (distribution("nixl-cu12==1.1.0"), distribution("nixl-cu13==1.1.0"))
MLX = distribution("mlx==0.26.5", requires=("mlx-metal==0.26.5",))
METAL = distribution("mlx-metal==0.26.5")


def overlap(
    lying: Sequence[Distribution], *others: Distribution | str, stands: Sequence[int | None]
) -> Finding | None:
    """Judge ``lying``, of whose contested paths each is on disk as the one at an index wrote it."""
    taken = snapshot(*lying, *others)
    folders = [taken.by_name()[record.name][0].folder for record in lying]
    contested = tuple(
        Contested(
            path=f"lib/python3.11/site-packages/one/{number}.py",
            claims=tuple(
                Claim(
                    folder=folder,
                    digest=f"sha256={at}",
                    stands=None if stand is None else stand == at,
                )
                for at, folder in enumerate(folders)
            ),
        )
        for number, stand in enumerate(stands)
    )
    manifests = tuple(
        Manifest(folder=folder, state=ManifestState.READ, fault_count=0) for folder in folders
    )
    findings = judge(taken, files=Files(manifests=manifests, contested=contested))
    return next((one for one in findings if one.code == "files-overlap"), None)


@pytest.mark.parametrize(
    ("lying", "others"),
    [
        ((BASE, TOP), ()),
        ((METAL, MLX), ()),
        (TWINS, (NIXL, "torch==2.11.0+cu130")),
        (tuple(reversed(TWINS)), (NIXL, "torch==2.10.0+cu128")),
    ],
)
def test_the_upper_one_on_disk_is_no_fault_and_another_one_is(
    lying: tuple[Distribution, ...], others: tuple[Distribution | str, ...]
) -> None:
    upper = lying[1]
    assert overlap(lying, *others, stands=(1, 1)) is None
    for wrong in ((0, 0), (0, 1), (1, 0)):
        finding = overlap(lying, *others, stands=wrong)
        assert finding is not None
        assert finding.severity is Severity.ERROR
        assert finding.remedies == (Reinstall(name=upper.name, version=upper.version),)
        assert f"must be of `{upper.label}`" in finding.message


@pytest.mark.parametrize(
    ("lying", "others", "stands"),
    [
        (TWINS, (NIXL,), (0,)),
        (TWINS, (NIXL, "torch==2.11.0+cpu"), (0,)),
        ((BASE, TOP), (), (None,)),
    ],
)
def test_what_cannot_be_known_is_an_info(
    lying: tuple[Distribution, ...],
    others: tuple[Distribution | str, ...],
    stands: tuple[int | None, ...],
) -> None:
    finding = overlap(lying, *others, stands=stands)
    assert finding is not None
    assert (finding.severity, finding.remedies) == (Severity.INFO, ())


@pytest.mark.parametrize(
    "lying",
    [
        TWINS,
        (distribution("b==1"), distribution("a==1", requires=("b",))),
        (distribution("a-b==1"), distribution("a-c==1")),
    ],
)
def test_strangers_stay_rivals(lying: tuple[Distribution, ...]) -> None:
    finding = overlap(lying, stands=(1,))
    assert finding is not None
    assert finding.severity is Severity.ERROR
    assert len(finding.remedies) == 2
