"""Configuration files: which policies judge, which rules are disabled, and how heavy others are.

    policies = ["policies/", "team.toml"]     # relative to this file
    builtin-policies = true
    disable = ["torch-torchaudio"]
    [severity]
    "flashinfer-jit-cache" = "warning"

In ``envaudit.toml``, or in ``pyproject.toml`` under ``[tool.envaudit]``. The machine's own
(``/etc/envaudit/envaudit.toml``) is always read; then the one that the user names, else the one in
the current folder. Nothing is looked for in folders above: whoever can write to a parent folder
could otherwise say which rules judge (the class of CVE-2022-24765 in git).
"""

from collections.abc import Iterator
from pathlib import Path

from envaudit.doors import disk, ownership
from envaudit.model.configuration import Configuration
from envaudit.model.errors import PolicyError, Problem
from envaudit.model.finding import Severity
from envaudit.readers.policy_file import Source, parse_toml, report
from envaudit.rules.table import Mistake, Table

MACHINE = Path("/etc/envaudit")
NAME = "envaudit.toml"
_PROJECT = "pyproject.toml"
_LIMIT = disk.MEBIBYTE


def read_configurations(
    folder: Path, named: Path | None, *, machine: Path = MACHINE
) -> tuple[Configuration, ...]:
    """Read the configurations in force for a run in ``folder``; the later one wins.

    A file that others could have put there is not taken, and the result says so.

    Raises:
        PolicyError: the one that was ``named`` is not there, or one is not of the stated form.
    """
    problems: list[Problem] = []
    found = [
        configuration
        for path, shown in _candidates(folder, named, machine)
        if (configuration := _read(path, shown, problems, named=path == named)) is not None
    ]
    if problems:
        raise PolicyError(*problems)
    return tuple(found)


def _candidates(folder: Path, named: Path | None, machine: Path) -> Iterator[tuple[Path, str]]:
    yield machine / NAME, str(machine / NAME)
    if named is not None:
        yield named, str(named)
    elif disk.is_file(folder / NAME):
        yield folder / NAME, NAME
    else:
        yield folder / _PROJECT, _PROJECT


def _read(path: Path, shown: str, problems: list[Problem], *, named: bool) -> Configuration | None:
    if not named and not disk.is_file(path):
        return None
    source = _source(path, shown, problems)
    if source is None or (path.name == _PROJECT and "envaudit" not in source.text):
        return None  # most projects have no word for us, and need not even be parsed
    fault = None if named else ownership.find_fault_of_file(path)
    if fault is not None:
        return Configuration(file=shown, refused=fault)
    mistakes: list[Mistake] = []
    document = parse_toml(source, problems, what="configuration")
    table = None if document is None else _own_table(Table(document, (), mistakes), path)
    configuration = None if table is None else _build(table, shown, path.parent)
    report(mistakes, source, problems)
    return configuration


def _source(path: Path, shown: str, problems: list[Problem]) -> Source | None:
    try:
        return Source(disk.read_file(path, limit=_LIMIT).decode(), shown)
    except disk.DiskError as error:
        reason = error.reason
    except UnicodeDecodeError:
        reason = "is not UTF-8"
    problems.append(Problem(message=f"configuration `{shown}` {reason}", at=shown))
    return None


def _own_table(root: Table, path: Path) -> Table | None:
    """Return the table that is ours: the whole of ``envaudit.toml``, a part of a project's."""
    if path.name != _PROJECT:
        return root
    tool = root.table("tool")
    return tool.table("envaudit") if tool.is_table("envaudit") else None


def _build(table: Table, shown: str, folder: Path) -> Configuration:
    policies = table.texts("policies")
    builtin = table.flag("builtin-policies", default=True)
    disabled = table.texts("disable")
    severities: dict[str, Severity] = {}
    if table.is_table("severity"):
        inner = table.table("severity")
        severities = {
            identity: Severity(inner.choice(identity, [*Severity], Severity.ERROR))
            for identity in inner.left()
        }
    table.finish()
    return Configuration(
        file=shown,
        policies=tuple(str(disk.absolute_path(folder / path)) for path in policies),
        builtin=builtin,
        disabled=tuple(sorted(disabled)),
        severities=tuple(sorted(severities.items())),
    )
