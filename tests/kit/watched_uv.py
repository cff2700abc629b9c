"""A uv that is watched while it installs, and stopped when so many files have come and gone.

Its process is the real uv, stepped by a watcher: stopped, looked at, and continued. So it is killed
at a count of files, and not at a time. A watcher reads ``/proc``: there is none but on Linux.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from uv import find_uv_bin

KILL_UV = ("uv KILL",)
KILL_BOTH = ("envaudit KILL", "uv KILL")
KILL_ENVAUDIT = ("envaudit KILL", "uv CONT")
INTERRUPT = ("envaudit INT", "uv CONT")
TERMINATE = ("envaudit TERM", "uv CONT")

_SLICE = 500
"""For how many turns of an empty loop uv goes on at a time: some files long."""
_PROGRAM = """\
import json, os, signal, sys
from pathlib import Path
words, uv, envaudit = sys.argv[1:], os.getpid(), os.getppid()

def look(place=ROOT):
    seen = set()
    with os.scandir(place) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                seen |= look(entry.path)
            else:
                found = entry.stat(follow_symlinks=False)
                seen.add((entry.path, found.st_ino, found.st_mtime_ns, found.st_size))
    return seen

def glance(folders):
    return [os.stat(place).st_mtime_ns if os.path.exists(place) else 0 for place in folders]

def state(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:  # it has just ended
        return "X"

def is_over():
    return os.getppid() != uv or state(uv) in "ZX"

def stop():
    os.kill(uv, signal.SIGSTOP)
    threads = f"{uv}/task"
    while not all(state(f"{threads}/{one}") in "TtZX" for one in os.listdir(f"/proc/{threads}")):
        pass

def go_on():
    os.kill(uv, signal.SIGCONT)
    for _ in range(SLICE):
        pass

def watch(at, signals):
    before = look()
    folders = [place for place, _, _ in os.walk(ROOT)]
    times = glance(folders)
    yield
    while not is_over():
        stop()
        moved = len(look() ^ before) if glance(folders) != times else 0
        if moved >= at:
            MET.write_text(str(moved))
            for one in signals:
                whom, name = one.split()
                os.kill({"uv": uv, "envaudit": envaudit}[whom], getattr(signal, "SIG" + name))
            return
        go_on()

if words[:2] == ["pip", "install"] and "--dry-run" not in words and ORDERS.exists():
    (at, signals), *orders = json.loads(ORDERS.read_text())
    ORDERS.write_text(json.dumps(orders)) if orders else ORDERS.unlink()
    ready, told = os.pipe()
    if not os.fork():
        try:
            watching = watch(at, signals)
            next(watching)
            os.write(told, b".")
            os.closerange(3, 1024)  # the lock, too
            next(watching, None)
        finally:
            try:
                os.kill(uv, signal.SIGCONT)  # nobody else would, whatever went wrong here
            finally:
                os._exit(0)
    os.read(ready, 1)
os.execv(REAL, [REAL, *words])
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedUv:
    """Where the watched uv lies, and what it is told."""

    folder: Path

    @property
    def path(self) -> Path:
        """The program."""
        return self.folder / "uv"

    def write(self, root: Path) -> None:
        """Write the program; it looks at what lies below ``root``."""
        self.folder.mkdir()
        places = f"SLICE, ROOT, REAL = {_SLICE}, {str(root)!r}, {find_uv_bin()!r}\n" + "".join(
            f"{name.upper()} = Path({str(self.folder / name)!r})\n" for name in ("orders", "met")
        )
        imports, _, rest = _PROGRAM.partition("words, uv")
        self.path.write_text(f"#!{sys.executable} -IS\n{imports}{places}words, uv{rest}")
        self.path.chmod(0o755)

    def order(self, *orders: tuple[int, Sequence[str]]) -> None:
        """Let each of the next installs be met by signals when so many files have come and gone."""
        (self.folder / "met").unlink(missing_ok=True)
        (self.folder / "orders").write_text(json.dumps(orders))

    def met(self) -> int | None:
        """Return how many had come and gone by then; ``None``: it never came so far."""
        met = self.folder / "met"
        return int(met.read_text()) if met.exists() else None
