"""Waivers: dated, reasoned exceptions to findings, and what is said of the waivers themselves."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from envaudit.model.finding import Explanation, Finding, Severity, Waived
from envaudit.model.policy import Waiver
from envaudit.rules import soundness

OF_RULES = frozenset(explanation.code for explanation in soundness.EXPLANATIONS)
"""Codes of what is found in the rules themselves: they are waived by the code too."""

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
    findings: Iterable[Finding],
    waivers: Sequence[Waiver],
    today: date | None,
    known: frozenset[str] | None = None,
) -> tuple[Finding, ...]:
    """Return ``findings``, those marked that a waiver covers, and a finding for each idle waiver.

    Nothing gets heavier by a waiver. Of several that cover a finding, the one that holds longest
    is named. An unknown day (``None``) expires none. ``known``: all that a waiver can name; where
    it is not known, no waiver is called one of nothing.
    """
    in_force = [waiver for waiver in waivers if today is None or today <= waiver.until]
    used: set[Waiver] = set()
    marked: list[Finding] = []
    for finding in findings:
        covering = [item for item in in_force if _covers(item, finding)]
        if not covering:
            marked.append(finding)
            continue
        used.update(covering)
        waiver = max(covering, key=lambda item: item.until)
        marked.append(
            replace(
                finding,
                waived=Waived(
                    until=waiver.until, reason=waiver.reason, file=waiver.file, line=waiver.line
                ),
            )
        )
    idle = [
        _idle(waiver, in_force, known) for waiver in dict.fromkeys(waivers) if waiver not in used
    ]
    return (*marked, *idle)


def _covers(waiver: Waiver, finding: Finding) -> bool:
    named = {finding.code} if finding.rule is None else {finding.rule.id}
    if finding.code in OF_RULES:
        named.add(finding.code)
    return waiver.rule in named and (
        not waiver.distributions or not set(waiver.distributions).isdisjoint(finding.distributions)
    )


def _idle(waiver: Waiver, in_force: Sequence[Waiver], known: frozenset[str] | None) -> Finding:
    if known is not None and waiver.rule not in known:
        return _of_nothing(waiver)
    if waiver in in_force:
        return _unused(waiver)
    renewed = next((other for other in in_force if _replaces(other, waiver)), None)
    return _expired(waiver) if renewed is None else _renewed(waiver, renewed)


def _replaces(other: Waiver, waiver: Waiver) -> bool:
    """Return whether ``other`` waives all that ``waiver`` did."""
    return other.rule == waiver.rule and (
        not other.distributions
        or (bool(waiver.distributions) and set(waiver.distributions) <= set(other.distributions))
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


def _renewed(waiver: Waiver, other: Waiver) -> Finding:
    return Finding(
        code="waiver-unused",
        severity=Severity.INFO,
        distributions=waiver.distributions,
        message=(
            f"the waiver of `{waiver.rule}` has expired on {waiver.until.isoformat()}, and another "
            "one has taken its place"
        ),
        evidence=(f"it stands at: {_place(waiver)}", f"the other stands at: {_place(other)}"),
    )


def _of_nothing(waiver: Waiver) -> Finding:
    return Finding(
        code="waiver-unused",
        severity=Severity.WARNING,
        distributions=waiver.distributions,
        message=f"the waiver of `{waiver.rule}` waives nothing: no rule in force and no check is "
        "called so",
        evidence=(f"it stands at: {_place(waiver)}", f"its reason is: {waiver.reason}"),
    )


def _unused(waiver: Waiver) -> Finding:
    return Finding(
        code="waiver-unused",
        severity=Severity.INFO,
        distributions=waiver.distributions,
        message=f"the waiver of `{waiver.rule}` waives nothing here",
        evidence=(f"it stands at: {_place(waiver)}", f"its reason is: {waiver.reason}"),
    )
