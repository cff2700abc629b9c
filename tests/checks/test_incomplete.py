"""The check ``distribution-incomplete``."""

from envaudit.model.distribution import Unreadable
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
