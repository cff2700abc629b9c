"""One policy file's text to a policy, or to everything that is wrong in it.

Bounded: a file is at most a mebibyte, has at most so many rules and rows, and every text that is
parsed is short. Patterns are globs, never regular expressions. So a hostile file costs seconds at
worst, and is refused with a line and a caret like any other.
"""

import hashlib
import re
import tomllib
from collections.abc import Mapping
from datetime import date
from functools import cached_property
from typing import TypeVar

from packaging.utils import canonicalize_name

from envaudit.doors import disk
from envaudit.model.errors import Problem
from envaudit.model.finding import RuleReference, Severity
from envaudit.model.policy import PLATFORMS, Example, Policy, Rule, Waiver
from envaudit.readers.toml_lines import KEY, Position, inside_string, locate
from envaudit.rules import build_kind
from envaudit.rules.member import bounded, parse_name
from envaudit.rules.table import ExpressionError, Mistake, Table
from envaudit.rules.table import Path as KeyPath

LIMIT = disk.MEBIBYTE
_MOST_RULES = 2000
_MOST_MEMBERS = 5000
_MOST_WAIVERS = 1000
_MOST_EXAMPLES = 200
_MOST_SHOWN = 50
"""How many mistakes of one file are shown; that there are more is said."""
# tomllib takes time in the square of a dotted name's parts.
_ENDLESS_NAME = re.compile(r"^[ \t\[]*(?:[^.=#\n]{0,100}\.){100}", re.MULTILINE)
_TOML_PLACE = re.compile(r" \(at (?:end of document|line (?P<line>\d+), column (?P<column>\d+))\)$")
_VERDICTS = ("pass", *Severity)
_Value = TypeVar("_Value")


class Source:
    """A policy file's text, and where what stands in it."""

    def __init__(
        self, text: str, shown: str, first_line: int = 1, *, first: KeyPath | None = None
    ) -> None:
        """Take ``text``, whose first line is line ``first_line`` of the file ``shown``.

        ``first``: the table that begins on that line, if it is known.
        """
        self.text = text
        self.shown = shown
        self._first_line = first_line
        self._first = first

    @cached_property
    def _positions(self) -> Mapping[KeyPath, Position]:
        return locate(self.text)

    def line(self, path: KeyPath) -> int:
        """Return the line on which the table at ``path`` begins."""
        if path == self._first:
            return self._first_line
        return self._nearest(path).line + self._first_line - 1

    def _nearest(self, path: KeyPath) -> Position:
        while path and path not in self._positions:
            path = path[:-1]
        return self._positions.get(path, Position(line=1, column=1))

    def problem(self, mistake: Mistake) -> Problem:
        """Return a mistake with its line, and a caret under what is wrong."""
        position = self._nearest((*mistake.path, KEY) if mistake.key else mistake.path)
        if mistake.offset is not None and mistake.path in self._positions:
            position = inside_string(self.text, position, mistake.offset)
        return self.problem_at(mistake.message, position)

    def problem_at(self, message: str, position: Position) -> Problem:
        """Return a problem with its line, and a caret under ``position``."""
        lines = self.text.split("\n")
        line = lines[position.line - 1].rstrip("\r") if position.line <= len(lines) else ""
        return Problem(
            message=message,
            at=f"{self.shown}:{position.line + self._first_line - 1}:{position.column}",
            excerpt=_excerpt(line, position.column),
        )


_WIDTH = 100


def _excerpt(line: str, column: int) -> str:
    """Return the line and a caret under it; of a line that is too long, the part in question."""
    start = max(0, column - _WIDTH) if len(line) > _WIDTH else 0
    return f"{line[start : start + 2 * _WIDTH]}\n{' ' * (column - 1 - start)}^"


def parse_policy(content: bytes, shown: str, problems: list[Problem]) -> Policy | None:
    """Parse one policy; what is wrong is appended to ``problems``, and ``None`` returned."""
    try:
        text = content.decode("utf-8-sig")  # some editors begin a file with a byte order mark
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        problems.append(Problem(message=f"policy `{shown}` is not UTF-8", at=f"{shown}:{line}"))
        return None
    source = Source(text, shown)
    document = parse_toml(source, problems)
    if document is None:
        return None
    mistakes: list[Mistake] = []
    policy = _build(document, source, hashlib.sha256(content).hexdigest(), mistakes)
    report(mistakes, source, problems)
    return None if mistakes else policy


def parse_toml(
    source: Source, problems: list[Problem], *, what: str = "policy"
) -> Mapping[str, object] | None:
    """Parse TOML; what is wrong is appended to ``problems``, and ``None`` returned."""
    try:
        if _ENDLESS_NAME.search(source.text):
            raise ValueError("a name has over 100 parts")  # noqa: TRY301 - told like the others
        return tomllib.loads(source.text)
    except (ValueError, RecursionError) as error:
        problems.append(_not_toml(error, source, what))
        return None


def _not_toml(error: ValueError | RecursionError, source: Source, what: str) -> Problem:
    """Say why a text is not TOML, with line and caret where ``tomllib`` tells them."""
    reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
    if "integer string conversion" in reason:  # what Python says to an integer of 5000 digits
        reason = "a number has too many digits"
    place = _TOML_PLACE.search(reason)
    message = f"{what} `{source.shown}` is not TOML: {_TOML_PLACE.sub('', reason)}"
    if place is None:
        return Problem(message=message, at=source.shown)
    if place["line"] is None:
        lines = source.text.rstrip().split("\n")
        return source.problem_at(message, Position(line=len(lines), column=len(lines[-1]) + 1))
    position = Position(line=int(place["line"]), column=int(place["column"]))
    return source.problem_at(message, position)


def report(mistakes: list[Mistake], source: Source, problems: list[Problem]) -> None:
    """Append ``mistakes`` to ``problems``, in the order in which they stand in the file."""
    found = [source.problem(mistake) for mistake in mistakes[:_MOST_SHOWN]]
    problems.extend(sorted(found, key=_place))
    if len(mistakes) > _MOST_SHOWN:
        more = len(mistakes) - _MOST_SHOWN
        problems.append(
            Problem(message=f"and {more} further mistakes in `{source.shown}`", at=source.shown)
        )


def _place(problem: Problem) -> tuple[int, int]:
    line, column = (problem.at or "").rsplit(":", 2)[-2:]
    return int(line), int(column)


def _build(
    document: Mapping[str, object], source: Source, digest: str, mistakes: list[Mistake]
) -> Policy:
    root = Table(document, (), mistakes)
    name, reviewed = build_header(root)
    rules: list[Rule] = []
    members = 0
    seen: set[str] = set()
    for table in root.tables("rule", most=_MOST_RULES):
        rule = build_rule(table, name, source, seen)
        if rule is None:
            continue
        rules.append(rule)
        members += len(rule.kind.members)
        if members > _MOST_MEMBERS:
            table.note(
                "id", f"up to here the rules name over {_MOST_MEMBERS} members: split the file"
            )
            break
    waivers = tuple(
        _build_waiver(table, source) for table in root.tables("waiver", most=_MOST_WAIVERS)
    )
    root.finish()
    return Policy(
        name=name,
        file=source.shown,
        digest=digest,
        reviewed=reviewed,
        rules=tuple(rules),
        waivers=tuple(waiver for waiver in waivers if waiver is not None),
    )


def build_header(root: Table) -> tuple[str, date | None]:
    """Read the table ``[policy]``: its name, and when it was reviewed."""
    header = root.table("policy")
    name = header.text("name")
    reviewed = header.optional_date("reviewed")
    header.finish()
    return name, reviewed


def build_rule(table: Table, policy: str, source: Source, seen: set[str]) -> Rule | None:
    """Build one rule; ``seen`` holds the ids that the file has used before."""
    identity = table.text("id")
    if identity in seen:
        table.note("id", f"two rules have the id `{identity}`")
    seen.add(identity)
    reason = table.text("reason")
    sources = table.texts("sources")
    examples = tuple(
        _build_example(example) for example in table.tables("example", most=_MOST_EXAMPLES)
    )
    kind = build_kind(table)
    table.finish()
    if kind is None:
        return None
    return Rule(
        reference=RuleReference(
            id=identity, policy=policy, file=source.shown, line=source.line(table.path)
        ),
        reason=reason,
        sources=sources,
        kind=kind,
        examples=examples,
    )


def _build_example(table: Table) -> Example:
    for key in ("installed", "verdict"):
        table.require(key)
    example = Example(
        installed=table.each_parsed("installed", _pin),
        verdict=table.choice("verdict", _VERDICTS, "pass"),
        distributions=tuple(sorted(table.each_parsed("distributions", parse_name))),
        python=table.optional_text("python") or "3.11",
        platform=table.choice("platform", [*PLATFORMS], "linux-x86_64"),
        variables=frozenset(table.texts("variables")),
        built=_normalised(table.text_mapping("built")),
        requires=_normalised(table.texts_mapping("requires")),
    )
    table.finish()
    return example


def _normalised(mapping: Mapping[str, _Value]) -> tuple[tuple[str, _Value], ...]:
    return tuple(sorted((canonicalize_name(name), value) for name, value in mapping.items()))


def _pin(text: str) -> str:
    pin, _, _ = bounded(text).partition(" @ ")
    name, equals, version = pin.partition("==")
    if not equals or not version.strip():
        raise ExpressionError(f"`{text}` is no pin: `name==version`", 0)
    parse_name(name.strip())
    return text


def _build_waiver(table: Table, source: Source) -> Waiver | None:
    rule = table.text("rule")
    until = table.date("until")
    reason = table.text("reason")
    distributions = table.each_parsed("distributions", parse_name)
    table.finish()
    if until is None:
        return None
    return Waiver(
        rule=rule,
        until=until,
        reason=reason,
        file=source.shown,
        line=source.line(table.path),
        distributions=distributions,
    )
