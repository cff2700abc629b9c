"""The machine at this moment: what a snapshot's provenance tells, outside equality and digest."""

import os
import platform
import socket
import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from envaudit.doors import disk
from envaudit.model.document import Json

_NVIDIA_DRIVER = Path("/sys/module/nvidia/version")
_LIMIT = 4096


def now() -> datetime:
    """Return the time, UTC."""
    return datetime.now(UTC)


def days_ago(days: int) -> datetime:
    """Return the time so many days before now, UTC."""
    return now() - timedelta(days=days)


def host_name() -> str:
    """Return the machine's name."""
    return socket.gethostname()


def is_root() -> bool:
    """Return whether envaudit runs as root."""
    return os.geteuid() == 0


def runs_inside(root: Path) -> bool:
    """Return whether the interpreter that runs envaudit is the one of the environment ``root``."""
    return disk.same_file(Path(sys.prefix), root)


def own_interpreter() -> str:
    """Return the interpreter that runs envaudit, outside of any virtual environment."""
    major, minor = sys.version_info[:2]
    return f"{sys.base_prefix}/bin/python{major}.{minor}"


def platform_markers() -> Mapping[str, str]:
    """Return the markers by which wheels for this machine are chosen."""
    return {"sys_platform": sys.platform, "platform_machine": platform.machine()}


def details() -> Mapping[str, Json]:
    """Return further facts of the machine; what it does not tell is left out."""
    found: dict[str, Json] = {
        "kernel": platform.release(),
        "libc": " ".join(platform.libc_ver()).strip(),
        "nvidia_driver": _driver(),
    }
    return {key: value for key, value in found.items() if value}


def _driver() -> str | None:
    try:
        return disk.read_file(_NVIDIA_DRIVER, limit=_LIMIT).decode("ascii", "replace").strip()
    except disk.DiskError:
        return None
