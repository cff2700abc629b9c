"""How fast envaudit is, as ratios to what one would run instead: ``python benchmarks/run.py``.

Needs what the tests need, and no package index. See README.md beside this file.
"""

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

import pip
from uv import find_uv_bin

from benchmarks.ground import AFTER, REAL, find_pip, write_real, write_synthetic, write_wheel
from benchmarks.timing import Clock, Cost, Program
from tests.kit.commands import COMMAND
from tests.kit.environments import hermetic_variables

MANY = 2000
FEW = 178
"""As many as the committed environment has."""
SMALL = 10
"""Modules of each distribution of the synthetic environments: of 300 it would be 1.2 million
files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One promise about speed."""

    what: str
    one: Cost
    other: Cost
    target: float

    def __str__(self) -> str:
        """Return the row as Markdown."""
        wall = self.one.wall / self.other.wall
        processor = self.one.processor / self.other.processor
        met = "yes" if processor <= self.target else "no"
        return f"| {self.what} | {wall:.2f} | {processor:.2f} | {self.target:.2f} | {met} |"


class Bench:
    """The programs, all with the same variables and in the same empty folder."""

    def __init__(self, scratch: Path) -> None:
        """Make an empty folder in ``scratch``."""
        self._folder = scratch / "folder"
        self._folder.mkdir()
        self._pip = find_pip()
        self._variables = hermetic_variables(scratch / "home") | {
            "PIP_CONFIG_FILE": "/dev/null",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PYTHONDONTWRITEBYTECODE": "",  # the unmeasured run is what compiles everything
        }

    def envaudit(self, *words: str | Path) -> Program:
        """Return a run of envaudit; findings and drift are answers."""
        return self._program((*COMMAND, *words), {0, 1, 4})

    def pip(self, environment: Path, *words: str) -> Program:
        """Return a run of pip by the environment's interpreter, as its own pip would run.

        ``pip --python`` starts pip twice, which would flatter envaudit.
        """
        return self._program((environment / "bin" / "python", self._pip, *words), {0, 1})

    def uv(self, *words: str | Path) -> Program:
        """Return a run of uv."""
        return self._program((find_uv_bin(), *words), {0})

    def _program(self, words: tuple[str | Path, ...], codes: set[int]) -> Program:
        return Program(
            command=tuple(map(str, words)),
            codes=frozenset(codes),
            folder=self._folder,
            variables=self._variables,
        )


def _programs(bench: Bench, environment: Path, place: Path) -> Mapping[str, Program]:
    """Return what is run on any environment; snapshots go to ``place``."""
    return {
        "check": bench.envaudit("check", environment),
        "pip check": bench.pip(environment, "check"),
        "snapshot": bench.envaudit("snapshot", "-p", environment, "--to", place / "now.json"),
        "pip inspect": bench.pip(environment, "inspect"),
    }


def measure_real(bench: Bench, scratch: Path, modules: int, rounds: int) -> Iterator[Row]:
    """Measure on the committed environment."""
    environment = write_real(scratch / "real", modules)
    wheels = write_wheel(scratch / "wheels")
    install = ("pip", "install", "--python", environment, "--no-index", "--find-links", wheels)
    clock = Clock()
    clock.run(
        {
            **_programs(bench, environment, scratch),
            "diff": bench.envaudit("diff", REAL, AFTER),
            "no pack": bench.envaudit("check", "--no-builtin-policies", environment),
            "gate": bench.envaudit("gate", "--", find_uv_bin(), *install, "sample-added"),
            "dry run": bench.uv(*install, "--dry-run", "sample-added"),
        },
        rounds,
    )
    check = clock.median("check")
    yield from _common(clock, f"{FEW}")
    yield Row(
        what="`diff` of two snapshots / `check`", one=clock.median("diff"), other=check, target=1
    )
    yield Row(
        what="pack load and judging (`check` less `check --no-builtin-policies`) / `check`",
        one=check - clock.median("no pack"),
        other=check,
        target=1 / 3,
    )
    yield Row(
        what="`gate` / (`uv pip install --dry-run` + 1.5 `check`)",
        one=clock.median("gate"),
        other=clock.median("dry run") + check.times(1.5),
        target=1,
    )
    _tell_noise(clock, f"{FEW} distributions of {modules} modules")


def measure_many(bench: Bench, scratch: Path, rounds: int) -> Iterator[Row]:
    """Measure on many distributions, and what one of many costs against one of few."""
    many = write_synthetic(scratch / "many", MANY, SMALL)
    few = write_synthetic(scratch / "few", FEW, SMALL)
    none = write_synthetic(scratch / "none", 0, SMALL)
    clock = Clock()
    clock.run(
        {
            **_programs(bench, many, scratch),
            "few": bench.envaudit("check", few),
            "none": bench.envaudit("check", none),
        },
        rounds,
    )
    yield from _common(clock, f"{MANY:,}")
    yield Row(
        what=f"`check` a distribution, start left out: {MANY:,} / {FEW}",
        one=(clock.median("check") - clock.median("none")).times(1 / MANY),
        other=(clock.median("few") - clock.median("none")).times(1 / FEW),
        target=1.2,
    )
    _tell_noise(clock, f"{MANY:,} distributions of {SMALL} modules")


def _common(clock: Clock, count: str) -> Iterator[Row]:
    for one, other, target in (("check", "pip check", 0.8), ("snapshot", "pip inspect", 0.5)):
        yield Row(
            what=f"`{one}` / `{other}`, {count} distributions",
            one=clock.median(one),
            other=clock.median(other),
            target=target,
        )


def _tell_noise(clock: Clock, where: str) -> None:
    usual, worst = clock.noise()
    print(
        f"noise, {where}: the middle half of a program's runs lies within {usual:.0%} "
        f"of its median, the worst within {worst:.0%}",
        file=sys.stderr,
    )


def main() -> None:
    """Measure everything that was asked for, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="measured runs of each program")
    parser.add_argument("--modules", type=int, default=297, help="modules of each distribution")
    parser.add_argument("--only", choices=("real", "many"), help="one environment alone")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="envaudit-benchmark-") as folder:
        scratch = Path(folder)
        bench = Bench(scratch)
        print(
            f"Python {platform.python_version()}, pip {pip.__version__}, {os.cpu_count()} cores, "
            f"load {os.getloadavg()[0]:.1f}",
            file=sys.stderr,
        )
        print("| what | clock | processor | at most | met |")
        print("| --- | --- | --- | --- | --- |")
        if asked.only != "many":
            for row in measure_real(bench, scratch, asked.modules, asked.rounds):
                print(row, flush=True)
        if asked.only != "real":
            for row in measure_many(bench, scratch, max(2, asked.rounds // 2)):
                print(row, flush=True)


if __name__ == "__main__":
    main()
