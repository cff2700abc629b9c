"""How long a gate takes, beside the bare dry run and the full check that it is made of.

``python benchmarks/gate.py [ROUNDS]``: medians of interleaved rounds on the real environment of 178
distributions, written out with 300 files a distribution; the budget is
gate <= dry run + 1.5 x check. Numbers, no verdict: no machine is asked to be fast.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from envaudit.core.codec import decode  # noqa: E402 - the checkout's own
from tests.kit.commands import COMMAND  # noqa: E402 - see above
from tests.kit.environments import base_interpreter, hermetic_variables  # noqa: E402 - see above
from tests.kit.wheels import Wheel, build_wheel  # noqa: E402 - see above
from tests.kit.written import write_environment  # noqa: E402 - see above

FILES = 300
ROUNDS = 9


def main(rounds: int) -> None:
    """Time each command ``rounds`` times in turn, and print medians and the ratio."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = _write(folder / "environment")
        wheels = folder / "wheels"
        build_wheel(Wheel("extra-thing", "1"), wheels)
        # One distribution comes in, and everything is judged.
        words = ("--no-index", "--find-links", str(wheels), "extra-thing")
        dry = ("--dry-run", "--output-format", "json", "--quiet", "--no-build")
        prefix = ("--prefix", str(environment), "--python", str(base_interpreter()))
        commands = {
            "dry run": ("uv", "pip", "install", *dry, *prefix, *words),
            "check": (*COMMAND, "check", "--python", str(environment)),
            "gate": (
                *(*COMMAND, "gate", "--", "uv", "pip", "install"),
                *("--python", str(environment), *words),
            ),
        }
        variables = {**os.environ, **hermetic_variables(folder / "home")}
        times: dict[str, list[float]] = {label: [] for label in commands}
        for turn in range(rounds + 1):
            for label, command in commands.items():
                begun = time.perf_counter()
                subprocess.run(  # noqa: S603 - commands of this file
                    command, env=variables, cwd=folder, capture_output=True, check=False
                )
                if turn:  # the first round fills caches
                    times[label].append(time.perf_counter() - begun)
    medians = {label: statistics.median(taken) for label, taken in times.items()}
    for label, seconds in medians.items():
        print(f"{label:8} {seconds * 1000:7.0f} ms")
    budget = medians["dry run"] + 1.5 * medians["check"]
    print(f"gate / (dry run + 1.5 x check) = {medians['gate'] / budget:.2f}")


def _write(folder: Path) -> Path:
    text = (ROOT / "snapshots" / "vllm-0.16.0.json").read_text(encoding="utf-8")
    snapshot = decode(text, at="vllm-0.16.0")
    records = tuple(replace(one, content_id=one.label) for one in snapshot.distributions)
    return write_environment(replace(snapshot, distributions=records), folder, modules=FILES)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
