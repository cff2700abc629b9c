"""Judging files alone: without policies, and without a graph where no distributions are rivals."""

from envaudit.checks import FILE_CHECKS
from envaudit.model.files import Files
from envaudit.model.finding import Finding
from envaudit.model.requirement import Need
from envaudit.model.snapshot import Snapshot
from envaudit.model.subject import Subject


def evaluate_files(
    snapshot: Snapshot, files: Files, *, baseline: Snapshot | None = None
) -> tuple[Finding, ...]:
    """Judge by the checks that look at files alone; heaviest findings first."""
    subject = Subject(
        snapshot=snapshot,
        installed=snapshot.by_name(),
        needs=_needs(snapshot, files),
        files=files,
        baseline=baseline,
    )
    findings = (finding for check in FILE_CHECKS for finding in check.judge(subject))
    return tuple(sorted(findings, key=lambda finding: finding.order))


def _needs(snapshot: Snapshot, files: Files) -> tuple[Need, ...]:
    """Return who needs whom, which decides who of two rivals stays, and only that."""
    if not any(one.differs for one in files.contested):
        return ()
    from envaudit.core.graph import resolve  # networkx takes longer than most runs

    return resolve(snapshot).needs()
