"""How fast envaudit is, as ratios to pip and uv on the same environment and in the same run.

Writes the 178 distributions of ``snapshots/vllm-0.16.0.json``, and 2,000 made up ones, out as
virtual environments (300 files and RECORD rows a distribution), and runs every command in turn, so
that a machine that is busy for a while is busy for all. Starts with everything byte-compiled and in
the file cache. See ``README.md`` beside this file.
"""

import argparse
import compileall
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from uv import find_uv_bin  # noqa: E402 - the checkout is on the path by now

from envaudit.model.snapshot import Snapshot  # noqa: E402
from envaudit.readers.store import read_snapshot  # noqa: E402
from tests.kit.written import write_environment  # noqa: E402

ENVAUDIT = (sys.executable, "-m", "envaudit")
MODULES = 297
"""With METADATA, WHEEL and RECORD, 300 files a distribution."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio:
    """One promise: how long something takes, in units of something else."""

    what: str
    than: str
    limit: float


RATIOS = (
    Ratio(what="check", than="pip check", limit=0.8),
    Ratio(what="snapshot", than="pip inspect", limit=0.5),
    Ratio(what="diff of two snapshots", than="check", limit=1.0),
)


def stretch(snapshot: Snapshot, count: int) -> Snapshot:
    """Return a snapshot of ``count`` distributions: copies, each requiring its own generation."""
    originals = snapshot.distributions
    names = {record.name for record in originals}
    copies = []
    for number in range(count):
        record = originals[number % len(originals)]
        suffix = f"-x{number // len(originals)}"
        requires = tuple(
            line.replace(name, f"{name}{suffix}", 1) if name in names else line
            for line in record.requires or ()
            for name in [line.partition(";")[0].strip("()<>=!~ ,.0123456789")]
        )
        name = f"{record.name}{suffix}"
        folder = record.folder.replace(f"/{record.folder.rpartition('/')[2]}", "")
        copies.append(
            replace(
                record,
                name=name,
                spelling=name,
                requires=requires,
                folder=f"{folder}/{name.replace('-', '_')}-{record.version}.dist-info",
            )
        )
    return replace(snapshot, distributions=tuple(sorted(copies, key=lambda item: item.name)))


def commands(environment: Path, before: Path, after: Path) -> Mapping[str, Sequence[str]]:
    """Return what is measured, by name."""
    python = str(environment / "bin" / "python")
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    kept = str(environment.parent / "kept.json")
    return {
        "check": (*ENVAUDIT, "check", "-p", str(environment)),
        "snapshot": (*ENVAUDIT, "snapshot", "-p", str(environment), "--to", kept),
        "diff of two snapshots": (*ENVAUDIT, "diff", str(before), str(after)),
        "pip check": (*pip, "check"),
        "pip inspect": (*pip, "inspect"),
        "uv pip check": (find_uv_bin(), "pip", "check", "--python", python),
        "a bare python": (sys.executable, "-c", "pass"),
    }


def measure(todo: Mapping[str, Sequence[str]], rounds: int) -> Mapping[str, float]:
    """Return the median of each, in milliseconds, of ``rounds`` interleaved runs."""
    times: dict[str, list[float]] = {name: [] for name in todo}
    for number in range(rounds + 1):
        for name, command in todo.items():
            start = time.perf_counter()
            subprocess.run(command, cwd=ROOT, capture_output=True, check=False)  # noqa: S603 - our own
            if number:  # the first round fills the caches
                times[name].append((time.perf_counter() - start) * 1000)
    return {name: statistics.median(found) for name, found in times.items()}


def main() -> None:
    """Measure, and print tables in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=9, help="how often each is run")
    parser.add_argument("--modules", type=int, default=MODULES, help="modules a distribution")
    rounds = parser.parse_args().rounds
    modules = parser.parse_args().modules
    compileall.compile_dir(ROOT / "envaudit", quiet=1)
    before, after = (ROOT / "snapshots" / f"vllm-0.{minor}.0.json" for minor in (16, 17))
    real = read_snapshot(before)
    with tempfile.TemporaryDirectory(prefix="envaudit-benchmark-") as scratch:
        found = {}
        for name, snapshot in (("real", real), ("2,000", stretch(real, 2000))):
            environment = write_environment(snapshot, Path(scratch) / name, modules=modules)
            found[name] = measure(commands(environment, before, after), rounds)
    report(found, len(real.distributions))


def report(found: Mapping[str, Mapping[str, float]], count: int) -> None:
    """Print the medians, the ratios that are promised, and how the cost grows."""
    real, large = found["real"], found["2,000"]
    print(f"| milliseconds | {count} distributions | 2,000 |\n| --- | ---: | ---: |")
    for name in real:
        print(f"| {name} | {real[name]:.0f} | {large[name]:.0f} |")
    print(f"\n| ratio | promised | {count} | 2,000 |\n| --- | ---: | ---: | ---: |")
    for ratio in RATIOS:
        small, big = real[ratio.what] / real[ratio.than], large[ratio.what] / large[ratio.than]
        print(f"| {ratio.what} / {ratio.than} | {ratio.limit} | {small:.2f} | {big:.2f} |")
    print("\n| growth of the time above the start | distributions | time |\n| --- | ---: | ---: |")
    for name in ("check", "snapshot"):
        start = real["a bare python"]
        growth = (large[name] - start) / (real[name] - start)
        print(f"| {name} | {2000 / count:.1f} | {growth:.1f} |")


if __name__ == "__main__":
    main()
