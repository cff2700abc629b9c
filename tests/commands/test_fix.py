"""``fix`` as a function, with real uv on a written environment and local wheels."""

from pathlib import Path

import pytest

from envaudit.commands import fix
from envaudit.commands.judging import Bench
from envaudit.exits import Exit
from envaudit.model.plan import Direction
from tests.kit.commands import surroundings
from tests.kit.wheels import Wheel, build_wheel


@pytest.fixture
def flags(index: Path) -> tuple[str, ...]:
    """Return flags for uv that let it see both releases."""
    for version in ("0.6.3", "0.6.4"):
        build_wheel(Wheel("flashinfer-python", version), index)
        build_wheel(Wheel("flashinfer-cubin", version), index)
    return ("--no-index", "--find-links", str(index))


def test_nothing_to_fix_is_said(before: Path) -> None:
    report = fix.run(surroundings(before), Bench())

    assert (report.exit, report.lines) == (Exit.PASS, ("nothing to fix",))


def test_the_companion_is_brought_along(after: Path, flags: tuple[str, ...]) -> None:
    report = fix.run(surroundings(after), Bench(), flags=flags)

    assert report.exit is Exit.PASS
    assert report.plan is not None
    assert report.plan.direction is Direction.FORWARD
    assert report.plan.commands[0][-1] == "flashinfer-cubin==0.6.4"


def test_where_no_wheel_is_offered_the_way_without_the_companion_is_left(
    after: Path, index: Path
) -> None:
    report = fix.run(surroundings(after), Bench(), flags=("--no-index", "--find-links", str(index)))

    assert report.plan is not None
    assert report.plan.direction is Direction.REMOVE
    assert {item.candidate.direction for item in report.rejected} == {
        Direction.FORWARD,
        Direction.BACK,
    }
