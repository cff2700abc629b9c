"""Built-in checks: one file each, the same shape as a rule kind, no table. This is the list."""

from envaudit.checks import (
    distribution_lost,
    duplicate,
    editable_dangling,
    extension_abi,
    extra_pin,
    files_missing,
    files_orphaned,
    files_overlap,
    foreign_installer,
    generated_code,
    incomplete,
    leftover,
    modules,
    name_mismatch,
    partial_upgrade,
    platform_mismatch,
    python_unsupported,
    record_list,
    requirements,
    standing,
    startup_hook,
    unmeasured,
    uv_blocked,
    vacuous,
    version_invalid,
)
from envaudit.model.finding import Explanation
from envaudit.model.subject import Judge

CHECKS: tuple[Judge, ...] = (
    uv_blocked.UvBlocked(),
    incomplete.Incomplete(),
    version_invalid.VersionInvalid(),
    name_mismatch.NameMismatch(),
    duplicate.Duplicate(),
    leftover.Leftover(),
    distribution_lost.DistributionLost(),
    requirements.Requirements(),
    extra_pin.ExtraPin(),
    python_unsupported.PythonUnsupported(),
    platform_mismatch.PlatformMismatch(),
    editable_dangling.EditableDangling(),
    record_list.RecordList(),
    files_missing.FilesMissing(),
    files_overlap.FilesOverlap(),
    files_orphaned.FilesOrphaned(),
    extension_abi.ExtensionAbi(),
    modules.Modules(),
    generated_code.GeneratedCode(),
    standing.Standing(),
    startup_hook.Hooks(),
    foreign_installer.ForeignInstaller(),
    partial_upgrade.PartialUpgrade(),
    unmeasured.Unmeasured(),
    vacuous.Vacuous(),
)

_ON_FILES: tuple[Explanation, ...] = (
    *record_list.EXPLANATIONS,
    files_missing.EXPLANATION,
    files_overlap.EXPLANATION,
    files_orphaned.EXPLANATION,
    extension_abi.EXPLANATION,
    *modules.EXPLANATIONS,
    generated_code.EXPLANATION,
    unmeasured.EXPLANATION,
)

EXPLANATIONS: tuple[Explanation, ...] = (
    uv_blocked.EXPLANATION,
    *incomplete.EXPLANATIONS,
    version_invalid.EXPLANATION,
    name_mismatch.EXPLANATION,
    duplicate.EXPLANATION,
    leftover.EXPLANATION,
    distribution_lost.EXPLANATION,
    *requirements.EXPLANATIONS,
    extra_pin.EXPLANATION,
    python_unsupported.EXPLANATION,
    platform_mismatch.EXPLANATION,
    editable_dangling.EXPLANATION,
    *standing.EXPLANATIONS,
    startup_hook.EXPLANATION,
    foreign_installer.EXPLANATION,
    partial_upgrade.EXPLANATION,
    *vacuous.EXPLANATIONS,
    *_ON_FILES,
)

FILE_CODES = frozenset(explanation.code for explanation in _ON_FILES)
"""Codes of checks that look at files: of them, a baseline tells nothing."""
