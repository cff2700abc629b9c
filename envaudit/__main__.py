"""The front door: ``envaudit`` and ``python -m envaudit``."""

import gc
import sys

_ALLOCATIONS = 100_000


def main() -> None:
    """Run the command line and leave with its exit code."""
    # A command makes much, drops little in cycles, and ends: looking for cycles after every 700
    # allocations, as Python does, was a twelfth of `check`.
    gc.set_threshold(_ALLOCATIONS)
    from envaudit.cli import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
