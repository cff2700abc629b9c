"""What a killed install or upgrade leaves, file by file: every damage is named, each time.

uv makes the modules of a wheel, then its record; an upgrade first removes all that is old. A kill
can come after any one of these steps, and ``uv pip check`` and a second install see nothing wrong.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from envaudit.commands import snapshot as record
from tests.kit.commands import surroundings
from tests.kit.environments import find_site, install, make_environment
from tests.kit.repairing import loud
from tests.kit.wheels import Wheel, build_wheel


def wheel(name: str, version: str, *requires: str) -> Wheel:
    package = name.replace("-", "_")
    modules = {f"{package}/part{number}.py": f"V = '{version}'\n" for number in range(4)}
    modules |= {f"{package}/__init__.py": "", f"{package}/deep/__init__.py": ""}
    return Wheel(name, version, modules=modules, requires=requires)


@pytest.fixture
def before(environment: Path, index: Path) -> Path:
    """Return an environment that works; the folder of wheels holds what is installed next."""
    for name, version, *requires in (
        ("alone", "1.0"),
        ("alone", "2.0"),
        ("numpy", "1.0"),
        ("pandas", "1.0", "numpy"),
    ):
        build_wheel(wheel(name, version, *requires), index)
    install(environment, "alone==1.0", index=index)
    return environment


def baseline_of(environment: Path, folder: Path) -> Path:
    path = folder / "baseline.json"
    record.run(surroundings(environment), to=str(path))
    return path


def steps(site: Path, name: str) -> list[Path]:
    """Return the files of a distribution in the order in which uv makes them: its record last."""
    package = name.replace("-", "_")
    modules = sorted(path for path in (site / package).rglob("*") if path.is_file())
    (records,) = site.glob(f"{package}-*.dist-info")
    last = {"METADATA": 0, "WHEEL": 1, "RECORD": 9}
    return [*modules, *sorted(records.iterdir(), key=lambda path: last.get(path.name, 5))]


def copies(environment: Path, folder: Path) -> Iterator[Path]:
    """Yield one fresh copy of an environment after another."""
    number = 0
    while True:
        number += 1
        copy = folder / f"copy{number}"
        shutil.copytree(environment, copy, symlinks=True)
        yield copy


def test_an_install_killed_after_any_file_is_named(
    before: Path, index: Path, tmp_path: Path
) -> None:
    baseline = baseline_of(before, tmp_path)
    after = make_environment(tmp_path / "after")
    install(after, "alone==1.0", "pandas", index=index)
    order = [*steps(find_site(after), "pandas"), *steps(find_site(after), "numpy")]
    fresh = copies(before, tmp_path)
    for done in range(1, len(order)):
        killed = next(fresh)
        for path in order[:done]:
            target = killed / path.relative_to(after)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)

        assert quiet(loud(killed, baseline=baseline)), f"after {done} of {len(order)} files"
        assert quiet(loud(killed)), f"after {done} of {len(order)} files, without a baseline"


def test_an_upgrade_killed_after_any_file_is_named(
    before: Path, index: Path, tmp_path: Path
) -> None:
    baseline = baseline_of(before, tmp_path)
    after = make_environment(tmp_path / "after")
    install(after, "alone==2.0", index=index)
    old, new = steps(find_site(before), "alone"), steps(find_site(after), "alone")
    fresh = copies(before, tmp_path)
    for done in range(1, len(old) + len(new)):
        killed = next(fresh)
        for path in old[:done]:
            (killed / path.relative_to(before)).unlink()
        if done >= len(old):
            shutil.rmtree(find_site(killed) / "alone")
            (records,) = find_site(killed).glob("*.dist-info")
            records.rmdir()
        for path in new[: max(0, done - len(old))]:
            target = killed / path.relative_to(after)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)

        assert quiet(loud(killed, baseline=baseline)), f"after {done} steps"


def quiet(found: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Leave out what a copy of an environment is for being one."""
    return {key: names for key, names in found.items() if "environment-moved" not in key}


def test_neither_the_old_nor_the_new_one_is_damaged(
    before: Path, index: Path, tmp_path: Path
) -> None:
    baseline = baseline_of(before, tmp_path)
    assert loud(before, baseline=baseline) == {}

    install(before, "alone==2.0", "pandas", index=index)

    assert loud(before, baseline=baseline) == {}
