"""The front door: ``envaudit`` and ``python -m envaudit``."""

import sys


def main() -> None:
    """Run the command line and leave with its exit code."""
    from envaudit.cli import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
