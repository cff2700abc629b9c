"""The expressions of ``compare``: terms joined by relations, and how they are parsed.

expression = term, relation, term, { relation, term }
relation   = "==" | "<=" | ">="
term       = name | fact, "(", member, ")", [ " + " number | " - " number ]
"""

import re
from dataclasses import dataclass

from envaudit.model.fact import FACTS, TEXT_GROUPS, VERSION_FACTS
from envaudit.rules.condition import unknown_fact
from envaudit.rules.member import Member, bounded, parse_member, parse_name
from envaudit.rules.table import ExpressionError

_TOKEN = re.compile(r"\s*(?:(?P<relation>==|<=|>=)|(?P<open>\()|(?P<close>\))|(?P<word>[\w.*-]+))")
_INSIDE = re.compile(r"[^()]*")
_ARITHMETIC = re.compile(r"\s+(?P<sign>[+-])\s+(?P<number>\d{1,9})(?![\w.])")
_RELATION_OR_END = "`==`, `<=`, `>=` or the end"
_MOST_TERMS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A fact of one member, perhaps with a number added to it."""

    fact: str
    member: Member
    plus: int | None = None
    """``None``: no arithmetic."""

    def __str__(self) -> str:
        """Write it as a policy does."""
        call = f"{self.fact}({self.member})"
        if self.plus is None:
            return call
        return f"{call} {'-' if self.plus < 0 else '+'} {abs(self.plus)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """Terms joined by relations: one relation fewer than terms."""

    text: str
    terms: tuple[Term, ...]
    relations: tuple[str, ...]

    @property
    def numeric(self) -> bool:
        """Whether anything is added: all values are numbers then."""
        return any(term.plus is not None for term in self.terms)

    @property
    def agreement(self) -> bool:
        """Whether all must be equal."""
        return set(self.relations) == {"=="}

    def __str__(self) -> str:
        """Write it with every fact spelled out."""
        first, *others = self.terms
        rest = (f" {rel} {term}" for rel, term in zip(self.relations, others, strict=True))
        return f"{first}{''.join(rest)}"


def parse_expression(text: str) -> Expression:
    """Parse the text of a ``compare``.

    Raises:
        ExpressionError: what was expected, and the offset at which something else stands.
    """
    parser = _Parser(bounded(text))
    places = [parser.at]
    terms = [parser.term()]
    relations: list[str] = []
    while (relation := parser.relation()) is not None:
        if len(terms) == _MOST_TERMS:
            raise ExpressionError(f"more than {_MOST_TERMS} terms", parser.at)
        relations.append(relation)
        places.append(parser.at)
        terms.append(parser.term())
    if not relations:
        raise ExpressionError("expected `==`, `<=` or `>=` and a second term", len(text.rstrip()))
    expression = Expression(text=text, terms=tuple(terms), relations=tuple(relations))
    _comparable(expression, text, places)
    return expression


def _comparable(expression: Expression, text: str, places: list[int]) -> None:
    """Refuse terms that can never be equal: the whole version of one, two numbers of another."""
    first, *others = expression.terms
    for term, at in zip(others, places[1:], strict=True):
        start = at + len(text[at:]) - len(text[at:].lstrip())
        if expression.numeric:
            if not {first.fact, term.fact} <= VERSION_FACTS.keys():
                raise ExpressionError("only facts of a version take part in arithmetic", start)
        elif FACTS[term.fact] != FACTS[first.fact]:
            raise ExpressionError(
                f"`{term.fact}` is {FACTS[term.fact]}, and `{first.fact}` is "
                f"{FACTS[first.fact]}: they can never agree",
                start,
            )
    if FACTS[first.fact] in TEXT_GROUPS and not expression.agreement:
        raise ExpressionError(f"`{first.fact}` is a text and stands in no order: join by `==`", 0)


class _Parser:
    """A cursor over the tokens of an expression."""

    def __init__(self, text: str) -> None:
        self._text = text.rstrip()
        self.at = 0

    def _next(self) -> tuple[str, str, int]:
        """Return the kind, text and offset of the next token; the kind is empty at the end."""
        match = _TOKEN.match(self._text, self.at)
        if match is None:
            at = self.at + len(self._text[self.at :]) - len(self._text[self.at :].lstrip())
            return "", self._text[at : at + 1], at
        kind = match.lastgroup or ""
        return kind, match[kind], match.start(kind)

    def _accept(self, kind: str) -> tuple[str, int] | None:
        found, text, at = self._next()
        if found != kind:
            return None
        self.at = at + len(text)
        return text, at

    def _expect(self, kind: str, what: str) -> tuple[str, int]:
        accepted = self._accept(kind)
        if accepted is None:
            _, text, at = self._next()
            raise ExpressionError(
                f"expected {what}, found {f'`{text}`' if text else 'the end'}", at
            )
        return accepted

    def term(self) -> Term:
        word, at = self._expect("word", "the name of a distribution, or a fact of one")
        if self._accept("open") is None:
            return Term(fact="public", member=Member(names=(parse_name(word, at),)))
        if word not in FACTS:
            raise ExpressionError(unknown_fact(word), at)
        member = self._member()
        self._expect("close", "`)`")
        return Term(fact=word, member=member, plus=self._arithmetic())

    def _member(self) -> Member:
        """Parse what stands in the parentheses; a choice holds bars and a range holds relations."""
        inside = _INSIDE.match(self._text, self.at)
        text = inside[0] if inside else ""
        closed = self._text[self.at + len(text) :].startswith(")")
        if not text.strip() or not closed:
            # One name, so that the message points at what is wrong with it.
            name, at = self._expect("word", "the name of a distribution")
            return Member(names=(parse_name(name, at),))
        member = parse_member(text, self.at)
        self.at += len(text)
        return member

    def _arithmetic(self) -> int | None:
        match = _ARITHMETIC.match(self._text, self.at)
        if match is None:
            return None
        self.at = match.end()
        return int(f"{match['sign']}{match['number']}")

    def relation(self) -> str | None:
        kind, text, at = self._next()
        if not text:
            return None
        if text[0] in "+-":
            raise ExpressionError(
                f"expected {_RELATION_OR_END}, found `{text}`: a number is added to a fact call, "
                "with spaces, `minor(a) - 21`",
                at,
            )
        if kind != "relation" and text[0] in "<>!~":
            raise ExpressionError(
                f"expected {_RELATION_OR_END}, found `{text}`: a range stands in a fact call, "
                "`public(a<2)`",
                at,
            )
        return self._expect("relation", _RELATION_OR_END)[0]
