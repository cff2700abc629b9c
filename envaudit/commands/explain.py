"""``envaudit explain CODE``: what a finding means, why it matters, how it is repaired."""

from difflib import get_close_matches

from envaudit import checks, rules
from envaudit.exits import Exit
from envaudit.model.errors import Problem, UsageError
from envaudit.model.finding import Explanation
from envaudit.model.report import Report

EXPLANATIONS: tuple[Explanation, ...] = tuple(
    sorted((*rules.EXPLANATIONS, *checks.EXPLANATIONS), key=lambda explanation: explanation.code)
)


def run(*, code: str | None) -> Report:
    """Explain ``code``; without one, list all codes.

    Raises:
        UsageError: there is no such code.
    """
    if code is None:
        known = EXPLANATIONS
        width = max(len(explanation.code) for explanation in known)
        lines = tuple(f"{item.code.ljust(width)}  {item.meaning}" for item in known)
    else:
        known = tuple(item for item in EXPLANATIONS if item.code == code)
        if not known:
            raise UsageError(_unknown(code))
        lines = tuple(line for item in known for line in _lines(item))
    return Report(
        command="explain",
        exit=Exit.PASS,
        lines=lines,
        data={
            "codes": [
                {
                    "code": item.code,
                    "meaning": item.meaning,
                    "why": item.why,
                    "repair": item.repair,
                }
                for item in known
            ]
        },
    )


def _lines(explanation: Explanation) -> tuple[str, ...]:
    return (
        explanation.code,
        f"  what it means: {explanation.meaning}",
        f"  why it matters: {explanation.why}",
        f"  how it is repaired: {explanation.repair}",
    )


def _unknown(code: str) -> Problem:
    codes = [explanation.code for explanation in EXPLANATIONS]
    near = get_close_matches(code, codes, n=1)
    hint = f"did you mean `{near[0]}`?" if near else "`envaudit explain` lists all codes"
    return Problem(message=f"no finding has the code `{code}`", hint=hint)
