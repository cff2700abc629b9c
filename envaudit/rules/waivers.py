"""Waivers: dated, reasoned exceptions to findings, and what is said of the waivers themselves."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from envaudit.model.finding import Explanation, Finding, Severity, Waived
from envaudit.model.policy import Waiver

EXPLANATIONS = (
    Explanation(
        code="waiver-expired",
        meaning="The last day of a waiver has passed: what it waived counts again.",
        why="An exception was made for a time, and somebody promised to look again by then.",
        repair="Repair what it waived, or renew it with `envaudit policy waive`.",
    ),
    Explanation(
        code="waiver-unused",
        meaning="A waiver is in force, and there is nothing here that it waives.",
        why=(
            "What it waived is repaired, or stands in another environment, or the waiver names a "
            "rule that is not in force. A forgotten waiver hides the next case."
        ),
        repair="Delete the `[[waiver]]` table at the place named, if it is needed nowhere else.",
    ),
)


def apply(
    findings: Iterable[Finding], waivers: Sequence[Waiver], today: date | None
) -> tuple[Finding, ...]:
    """Return ``findings``, those marked that a waiver covers, and a finding for each idle waiver.

    Nothing gets heavier by a waiver. An unknown day (``None``) expires none.
    """
    in_force = [waiver for waiver in waivers if today is None or today <= waiver.until]
    used: set[Waiver] = set()
    marked: list[Finding] = []
    for finding in findings:
        waiver = next((item for item in in_force if _covers(item, finding)), None)
        if waiver is None:
            marked.append(finding)
            continue
        used.add(waiver)
        marked.append(
            replace(
                finding,
                waived=Waived(
                    until=waiver.until, reason=waiver.reason, file=waiver.file, line=waiver.line
                ),
            )
        )
    idle = [
        _expired(waiver) if waiver not in in_force else _unused(waiver)
        for waiver in waivers
        if waiver not in used
    ]
    return (*marked, *idle)


def _covers(waiver: Waiver, finding: Finding) -> bool:
    named = finding.code if finding.rule is None else finding.rule.id
    return waiver.rule == named and (
        not waiver.distributions or not set(waiver.distributions).isdisjoint(finding.distributions)
    )


def _place(waiver: Waiver) -> str:
    return f"{waiver.file}:{waiver.line}"


def _expired(waiver: Waiver) -> Finding:
    return Finding(
        code="waiver-expired",
        severity=Severity.WARNING,
        distributions=waiver.distributions,
        message=f"the waiver of `{waiver.rule}` has expired on {waiver.until.isoformat()}",
        evidence=(f"it stands at: {_place(waiver)}", f"its reason was: {waiver.reason}"),
    )


def _unused(waiver: Waiver) -> Finding:
    return Finding(
        code="waiver-unused",
        severity=Severity.INFO,
        distributions=waiver.distributions,
        message=f"the waiver of `{waiver.rule}` waives nothing here",
        evidence=(f"it stands at: {_place(waiver)}", f"its reason is: {waiver.reason}"),
    )
