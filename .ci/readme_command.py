"""Print the one set-up command of a README that contains a word, for CI to run as it stands there.

``readme_command.py README.md pytest``: commands are the lines of ```console blocks, those after a
``$`` if the block has such lines, else all. None, or more than one, is an error: CI would otherwise
run nothing, or not what a reader runs.
"""

import re
import sys
from pathlib import Path

_BLOCK = re.compile(r"^ {0,3}```console\b[^\n]*\n(.*?)^ {0,3}```[ \t]*$", re.DOTALL | re.MULTILINE)
_CONTINUED = re.compile(r"\\\n[ \t]*(?:>[ \t]+)?")


def find_commands(readme: str, word: str) -> list[str]:
    """Return the commands of all console blocks of ``readme`` that contain ``word`` as a word."""
    wanted = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
    commands = [
        command for block in _BLOCK.findall(readme) for command in _read_commands(str(block))
    ]
    return [command for command in commands if wanted.search(command)]


def _read_commands(block: str) -> list[str]:
    lines = [line.strip() for line in _CONTINUED.sub("", block).splitlines()]
    prompted = [line.removeprefix("$").strip() for line in lines if line.startswith("$ ")]
    return prompted or [line for line in lines if line and not line.startswith("#")]


def main(path: str, word: str) -> str:
    """Return the one command in the file ``path`` that contains ``word``."""
    found = find_commands(Path(path).read_text(encoding="utf-8"), word)
    if len(found) != 1:
        listed = "".join(f"\n  {command}" for command in found)
        sys.exit(
            f"{path} must have one console command with `{word}`, and has {len(found)}{listed}"
        )
    return found[0]


if __name__ == "__main__":
    print(main(*sys.argv[1:]))
