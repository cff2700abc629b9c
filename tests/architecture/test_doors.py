"""Only the doors touch disk and processes; only the command line prints and leaves."""

from pathlib import Path

import pytest

import envaudit
from tests.architecture.doors import openings, unused_exceptions

HOUSE = Path(envaudit.__file__).parent

PLANTS = (
    ("core/graph.py", 'open("x")', "open"),
    ("core/graph.py", "opener = open", "open"),
    ("readers/store.py", 'Path("x").read_text()', "read_text"),
    ("readers/store.py", 'Path("x").write_bytes(b"")', "write_bytes"),
    ("readers/store.py", 'Path("x").open()', "open"),
    ("readers/store.py", 'list(Path("x").iterdir())', "iterdir"),
    ("readers/store.py", 'Path("x").exists()', "exists"),
    ("readers/store.py", "asked = Path.is_file", "is_file"),
    ("readers/store.py", 'Path("x").resolve()', "resolve"),
    ("readers/store.py", 'Path("x").replace("y")', "replace"),
    ("rules/compare.py", 'import os\nos.open("x", 0)', "os"),
    ("rules/compare.py", 'import os\nos.stat("x")', "os"),
    ("rules/compare.py", 'import os\nos.path.exists("x")', "os"),
    ("rules/compare.py", "import os\nos.environ", "os"),
    ("rules/compare.py", "import os as system", "os under another name"),
    ("rules/compare.py", "from os import stat", "os"),
    ("rules/compare.py", "from os.path import exists", "os"),
    ("checks/incomplete.py", "import subprocess", "subprocess"),
    ("checks/incomplete.py", "from multiprocessing import Process", "multiprocessing"),
    ("checks/incomplete.py", "import urllib.request", "urllib"),
    ("checks/incomplete.py", "from importlib import metadata", "importlib"),
    ("checks/incomplete.py", "from urllib import request", "urllib"),
    ("checks/incomplete.py", "import concurrent.futures", "concurrent"),
    ("checks/incomplete.py", "import _posixsubprocess", "_posixsubprocess"),
    ("checks/incomplete.py", "import getpass", "getpass"),
    ("checks/incomplete.py", "from io import FileIO", "io.FileIO"),
    ("checks/incomplete.py", 'import io\nio.FileIO("x")', "io.FileIO"),
    ("checks/incomplete.py", "import io as other", "io under another name"),
    ("checks/incomplete.py", "from pathlib import os", "pathlib.os"),
    ("checks/incomplete.py", 'import pathlib\npathlib.os.system("x")', "pathlib.os"),
    ("checks/incomplete.py", 'import os\ngetattr(os, "system")', "getattr"),
    ("checks/incomplete.py", 'import sys\ngetattr(sys, "std" + "out")', "getattr"),
    ("checks/incomplete.py", 'import sys\nsys.modules["os"]', "sys.modules"),
    ("checks/incomplete.py", "from sys import modules", "sys.modules"),
    ("checks/incomplete.py", "from sys import *", "all of sys"),
    ("checks/incomplete.py", "breakpoint()", "breakpoint"),
    ("checks/incomplete.py", 'globals()["open"]', "globals"),
    ("checks/incomplete.py", "import traceback\ntraceback.print_exc()", "traceback.print_exc"),
    ("commands/check.py", 'print("x")', "print"),
    ("commands/check.py", "import sys\nsys.exit(1)", "sys.exit"),
    ("commands/check.py", 'import sys\nsys.stdout.write("x")', "sys.stdout"),
    ("commands/check.py", "from sys import exit", "sys.exit"),
    ("commands/check.py", "raise SystemExit", "SystemExit"),
    ("commands/check.py", 'eval("1")', "eval"),
    ("uv/scratch.py", "import shutil", "shutil"),
    ("cli/policy.py", 'open("x")', "open"),
    ("cli/answering.py", 'print("x")', "print"),
)


def test_nothing_but_the_doors_touches_the_outside() -> None:
    assert openings(HOUSE) == ()


def test_no_exception_outlives_its_use() -> None:
    assert unused_exceptions(HOUSE) == ()


@pytest.mark.parametrize(("name", "planted", "word"), PLANTS)
def test_a_planted_opening_is_found(name: str, planted: str, word: str, tmp_path: Path) -> None:
    target = tmp_path / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(f"{planted}\n", encoding="utf-8")

    assert word in {found.rpartition(": ")[2] for found in openings(tmp_path)}


def test_the_doors_themselves_may(tmp_path: Path) -> None:
    (tmp_path / "doors").mkdir()
    (tmp_path / "doors" / "disk.py").write_text('import os\nos.open("x", 0)\n', encoding="utf-8")

    assert openings(tmp_path) == ()


@pytest.mark.parametrize(
    "harmless",
    [
        'text.replace("a", "b")',
        "replace(record, name=name)",
        "from dataclasses import replace",
        "import os\nos.geteuid()",
        "import io\nio.StringIO()",
        "import sys\nsys.platform",
        'import sys\ngetattr(sys, "_base_executable", sys.executable)',
        "from urllib.parse import urlsplit",
        "hook.path",
    ],
)
def test_what_only_looks_like_an_opening_is_none(harmless: str, tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text(f"{harmless}\n", encoding="utf-8")

    assert openings(tmp_path) == ()
