"""Rule kinds: one file each, judging the tables of a policy. A rule sees values. This is the list.

A rule's table is of the kind whose key it has: ``compare = "…"`` makes it a ``compare``.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from envaudit.model.finding import Explanation
from envaudit.model.policy import RuleKind
from envaudit.rules import compare
from envaudit.rules.table import Table

KINDS: Mapping[str, Callable[[Table], RuleKind | None]] = MappingProxyType(
    {
        compare.KEY: compare.Compare.from_table,
    }
)

EXPLANATIONS: tuple[Explanation, ...] = (compare.EXPLANATION,)
