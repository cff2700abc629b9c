"""Programs run in turn, and what a run of each costs: medians, never a single run."""

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A command line, and what it answers when all is well."""

    command: tuple[str, ...]
    codes: frozenset[int] = frozenset({0})
    folder: Path
    variables: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Seconds: by the clock, and of processors (user and system, children included)."""

    wall: float
    processor: float

    def __add__(self, other: "Cost") -> "Cost":
        """Return what both cost, one after the other."""
        return Cost(wall=self.wall + other.wall, processor=self.processor + other.processor)

    def __sub__(self, other: "Cost") -> "Cost":
        """Return what this costs beyond ``other``."""
        return self + other.times(-1)

    def times(self, factor: float) -> "Cost":
        """Return the cost of ``factor`` such runs."""
        return Cost(wall=self.wall * factor, processor=self.processor * factor)


@dataclass(slots=True)
class Clock:
    """Measures programs in turn, so that what else the machine does falls on all of them."""

    costs: dict[str, list[Cost]] = field(default_factory=dict)

    def run(self, programs: Mapping[str, Program], rounds: int) -> None:
        """Run all programs once unmeasured (files read, byte code written), then ``rounds`` times.

        Raises:
            RuntimeError: one has failed, and its time would be that of a failure.
        """
        for program in programs.values():
            _run(program)
        for _ in range(rounds):
            for name, program in programs.items():
                self.costs.setdefault(name, []).append(_run(program))

    def median(self, name: str) -> Cost:
        """Return the medians of ``name``."""
        costs = self.costs[name]
        return Cost(
            wall=statistics.median(cost.wall for cost in costs),
            processor=statistics.median(cost.processor for cost in costs),
        )

    def spread(self, name: str) -> float:
        """Return how far the middle half of the runs of ``name`` lies apart, in medians."""
        first, middle, third = statistics.quantiles(
            [cost.processor for cost in self.costs[name]], n=4, method="inclusive"
        )
        return (third - first) / middle

    def noise(self) -> tuple[float, float]:
        """Return the median and the greatest ``spread`` of all programs."""
        spreads: Sequence[float] = [self.spread(name) for name in self.costs]
        return statistics.median(spreads), max(spreads)


def _run(program: Program) -> Cost:
    with tempfile.TemporaryFile() as said:
        begun = time.perf_counter()
        started = subprocess.Popen(
            program.command,
            cwd=program.folder,
            env=dict(program.variables),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
        )
        _, status, usage = os.wait4(started.pid, 0)
        wall = time.perf_counter() - begun
        started.returncode = os.waitstatus_to_exitcode(status)
        if started.returncode not in program.codes:
            said.seek(0)
            words = said.read().decode("utf-8", "replace")
            raise RuntimeError(f"exit {started.returncode} of {program.command}: {words}")
    return Cost(wall=wall, processor=usage.ru_utime + usage.ru_stime)
