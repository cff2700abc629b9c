"""The rule kind ``compare``, on what the world really installs."""

import pytest

from tests.kit.builders import snapshot
from tests.kit.judging import judge, rule, told

FULL = rule('compare = "full(python-part) == full(companion)"\nskip = ["0.0.0+unknown"]')
PUBLIC = rule('compare = "python-part == companion"\nskip = ["0.0.0+unknown"]')


def test_equal_versions_say_nothing() -> None:
    assert told(judge(snapshot("python-part==0.6.4", "companion==0.6.4"), FULL)) == []


def test_an_absent_companion_is_no_violation() -> None:
    assert told(judge(snapshot("python-part==0.6.4"), FULL)) == []


@pytest.mark.parametrize(
    ("python_part", "companion"),
    [("0.6.4", "0.6.3"), ("0.6.8", "0.6.8.post1"), ("0.6.16", "0.6.16+cu130")],
)
def test_full_versions_that_differ_are_an_error(python_part: str, companion: str) -> None:
    found = judge(snapshot(f"python-part=={python_part}", f"companion=={companion}"), FULL)

    assert told(found) == [
        f"error[compare] `python-part {python_part}` does not match `companion {companion}`"
    ]


def test_public_versions_leave_the_local_label_out() -> None:
    assert told(judge(snapshot("python-part==0.6.16", "companion==0.6.16+cu130"), PUBLIC)) == []


def test_public_versions_keep_the_post_release() -> None:
    found = judge(snapshot("python-part==0.6.16", "companion==0.6.16.post1+cu130"), PUBLIC)

    assert [item.severity.value for item in found] == ["error"]


@pytest.mark.parametrize("version", ["0.0.0+unknown", "not a version"])
def test_what_cannot_be_known_is_said_and_is_no_error(version: str) -> None:
    found = judge(snapshot(f"python-part=={version}", "companion==0.6.16"), PUBLIC)

    assert [item.severity.value for item in found] == ["info"]
    assert "cannot be compared" in found[0].message
