"""Built-in checks: one file each, the same shape as a rule kind, no table. This is the list."""

from envaudit.checks import (
    bytecode,
    files_irregular,
    files_missing,
    files_modified,
    files_overlap,
    files_unlisted,
    files_unreadable,
    files_unverifiable,
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
    files_modified.FilesModified(),
    files_irregular.FilesIrregular(),
    files_unreadable.FilesUnreadable(),
    files_unverifiable.FilesUnverifiable(),
    files_unlisted.FilesUnlisted(),
    bytecode.JudgedBytecode(),
    partial_upgrade.PartialUpgrade(),
    unmeasured.Unmeasured(),
    vacuous.Vacuous(),
)

FILE_CHECKS: tuple[Judge, ...] = (
    files_missing.FilesMissing(),
    files_overlap.FilesOverlap(),
    files_modified.FilesModified(),
    files_irregular.FilesIrregular(),
    files_unreadable.FilesUnreadable(),
    files_unverifiable.FilesUnverifiable(),
    files_unlisted.FilesUnlisted(),
    bytecode.JudgedBytecode(),
    unmeasured.Unmeasured(),
)
"""Those of them that look at files alone."""

_ON_FILES: tuple[Explanation, ...] = (
    files_missing.EXPLANATION,
    files_overlap.EXPLANATION,
    *files_modified.EXPLANATIONS,
    files_irregular.EXPLANATION,
    files_unreadable.EXPLANATION,
    files_unverifiable.EXPLANATION,
    files_unlisted.EXPLANATION,
    *bytecode.EXPLANATIONS,
    unmeasured.EXPLANATION,
)

EXPLANATIONS: tuple[Explanation, ...] = (
    incomplete.EXPLANATION,
    *requirements.EXPLANATIONS,
    partial_upgrade.EXPLANATION,
    *vacuous.EXPLANATIONS,
    *_ON_FILES,
)

FILE_CODES = frozenset(explanation.code for explanation in _ON_FILES)
"""Codes of checks that look at files. A baseline tells of them what it recorded of files, no more:
they say themselves what is new."""
