"""uv is killed in the middle of an install, or envaudit, or both: there is a way back."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.kit.faults import Faulted
from tests.kit.staging import BACK, KILLED, Stage, contents
from tests.kit.watched_uv import (
    INTERRUPT,
    KILL_BOTH,
    KILL_ENVAUDIT,
    KILL_UV,
    TERMINATE,
    WatchedUv,
)
from tests.kit.wheels import Wheel, build_wheel

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it watches /proc")

POINTS = 60
FILES = 670
"""How many come and go while it is installed."""
Tell = Callable[[str, object], None]


def large(name: str, version: int) -> Wheel:
    """Return a wheel of many small files, of which half come and go with each version."""
    kept = {f"{name}/kept_{part}.py": f"x = {version}\n" for part in range(60)}
    own = {f"{name}/v{version}/part_{part}.py": f"x = {part}\n" for part in range(60)}
    data = {f"{name}-{version}.data/data/share/{name}/{part}.txt": str(version) for part in "abc"}
    script = {f"{name}-{version}.data/scripts/{name}.sh": f"#!/bin/sh\necho {version}\n"}
    init = {f"{name}/__init__.py": f"def main():\n    print({version})\n"}
    points = {f"{name}-run": f"{name}:main", f"{name}-{version}": f"{name}:main"}
    modules = {**init, **kept, **own, **data, **script}
    return Wheel(name, str(version), modules=modules, entry_points=points)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """Yield an environment with `left 1`, `right 1` and `other 1`, of which two can be upgraded."""
    with Stage(folder=tmp_path_factory.mktemp("stage")) as made:
        for name, versions in (
            ("left", (1, 2)),
            ("right", (1, 2)),
            ("other", (1,)),
            ("more", (1,)),
        ):
            for version in versions:
                build_wheel(large(name, version), made.wheels)
        made.furnish("left==1", "right==1", "other==1")
        yield made


@pytest.fixture(scope="module")
def uv(stage: Stage) -> WatchedUv:
    """Return the uv that is watched."""
    watched = WatchedUv(folder=stage.folder / "watched")
    watched.write(stage.environment)
    return watched


ASKED = ("left==2", "right==2", "more==1")


def interrupt(stage: Stage, uv: WatchedUv, at: int, signals: tuple[str, ...]) -> Faulted:
    """Let an install be met by ``signals`` when ``at`` files have come and gone."""
    stage.reset()
    uv.order((at, signals))
    return stage.apply(*ASKED, uv=str(uv.path))


def demand_back(stage: Stage, uv: WatchedUv, at: int, signals: tuple[str, ...]) -> int | None:
    """Interrupt an install, and demand that things are as before; return how far it came.

    ``None``: it was done before.
    """
    found = interrupt(stage, uv, at, signals)
    met = uv.met()
    if met is None:
        assert found.code == 0, found.said
        return None
    if signals == KILL_ENVAUDIT:
        assert found.code == KILLED
        restored = stage.run(*BACK)  # waits until uv, which nobody watches any more, is done
        assert restored.code == 0, restored.said
    elif signals == KILL_BOTH:
        assert found.code == KILLED
        assert stage.demand_whole_or_back(found, {}).startswith("interrupted")
    else:
        assert found.code == 5, found.said
        assert ("it was interrupted" in found.said) == (signals in {INTERRUPT, TERMINATE})
    differ = contents(stage.environment).items() ^ stage.before.items()
    assert not differ, (sorted(differ), found.said)
    assert not stage.is_interrupted()
    return met


@pytest.mark.parametrize(
    ("signals", "at"),
    [
        (KILL_BOTH, 400),
        (KILL_ENVAUDIT, 300),
        (INTERRUPT, 500),
    ],
)
def test_an_install_that_is_killed_is_undone(
    stage: Stage, uv: WatchedUv, at: int, signals: tuple[str, ...]
) -> None:
    demand_back(stage, uv, at, signals)


def test_a_way_back_that_is_killed_too_is_gone_again(stage: Stage, uv: WatchedUv) -> None:
    """Once uv alone, which envaudit sees, and once both."""
    stage.reset()
    uv.order((400, KILL_UV), (200, KILL_UV))
    undone = stage.apply(*ASKED, uv=str(uv.path))
    assert undone.code == 5, undone.said
    assert contents(stage.environment) == stage.before
    stage.reset()
    uv.order((400, INTERRUPT), (200, KILL_BOTH))
    killed = stage.apply(*ASKED, uv=str(uv.path))
    assert killed.code == KILLED
    assert stage.demand_whole_or_back(killed, {}).startswith("interrupted")


@pytest.mark.parametrize("signals", [KILL_UV, KILL_BOTH, KILL_ENVAUDIT, INTERRUPT, TERMINATE])
@pytest.mark.exhaustive
def test_killed_at_many_points(
    stage: Stage, uv: WatchedUv, signals: tuple[str, ...], record_property: Tell
) -> None:
    points: list[int] = []
    bad: list[str] = []
    for at in range(1, FILES, FILES // POINTS):
        try:
            met = demand_back(stage, uv, at, signals)
        except AssertionError as error:
            bad.append(f"{at}, {uv.met()}: {error}")
        else:
            points += () if met is None else (met,)
    record_property("points", points)
    assert not bad, f"{len(bad)}\n" + "\n\n".join(bad)
    assert len(points) >= POINTS * 5 // 6
