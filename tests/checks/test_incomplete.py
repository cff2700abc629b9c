"""The check ``distribution-incomplete``."""

from envaudit.model.distribution import Unreadable
from envaudit.model.finding import Clear
from tests.kit.builders import distribution, snapshot
from tests.kit.judging import judge, told


def test_what_cannot_be_read_is_an_error_and_the_rest_is_judged() -> None:
    folder = "lib/python3.11/site-packages/torn-1.dist-info"
    env = snapshot(
        distribution("vllm==0.16.0", requires=("torch",)),
        unreadable=(Unreadable(folder=folder, part="METADATA", reason="is not there"),),
    )

    assert told(judge(env)) == [
        f"error[distribution-incomplete] `METADATA` of `{folder}` is not there",
        "error[requirement-missing] `vllm 0.16.0` requires `torch`, which is not installed",
    ]


def test_what_blocks_uv_is_removed_and_not_reinstalled() -> None:
    site = "lib/python3.11/site-packages"
    folders = (f"{site}/a b-1.0.dist-info", f"{site}/foo-bar-1.0.dist-info")
    parts = tuple(
        Unreadable(folder=folder, part="METADATA", reason="is not there") for folder in folders
    )

    found = judge(snapshot("six==1", unreadable=parts))

    remedies = [item.remedies for item in found if item.code == "distribution-incomplete"]
    assert remedies == [(Clear(paths=(folder,)),) for folder in folders]
