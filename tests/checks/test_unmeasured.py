"""The check ``files-unmeasured``."""

from envaudit.model.files import Files
from tests.kit.builders import snapshot
from tests.kit.judging import judge, told

ENVIRONMENT = snapshot("six==1.16.0")


def test_a_record_of_an_environment_says_once_that_it_has_no_files() -> None:
    assert told(judge(ENVIRONMENT, files=None)) == [
        "info[files-unmeasured] files were not measured: this is a record or a projection"
    ]


def test_a_part_that_was_not_looked_at_is_said() -> None:
    files = Files(unmeasured=(("lib/python3.11/site-packages/x", "cannot be read"),))

    assert told(judge(ENVIRONMENT, files=files)) == [
        (
            "info[files-unmeasured] `lib/python3.11/site-packages/x` was not looked at: "
            "it cannot be read"
        )
    ]
