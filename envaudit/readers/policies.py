"""Policies from TOML files: the built-in pack and the files that a user names.

A file that does not load is told with everything that is wrong in it, and so is every other file of
the same call: whoever writes policies wants one list, not one mistake a run.
"""

import hashlib
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from envaudit.doors import disk
from envaudit.model.errors import PolicyError, Problem
from envaudit.model.finding import RuleReference, Severity
from envaudit.model.policy import Example, Policy, Rule, RuleKind
from envaudit.readers.toml_lines import Position, locate
from envaudit.rules import KINDS
from envaudit.rules.table import Mistake, Table
from envaudit.rules.table import Path as KeyPath

_LIMIT = 4 * disk.MEBIBYTE
_ROOM = disk.real_path(Path(__file__)).parent.parent


def builtin_pack() -> Path:
    """Return the folder of the built-in pack: inside the package, or at a checkout's root."""
    inside = _ROOM / "policies"
    return inside if disk.is_folder(inside) else _ROOM.parent / "policies"


def load_policies(paths: Sequence[Path] = (), *, builtin: bool = True) -> tuple[Policy, ...]:
    """Load the built-in pack, unless told not to, and then ``paths``: files, or folders of them.

    Raises:
        PolicyError: with every problem of every file.
    """
    files: list[tuple[Path, str]] = []
    problems: list[Problem] = []
    if builtin:
        pack = builtin_pack()
        files += [(path, f"policies/{path.name}") for path in _files_of(pack, problems)]
    for path in paths:
        found = _files_of(path, problems) if disk.is_folder(path) else (path,)
        files += [(file, str(file)) for file in found]
    policies = [_load(path, shown, problems) for path, shown in files]
    if problems:
        raise PolicyError(*problems)
    return tuple(policy for policy in policies if policy is not None)


def _files_of(folder: Path, problems: list[Problem]) -> tuple[Path, ...]:
    try:
        with disk.open_folder(folder) as opened:
            names = [name for name in opened.names() if name.endswith(".toml")]
    except disk.DiskError as error:
        problems.append(Problem(message=f"policy folder `{folder}` {error.reason}", at=str(folder)))
        return ()
    if not names:
        problems.append(
            Problem(
                message=f"policy folder `{folder}` holds no `.toml` file",
                at=str(folder),
                hint="name a policy file, or a folder with some",
            )
        )
    return tuple(folder / name for name in names)


def _load(path: Path, shown: str, problems: list[Problem]) -> Policy | None:
    try:
        content = disk.read_file(path, limit=_LIMIT)
    except disk.DiskError as error:
        problems.append(
            Problem(
                message=f"policy `{shown}` {error.reason}",
                at=shown,
                hint="name an existing policy file with `--policy`",
            )
        )
        return None
    return parse_policy(content, shown, problems)


def parse_policy(content: bytes, shown: str, problems: list[Problem]) -> Policy | None:
    """Parse one policy; what is wrong is appended to ``problems``, and ``None`` returned."""
    try:
        text = content.decode()
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # TOMLDecodeError, and integers without end
        problems.append(Problem(message=f"policy `{shown}` is not TOML: {error}", at=shown))
        return None
    mistakes: list[Mistake] = []
    positions = locate(text)
    policy = _build(document, shown, hashlib.sha256(content).hexdigest(), positions, mistakes)
    problems.extend(_problem(mistake, shown, text, positions) for mistake in mistakes)
    return None if mistakes else policy


def _build(
    document: Mapping[str, object],
    shown: str,
    digest: str,
    positions: Mapping[KeyPath, Position],
    mistakes: list[Mistake],
) -> Policy:
    root = Table(document, (), mistakes)
    header = root.table("policy")
    name = header.text("name")
    reviewed = header.optional_date("reviewed")
    header.finish()
    rules: list[Rule] = []
    seen: set[str] = set()
    for table in root.tables("rule"):
        identity = table.text("id")
        if identity in seen:
            table.note("id", f"two rules have the id `{identity}`")
        seen.add(identity)
        line = positions[table.path].line if table.path in positions else 1
        reference = RuleReference(id=identity, policy=name, file=shown, line=line)
        rule = _build_rule(table, reference)
        if rule is not None:
            rules.append(rule)
    root.finish()
    return Policy(name=name, file=shown, digest=digest, reviewed=reviewed, rules=tuple(rules))


def _build_rule(table: Table, reference: RuleReference) -> Rule | None:
    reason = table.text("reason")
    sources = table.texts("sources")
    examples = tuple(_build_example(example) for example in table.tables("example"))
    kind = _build_kind(table)
    if kind is None:
        return None
    return Rule(reference=reference, reason=reason, sources=sources, kind=kind, examples=examples)


def _build_kind(table: Table) -> RuleKind | None:
    keys = [key for key in KINDS if table.has(key)]
    match keys:
        case [key]:
            kind = KINDS[key](table)
            table.finish()
            return kind
        case []:
            table.note("id", f"the rule is of no kind: it needs one of {', '.join(KINDS)}")
        case _:
            table.note(keys[1], f"the rule is of two kinds, {' and '.join(keys)}: split it")
    return None


def _build_example(table: Table) -> Example:
    installed = table.texts("installed")
    verdict = table.choice("verdict", ["pass", *Severity], "pass")
    table.finish()
    return Example(installed=installed, verdict=verdict)


def _problem(
    mistake: Mistake, shown: str, text: str, positions: Mapping[KeyPath, Position]
) -> Problem:
    path = mistake.path
    while path and path not in positions:
        path = path[:-1]
    position = positions.get(path, Position(line=1, column=1))
    column = position.column
    if mistake.offset is not None and path == mistake.path:
        column += 1 + mistake.offset  # the opening quote
    lines = text.splitlines()
    line = lines[position.line - 1] if lines else ""
    return Problem(
        message=mistake.message,
        at=f"{shown}:{position.line}:{column}",
        excerpt=f"{line}\n{' ' * (column - 1)}^",
    )
