"""Killed, or failing, at every file operation: a change is whole, or it can be undone."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.e2e.test_apply import module
from tests.kit.environments import find_site
from tests.kit.faults import Faulted
from tests.kit.staging import BACK, Stage, contents
from tests.kit.wheels import Wheel, build_wheel

KINDS = ("ENOSPC", "EIO", "short", "kill before", "kill after")
HOLDS = ("left==2", "more")
CLASHES = (*HOLDS, "clash")
STEALS = (*HOLDS, "thief")
Run = Callable[[str, int], Faulted]
Tell = Callable[[str, object], None]


def furnish(folder: Path) -> Stage:
    """Make an environment with `left 1` and `other 1`, of which there is a 2, and more."""
    made = Stage(folder=folder)
    for name, version in (("left", "1"), ("left", "2"), ("other", "1"), ("more", "1")):
        build_wheel(module(name, version), made.wheels)
    # uv cannot put this one where `other` has a file, and that one overwrites it
    build_wheel(Wheel("clash", "1", modules={"other/__init__.py/inner.py": ""}), made.wheels)
    build_wheel(Wheel("thief", "1", modules={"other/__init__.py": "stolen = True"}), made.wheels)
    made.furnish("left==1", "other==1")
    return made


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """Yield an environment that is whole."""
    with furnish(tmp_path_factory.mktemp("stage")) as made:
        yield made


@pytest.fixture(scope="module")
def torn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """Yield one in the middle of a change: half a record, a stray, and a file overwritten."""
    with furnish(tmp_path_factory.mktemp("torn")) as made:
        assert made.apply(*HOLDS).code == 0
        (ended,) = made.state.glob("*/change-*Z.json")
        ended.rename(ended.with_suffix(".begun.json"))
        site = find_site(made.environment)
        for file in ("RECORD", "METADATA"):
            (site / "left-2.dist-info" / file).unlink()
        (site / "stray").mkdir()
        (site / "stray" / "__init__.py").write_text("")
        (site / "other" / "__init__.py").write_text("overwritten = True\n")
        made.keep()
        yield made


def run_apply(stage: Stage, *asked: str) -> Run:
    def run(kind: str, at: int) -> Faulted:
        return stage.apply(*asked, kind=kind, at=at)

    return run


def meet_faults(stage: Stage, kind: str, run: Run, each: int = 1) -> Counter[str]:
    """Plant a fault of ``kind`` at every ``each``th operation, and return how often what came."""
    stage.reset()
    smooth = run("none", 0)
    assert smooth.code in {0, 5}, smooth.said
    new = contents(stage.environment)
    ends: Counter[str] = Counter()
    bad: list[str] = []
    for at in count(each, each):
        if kind == "short" and smooth.operations[at - 1 : at] not in {("write",), ()}:
            continue  # nothing else can be short
        stage.reset()
        found = run(kind, at)
        if not found.met(at):
            break
        try:
            ends[f"{found.code}: {stage.demand_whole_or_back(found, new)}"] += 1
        except AssertionError as error:
            bad.append(f"{at}, {found.operations[at - 1]}: {error}\n{found.said}")
    assert not bad, f"{len(bad)} of {at - 1}\n" + "\n\n".join(bad)
    return ends


@pytest.mark.parametrize("kind", ["EIO", "kill before"])
def test_some_faults_of_a_change(stage: Stage, kind: str) -> None:
    assert meet_faults(stage, kind, run_apply(stage, *HOLDS), each=60).total() == 2


def test_some_faults_of_a_way_back(torn: Stage) -> None:
    ends = meet_faults(torn, "kill after", lambda kind, at: torn.run(*BACK, kind=kind, at=at), 160)
    assert ends.total() == 2


@pytest.mark.parametrize("asked", [HOLDS, CLASHES, STEALS], ids=["holds", "clashes", "steals"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.exhaustive
def test_every_fault_of_a_change(
    stage: Stage, kind: str, asked: tuple[str, ...], record_property: Tell
) -> None:
    ends = meet_faults(stage, kind, run_apply(stage, *asked))
    record_property("ends", dict(ends))
    assert ends


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.exhaustive
def test_every_fault_of_a_way_back(torn: Stage, kind: str, record_property: Tell) -> None:
    ends = meet_faults(torn, kind, lambda kind, at: torn.run(*BACK, kind=kind, at=at))
    record_property("ends", dict(ends))
    assert ends
