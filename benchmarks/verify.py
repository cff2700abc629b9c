"""How long ``verify`` takes, beside a bare two-thread hashlib loop over the same files.

``python benchmarks/verify.py [ROUNDS]``: medians of interleaved rounds on a tree of many small
files and on one of a few huge ones; ``again`` is a run whose cache knows all files, beside a loop
that only asks for their status. The budget is verify <= 1.3 x loop. Numbers, no verdict.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.kit.bare import Bare, make_venv
from tests.kit.commands import COMMAND
from tests.kit.environments import hermetic_variables
from tests.kit.records import digest

ROUNDS = 7
SMALL = (178, 300)
HUGE = (3, 512 * 1024 * 1024)
_LOOP = """
import hashlib, sys, threading
def read(paths):
    for path in paths:
        state = hashlib.sha256()
        with open(path, "rb", buffering=0) as file:
            while piece := file.read(1 << 20):
                state.update(piece)
        state.hexdigest()
paths = open(sys.argv[1]).read().splitlines()
threads = [threading.Thread(target=read, args=(paths[start::2],)) for start in (0, 1)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""
_ASK = "import os, sys\nfor path in open(sys.argv[1]).read().splitlines(): os.stat(path)"


def main(rounds: int) -> None:
    """Time both trees, and print medians and ratios."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for label, bare in (("small", _write_small(folder)), ("huge", _write_huge(folder))):
            listing = folder / f"{label}.txt"
            listing.write_text("".join(f"{path}\n" for path in _listed(bare)), encoding="utf-8")
            _settle(bare)
            commands = {
                "loop": (sys.executable, "-c", _LOOP, str(listing)),
                "verify": (*COMMAND, "verify", "--no-cache", "--python", str(bare.root)),
                "status": (sys.executable, "-c", _ASK, str(listing)),
                "again": (*COMMAND, "verify", "--python", str(bare.root)),
            }
            variables = {**os.environ, **hermetic_variables(folder / "home")}
            medians = _time(commands, variables, folder, rounds)
            for command, seconds in medians.items():
                print(f"{label}: {command} {seconds * 1000:.0f} ms")
            print(f"{label}: verify = {medians['verify'] / medians['loop']:.2f} x loop")
            print(f"{label}: again = {medians['again'] / medians['status']:.2f} x status")


def _time(
    commands: Mapping[str, tuple[str, ...]],
    variables: Mapping[str, str],
    folder: Path,
    rounds: int,
) -> dict[str, float]:
    times: dict[str, list[float]] = {label: [] for label in commands}
    for turn in range(rounds + 1):
        for label, command in commands.items():
            begun = time.perf_counter()
            subprocess.run(
                command, env=dict(variables), cwd=folder, capture_output=True, check=True
            )
            if turn:  # the first round fills caches
                times[label].append(time.perf_counter() - begun)
    return {label: statistics.median(taken) for label, taken in times.items()}


def _write_small(folder: Path) -> Bare:
    bare = make_venv(folder / "small")
    distributions, files = SMALL
    for number in range(distributions):
        contents = {
            f"p{number}/s{file // 20}/m{file}.py": os.urandom(500 + 37 * file)
            for file in range(files)
        }
        _install(bare, f"p{number}", contents)
    return bare


def _write_huge(folder: Path) -> Bare:
    bare = make_venv(folder / "huge")
    count, size = HUGE
    _install(bare, "big", {f"big/lib{number}.so.1": os.urandom(size) for number in range(count)})
    return bare


def _install(bare: Bare, name: str, contents: Mapping[str, bytes]) -> None:
    rows = []
    for path, content in contents.items():
        bare.put(path, content)
        rows.append(f"{path},{digest(content)},{len(content)}\n")
    bare.record(f"{name}-1.dist-info", RECORD="".join(rows))


def _listed(bare: Bare) -> list[Path]:
    records = sorted(bare.site.glob("*.dist-info/RECORD"))
    return [
        bare.site / line.split(",")[0]
        for record in records
        for line in record.read_text(encoding="utf-8").splitlines()
    ]


def _settle(bare: Bare) -> None:
    """Wait until no file was written a moment ago: such files are not trusted unread."""
    newest = max(path.stat().st_ctime for path in _listed(bare))
    time.sleep(max(0.0, newest + 3 - time.time()))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
