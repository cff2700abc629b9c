"""The rule kind ``compare``: facts of installed distributions agree, or stand in an order.

    compare = "full(flashinfer-python) == full(flashinfer-cubin)"

Terms are joined by ``==``, ``<=`` or ``>=``. A term is a fact called on a name; a bare name means
``public``. Members that are not installed are never a violation, and a fact that is not known
neither equals nor differs: it is said as info.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise, product
from operator import eq, ge, le
from types import MappingProxyType

from packaging.utils import InvalidName, canonicalize_name

from envaudit.model.distribution import Distribution
from envaudit.model.fact import FACTS, Known, Unknown, read_fact
from envaudit.model.finding import Align, Explanation, Finding, Remedy, Remove, Severity
from envaudit.model.subject import Subject
from envaudit.rules.table import ExpressionError, Table

KEY = "compare"

EXPLANATION = Explanation(
    code=KEY,
    meaning=(
        "A policy says that facts of some distributions must agree (or stand in an order), and "
        "those that are installed do not."
    ),
    why=(
        "The distributions check each other when they are imported, or share a binary interface, "
        "and their metadata does not say so: the resolver is free to move one without the other. "
        "The rule's reason and sources stand in the policy file that the finding names."
    ),
    repair="Run `envaudit fix`: forward, back, or without an optional companion, whichever works.",
)

_RELATIONS: Mapping[str, tuple[Callable[[Known, Known], bool], str]] = MappingProxyType(
    {
        "==": (eq, "does not match"),
        "<=": (le, "is later than"),
        ">=": (ge, "is earlier than"),
    }
)
_TOKEN = re.compile(r"\s*(?:(?P<relation>==|<=|>=)|(?P<open>\()|(?P<close>\))|(?P<word>[\w.-]+))")
_RELATION_OR_END = "`==`, `<=`, `>=` or the end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A fact of one member."""

    fact: str
    member: str
    """Normalised name."""

    def __str__(self) -> str:
        """Write it as a policy does."""
        return f"{self.fact}({self.member})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """Terms joined by relations: one relation fewer than terms."""

    text: str
    terms: tuple[Term, ...]
    relations: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compare:
    """One table of this kind."""

    expression: Expression
    severity: Severity
    skip: frozenset[str] = frozenset()
    """Versions that carry no information."""
    bypass: str | None = None
    """The variable that silences the runtime's own check; reported only beside a mismatch."""
    remedies: tuple[Remedy, ...] = ()

    @classmethod
    def from_table(cls, table: Table) -> "Compare | None":
        """Build it from a rule's table; ``None`` where mistakes were noted in its expression."""
        expression = table.parsed(KEY, parse_expression)
        severity = Severity(table.choice("severity", [*Severity], Severity.ERROR))
        skip = frozenset(table.texts("skip"))
        bypass = table.optional_text("bypass-env")
        if expression is None:
            table.texts("remedies")
            return None
        remedies = table.each_parsed("remedies", lambda text: _remedy(text, expression))
        return cls(
            expression=expression, severity=severity, skip=skip, bypass=bypass, remedies=remedies
        )

    @property
    def members(self) -> tuple[str, ...]:
        """Normalised names in the order of the expression."""
        return tuple(dict.fromkeys(term.member for term in self.expression.terms))

    @property
    def summary(self) -> str:
        """The rule on one line."""
        return self.expression.text

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return a finding for each pair of neighbours, among the installed, that disagrees."""
        findings: list[Finding] = []
        for left, relation, right in self._neighbours(subject):
            pairs = product(subject.installed[left.member], subject.installed[right.member])
            for one, other in pairs:
                finding = self._judge_pair(left, relation, right, (one, other), subject)
                if finding is not None:
                    findings.append(finding)
        return tuple(dict.fromkeys(findings))

    def _neighbours(self, subject: Subject) -> tuple[tuple[Term, str, Term], ...]:
        """Pair each installed term with the next installed one; the absent are passed over."""
        relations = ("==", *self.expression.relations)
        installed = [
            (relation, term)
            for relation, term in zip(relations, self.expression.terms, strict=True)
            if term.member in subject.installed
        ]
        return tuple(
            (left, relation, right) for (_, left), (relation, right) in pairwise(installed)
        )

    def _judge_pair(
        self,
        left: Term,
        relation: str,
        right: Term,
        pair: tuple[Distribution, Distribution],
        subject: Subject,
    ) -> Finding | None:
        one, other = pair
        values = (
            read_fact(left.fact, one, skip=self.skip),
            read_fact(right.fact, other, skip=self.skip),
        )
        names = tuple(sorted({one.name, other.name}))
        match values:
            case (Unknown(reason=reason), _) | (_, Unknown(reason=reason)):
                return Finding(
                    code=KEY,
                    severity=Severity.INFO,
                    distributions=names,
                    message=(
                        f"`{one.label}` and `{other.label}` cannot be compared by "
                        f"`{left} {relation} {right}`: {reason}"
                    ),
                )
            case (Known() as first, Known() as second):
                holds, complaint = _RELATIONS[relation]
                if holds(first, second):
                    return None
                return Finding(
                    code=KEY,
                    severity=self.severity,
                    distributions=names,
                    message=f"`{one.label}` {complaint} `{other.label}`",
                    evidence=self._evidence(left, relation, right, subject),
                    remedies=self.remedies,
                )

    def _evidence(
        self, left: Term, relation: str, right: Term, subject: Subject
    ) -> tuple[str, ...]:
        rule = f"the rule: {left} {relation} {right}"
        if self.bypass is None or self.bypass not in subject.variables:
            return (rule,)
        return rule, f"`{self.bypass}` is set here: it hides the mismatch and does not end it"


def parse_expression(text: str) -> Expression:
    """Parse the text of a ``compare``.

    Raises:
        ExpressionError: what was expected, and the offset at which something else stands.
    """
    parser = _Parser(text)
    terms = [parser.term()]
    relations: list[str] = []
    while (relation := parser.relation()) is not None:
        relations.append(relation)
        terms.append(parser.term())
    if not relations:
        raise ExpressionError("expected `==`, `<=` or `>=` and a second term", len(text))
    return Expression(text=text, terms=tuple(terms), relations=tuple(relations))


class _Parser:
    """A cursor over the tokens of an expression."""

    def __init__(self, text: str) -> None:
        self._text = text.rstrip()
        self._at = 0

    def _next(self) -> tuple[str, str, int]:
        """Return the kind, text and offset of the next token; the kind is empty at the end."""
        match = _TOKEN.match(self._text, self._at)
        if match is None:
            at = self._at + len(self._text[self._at :]) - len(self._text[self._at :].lstrip())
            return "", self._text[at : at + 1], at
        kind = match.lastgroup or ""
        return kind, match[kind], match.start(kind)

    def _accept(self, kind: str) -> tuple[str, int] | None:
        found, text, at = self._next()
        if found != kind:
            return None
        self._at = at + len(text)
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
            return Term(fact="public", member=_name(word, at))
        if word not in FACTS:
            known = ", ".join(sorted(FACTS))
            raise ExpressionError(f"`{word}` is not a fact; known are {known}", at)
        member, member_at = self._expect("word", "the name of a distribution")
        self._expect("close", "`)`")
        return Term(fact=word, member=_name(member, member_at))

    def relation(self) -> str | None:
        if not self._next()[1]:
            return None
        return self._expect("relation", _RELATION_OR_END)[0]


def _name(text: str, at: int) -> str:
    try:
        return canonicalize_name(text, validate=True)
    except InvalidName:
        raise ExpressionError(f"`{text}` is not the name of a distribution", at) from None


def _remedy(text: str, expression: Expression) -> Remedy:
    members = tuple(dict.fromkeys(term.member for term in expression.terms))
    match text.split():
        case ["align"]:
            return Align(members=members, fact=expression.terms[0].fact)
        case ["remove", name] if canonicalize_name(name) in members:
            return Remove(name=canonicalize_name(name))
        case _:
            raise ExpressionError(f"`{text}` is no remedy: `align`, or `remove` and a member", 0)
