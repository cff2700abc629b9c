"""Built-in checks: one file each, the same shape as a rule kind, no table. This is the list."""

from envaudit.checks import (
    files_missing,
    files_overlap,
    flavour,
    incoming,
    incomplete,
    partial_upgrade,
    requirements,
    unmeasured,
    vacuous,
)
from envaudit.model.finding import Explanation
from envaudit.model.subject import Judge

CHECKS: tuple[Judge, ...] = (
    incomplete.Incomplete(),
    requirements.Requirements(),
    files_missing.FilesMissing(),
    files_overlap.FilesOverlap(),
    partial_upgrade.PartialUpgrade(),
    unmeasured.Unmeasured(),
    vacuous.Vacuous(),
)

_ON_FILES: tuple[Explanation, ...] = (
    files_missing.EXPLANATION,
    files_overlap.EXPLANATION,
    unmeasured.EXPLANATION,
)

EXPLANATIONS: tuple[Explanation, ...] = (
    incomplete.EXPLANATION,
    *requirements.EXPLANATIONS,
    partial_upgrade.EXPLANATION,
    *vacuous.EXPLANATIONS,
    *_ON_FILES,
    flavour.EXPLANATION,
    *incoming.EXPLANATIONS,
)

FILE_CODES = frozenset(explanation.code for explanation in _ON_FILES)
"""Codes of checks that look at files: of them, a baseline tells nothing."""
