"""Built-in checks: one file each, the same shape as a rule kind, no table. This is the list."""

from envaudit.checks import flavour, incoming, incomplete, partial_upgrade, requirements, vacuous
from envaudit.model.finding import Explanation
from envaudit.model.subject import Judge

CHECKS: tuple[Judge, ...] = (
    incomplete.Incomplete(),
    requirements.Requirements(),
    partial_upgrade.PartialUpgrade(),
    vacuous.Vacuous(),
)

EXPLANATIONS: tuple[Explanation, ...] = (
    incomplete.EXPLANATION,
    *requirements.EXPLANATIONS,
    partial_upgrade.EXPLANATION,
    *vacuous.EXPLANATIONS,
    flavour.EXPLANATION,
    *incoming.EXPLANATIONS,
)
