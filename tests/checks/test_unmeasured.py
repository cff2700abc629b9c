"""The check ``files-unmeasured``."""

from envaudit.model.files import Files
from tests.kit.builders import snapshot
from tests.kit.judging import judge, told

ENVIRONMENT = snapshot("six==1.16.0")


def test_what_was_not_looked_at_is_said() -> None:
    files = Files(unmeasured=(("vllm-0.17.0", "is a record, which holds none"),))

    assert told(judge(ENVIRONMENT, files=files)) == [
        (
            "info[files-unmeasured] files were not looked at: `vllm-0.17.0` is a record, "
            "which holds none"
        )
    ]


def test_nothing_is_said_where_all_was_looked_at_or_nobody_asked() -> None:
    assert told(judge(ENVIRONMENT, files=Files())) == []
    assert told(judge(ENVIRONMENT)) == []
