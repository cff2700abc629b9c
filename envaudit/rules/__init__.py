"""Rule kinds: one file each, judging the tables of a policy. A rule sees values. This is the list.

A rule's table is of the kind whose key it has: ``compare = "…"`` makes it a ``compare``. Conditions
alone (``when``) make it an ``implies`` without a ``then``: a release that is known to be bad.
``reference.toml``, beside this file, shows every key.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from envaudit.model.finding import Explanation
from envaudit.model.policy import RuleKind
from envaudit.rules import companion, compare, exclusive, forbidden, implies, soundness, waivers
from envaudit.rules.modified import Kind, modify, read_conditions
from envaudit.rules.table import Table

KINDS: Mapping[str, Callable[[Table], Kind | None]] = MappingProxyType(
    {
        compare.CODE: compare.Compare.from_table,
        implies.CODE: implies.Implies.from_table,
        exclusive.CODE: exclusive.Exclusive.from_table,
        companion.CODE: companion.Companion.from_table,
        forbidden.CODE: forbidden.Forbidden.from_table,
    }
)

KEYS: Mapping[str, str] = MappingProxyType(
    {
        compare.KEY: compare.CODE,
        implies.KEY: implies.CODE,
        implies.ROWS: implies.CODE,
        exclusive.KEY: exclusive.CODE,
        companion.KEY: companion.CODE,
        forbidden.KEY: forbidden.CODE,
    }
)
"""By which key a table is of which kind."""

EXPLANATIONS: tuple[Explanation, ...] = (
    compare.EXPLANATION,
    implies.EXPLANATION,
    exclusive.EXPLANATION,
    companion.EXPLANATION,
    forbidden.EXPLANATION,
    *waivers.EXPLANATIONS,
    *soundness.EXPLANATIONS,
)

_OWN_CONDITIONS = frozenset({implies.KEY, implies.WHEN, companion.KEY})
"""Keys of tables in which ``when`` is part of what they say; in others it is a modifier."""

_LAID_ON = ("when", "severity", "remedies", "skip", "except", "bypass-env", "since", "until")
"""Keys beside those of ``KEYS``: what is said of a rule that is not built, for another mistake."""


def build_kind(table: Table) -> RuleKind | None:
    """Build what judges a rule's table; ``None`` where mistakes were noted in it."""
    keys = [key for key in KEYS if table.has(key)] or (
        [implies.WHEN] if table.has(implies.WHEN) else []
    )
    match keys:
        case [key]:
            return _build(table, key)
        case []:
            known = ", ".join((*KEYS, implies.WHEN))
            table.note("id", f"the rule is of no kind: it needs one of {known}")
        case _:
            table.note(keys[1], f"the rule is of two kinds, {' and '.join(keys)}: split it")
    table.forgive(*KEYS, *_LAID_ON, "keep", "above-last-row")
    return None


def _build(table: Table, key: str) -> RuleKind | None:
    conditions = () if key in _OWN_CONDITIONS else read_conditions(table)
    kind = KINDS[KEYS.get(key, implies.CODE)](table)
    if kind is None:
        table.forgive(*_LAID_ON)
        return None
    return modify(table, kind, conditions)
