"""The built-in pack, read no further than what is installed asks for.

Parsing TOML is most of the cost of the pack, and nine in ten of its rules speak of nothing that a
given environment holds. So a file is cut at its ``[[rule]]`` lines, and only those tables are
parsed in which a name stands that is installed; their examples are for ``policy test`` alone. The
others are *asleep*: counted, and known by their id.

Only for files whose form is known, which is the pack: a user's policy is read whole, so that all
its mistakes are told. What would have been awake is never left asleep (a test holds this against
reading everything).
"""

import hashlib
import re
from functools import lru_cache

from envaudit.model.errors import Problem
from envaudit.model.pattern import matches
from envaudit.model.policy import Policy, Rule
from envaudit.readers.policy_file import (
    Source,
    build_header,
    build_rule,
    parse_policy,
    parse_toml,
    report,
)
from envaudit.rules.table import Mistake, Table

_RULE = re.compile(r"^\[\[rule\]\][ \t]*(?:#.*)?$", re.MULTILINE)
_EXAMPLE = re.compile(r"^\[\[rule\.example\]\]", re.MULTILINE)
_OTHER_TABLE = re.compile(r"^\[(?!\[rule\.example\]\])", re.MULTILINE)
_IDENTITY = re.compile(r'^id[ \t]*=[ \t]*"([^"\n]+)"', re.MULTILINE)
_PROSE = re.compile(
    r"^(?:reason|id)[ \t]*=.*$|^sources[ \t]*=[ \t]*\[[^\]]*\]|(?:^|[ \t])#.*$", re.MULTILINE
)
_SEPARATORS = re.compile(r"[-_.]+")
_WORD = re.compile(r"[a-z0-9][a-z0-9*-]*")
_PAIR = re.compile(r"^(?:compare|then|rows)[ \t]*=", re.MULTILINE)


def skim_policy(
    content: bytes, shown: str, installed: frozenset[str], problems: list[Problem]
) -> Policy | None:
    """Parse what of a policy concerns ``installed``; mistakes are appended to ``problems``."""
    text = content.decode("utf-8", "replace")
    starts = [match.start() for match in _RULE.finditer(text)]
    if not starts or "[[waiver]]" in text or '"""' in text or "'''" in text:
        return parse_policy(content, shown, problems)
    skimmer = _Skimmer(shown, installed, problems)
    skimmer.read_header(text[: starts[0]])
    line = text.count("\n", 0, starts[0]) + 1
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        skimmer.read_rule(text[start:end], line)
        line += text.count("\n", start, end)
    return skimmer.policy(hashlib.sha256(content).hexdigest())


class _Skimmer:
    """Reads one file, part by part."""

    def __init__(self, shown: str, installed: frozenset[str], problems: list[Problem]) -> None:
        self._shown = shown
        self._installed = installed
        self._problems = problems
        self._known = len(problems)
        self._header = Policy(name="", file=shown, digest="", reviewed=None, rules=())
        self._rules: list[Rule] = []
        self._asleep: list[str] = []
        self._seen: set[str] = set()

    def read_header(self, text: str) -> None:
        source = Source(text, self._shown)
        root, mistakes = self._parse(source)
        if root is not None:
            name, reviewed = build_header(root)
            root.finish()
            self._header = Policy(
                name=name, file=self._shown, digest="", reviewed=reviewed, rules=()
            )
        report(mistakes, source, self._problems)

    def read_rule(self, text: str, line: int) -> None:
        example = _EXAMPLE.search(text)
        if example is not None and _OTHER_TABLE.search(text, example.start()) is None:
            text = text[: example.start()]
        identity = _IDENTITY.search(text)
        if identity is not None and not concerns(text, self._installed):
            self._asleep.append(identity[1])
            return
        source = Source(text, self._shown, line, first=("rule", 0))
        root, mistakes = self._parse(source)
        for table in () if root is None else root.tables("rule", most=1):
            rule = build_rule(table, self._header.name, source, self._seen)
            if rule is not None:
                self._rules.append(rule)
        report(mistakes, source, self._problems)

    def _parse(self, source: Source) -> tuple[Table | None, list[Mistake]]:
        mistakes: list[Mistake] = []
        document = parse_toml(source, self._problems)
        return None if document is None else Table(document, (), mistakes), mistakes

    def policy(self, digest: str) -> Policy | None:
        if len(self._problems) > self._known:
            return None
        return Policy(
            name=self._header.name,
            file=self._shown,
            digest=digest,
            reviewed=self._header.reviewed,
            rules=tuple(self._rules),
            asleep=tuple(self._asleep),
        )


def concerns(text: str, installed: frozenset[str]) -> bool:
    """Return false only where a rule's table surely has nothing to judge.

    A rule that holds two against each other needs two names; a pattern may stand for several.
    """
    said = _SEPARATORS.sub("-", _PROSE.sub("", text).lower())
    words = {word.rstrip("-") for word in _WORD.findall(said)}
    met = len(words & installed)
    needed = 2 if _PAIR.search(text) else 1
    if met >= needed:
        return True
    lines = _one_a_line(installed)
    return any(
        # Mostly no name begins as the pattern does, and one search tells: with 2,000 names, trying
        # each of them was a fifth of `check`.
        f"\n{word.partition('*')[0]}" in lines and any(matches(word, name) for name in installed)
        for word in words
        if "*" in word and not word[0].isdigit()
    )


@lru_cache(maxsize=1)
def _one_a_line(names: frozenset[str]) -> str:
    return "\n".join(("", *names))
