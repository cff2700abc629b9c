"""Rule kinds: one file each, judging the tables of a policy. A rule sees values. This is the list.

A rule's table is of the kind whose key it has: ``compare = "…"`` makes it a ``compare``. Conditions
alone (``when``) make it an ``implies`` without a ``then``: a release that is known to be bad.
``reference.toml``, beside this file, shows every key.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from envaudit.model.finding import Explanation
from envaudit.model.policy import RuleKind
from envaudit.rules import companion, compare, exclusive, forbidden, implies
from envaudit.rules.modified import Kind, modify, read_conditions
from envaudit.rules.table import Table

WHEN = "when"

KINDS: Mapping[str, Callable[[Table], Kind | None]] = MappingProxyType(
    {
        compare.KEY: compare.Compare.from_table,
        implies.KEY: implies.Implies.from_table,
        implies.ROWS: implies.Implies.rows_from_table,
        exclusive.KEY: exclusive.Exclusive.from_table,
        companion.KEY: companion.Companion.from_table,
        forbidden.KEY: forbidden.Forbidden.from_table,
    }
)

EXPLANATIONS: tuple[Explanation, ...] = (
    compare.EXPLANATION,
    implies.EXPLANATION,
    exclusive.EXPLANATION,
    companion.EXPLANATION,
    forbidden.EXPLANATION,
)

_TAKES_CONDITIONS = frozenset({implies.KEY, companion.KEY, WHEN})
"""Kinds whose own conditions ``when`` holds; for the others it is a modifier."""


def build_kind(table: Table) -> RuleKind | None:
    """Build what judges a rule's table; ``None`` where mistakes were noted in it."""
    keys = [key for key in KINDS if table.has(key)]
    if not keys and table.has(WHEN):
        return _modified(table, WHEN, implies.Implies.from_table)
    match keys:
        case [key]:
            return _modified(table, key, KINDS[key])
        case []:
            table.note(
                "id", f"the rule is of no kind: it needs one of {', '.join(KINDS)} or {WHEN}"
            )
        case _:
            table.note(keys[1], f"the rule is of two kinds, {' and '.join(keys)}: split it")
    return None


def _modified(table: Table, key: str, build: Callable[[Table], Kind | None]) -> RuleKind | None:
    conditions = () if key in _TAKES_CONDITIONS else read_conditions(table)
    kind = build(table)
    if kind is None:
        table.forgive("severity", "remedies", "skip", "except", "bypass-env", "since", "until")
        return None
    return modify(table, kind, conditions)
