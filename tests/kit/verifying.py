"""Environments with real RECORDs made by hand, and what ``verify`` says of them."""

from collections.abc import Mapping
from pathlib import Path

from envaudit.commands import verify
from envaudit.commands.verify import Terms
from envaudit.effects.report_file import keep_state
from envaudit.model.finding import Finding
from envaudit.model.report import Report
from tests.kit.bare import Bare, make_venv
from tests.kit.commands import surroundings
from tests.kit.records import compose_record

MODULES = {"pkg/__init__.py": "ONE = 1\n", "pkg/core.py": "TWO = 2\n", "pkg/data.bin": "\0" * 99}
SITE = "lib/python3.11/site-packages"


def make_installed(root: Path, modules: Mapping[str, str] = MODULES) -> Bare:
    """Make a virtual environment with ``pkg 1`` installed, all of it as its RECORD lists."""
    bare = make_venv(root)
    add_distribution(bare, "pkg", modules)
    return bare


def add_distribution(bare: Bare, name: str, modules: Mapping[str, str]) -> None:
    """Install ``name 1`` with ``modules``, contents by path from the site directory."""
    folder = f"{name}-1.dist-info"
    files = {path: text.encode() for path, text in modules.items()}
    files[f"{folder}/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n".encode()
    files[f"{folder}/WHEEL"] = b"Wheel-Version: 1.0\nTag: py3-none-any\n"
    files[f"{folder}/INSTALLER"] = b"uv"
    for path, content in files.items():
        bare.put(path, content)
    record = f"{folder}/RECORD"
    bare.put(record, compose_record(files, record))


def verified(
    environment: Path,
    *names: str,
    baseline: Path | None = None,
    cache: bool = False,
    deep: bool = False,
) -> Report:
    """Verify ``environment``, and keep what the report wants kept, as the command line does."""
    stated = None if baseline is None else str(baseline)
    terms = Terms(names=names, baseline=stated, cache=cache, deep=deep)
    report = verify.run(surroundings(environment), terms)
    for file in report.remembered:
        keep_state(file)
    return report


def codes(report: Report) -> list[str]:
    """Return the severities and codes of what was found."""
    return [f"{finding.severity.value}[{finding.code}]" for finding in report.findings]


def only(report: Report) -> Finding:
    """Return the one finding of ``report``."""
    (finding,) = report.findings
    return finding
