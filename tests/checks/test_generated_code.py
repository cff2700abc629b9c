"""The check ``generated-code-newer``."""

import pytest

from envaudit.model.files import Files, Generated
from envaudit.model.finding import Place
from tests.kit.builders import snapshot
from tests.kit.judging import judge, told

SITE = "lib/python3.11/site-packages"


def files(version: str) -> Files:
    return Files(
        generated=(
            Generated(
                folder=f"{SITE}/reflection-1.dist-info",
                runtime="protobuf",
                version=version,
                path=f"{SITE}/reflection_pb2.py",
            ),
        )
    )


def test_newer_code_is_an_error_and_raises_the_runtime_inside_its_major_version() -> None:
    finding = judge(snapshot("reflection==1", "protobuf==5.27.5"), files=files("5.29.0"))[0]

    assert told((finding,)) == [
        (
            "error[generated-code-newer] `reflection 1` has code that protobuf 5.29.0 generated, "
            "and 5.27.5 is installed"
        )
    ]
    assert finding.remedies == (Place(name="protobuf", specifier=">=5.29.0,<6", up=True),)


@pytest.mark.parametrize("pins", [("protobuf==5.29.0",), ("protobuf==6.1",), ()])
def test_a_runtime_that_is_new_enough_or_not_there_is_quiet(pins: tuple[str, ...]) -> None:
    assert told(judge(snapshot("reflection==1", *pins), files=files("5.29.0"))) == []
