"""What comes in with an install that no resolver has made fit: judged by another answer of uv's."""

import re
from collections.abc import Sequence

from envaudit.model.finding import Explanation, Finding, Place, Severity
from envaudit.model.plan import Answer, Refused, Resolved
from envaudit.model.snapshot import Snapshot

EXPLANATIONS = (
    Explanation(
        code="incoming-missing",
        meaning="What an install brings requires a distribution that would not be there.",
        why=(
            "Under `--no-deps`, with overrides and in `uv pip sync`, nothing installs what the "
            "incoming distributions require."
        ),
        repair="Name the missing distribution in the command, or let uv install dependencies.",
    ),
    Explanation(
        code="incoming-unmet",
        meaning="What an install brings does not fit the versions that would stand beside it.",
        why=(
            "Under `--no-deps`, with overrides and in `uv pip sync`, uv plans versions that "
            "contradict what the incoming distributions require."
        ),
        repair="Leave out the override, or move what stands in the way in the same command.",
    ),
    Explanation(
        code="incoming-unverified",
        meaning="What the incoming distributions require could not be looked up.",
        why="The install may leave a requirement unmet; neither uv nor envaudit can say.",
        repair="Run `envaudit check` after the install: then their metadata can be read.",
    ),
)

# uv says that it does not know a version: no word about whether what it knows fits together.
_NOT_KNOWN = re.compile(
    r"no version of|not found in|was not found|could not|cannot be built|no wheels|needs something"
)


def judge_incoming(
    pins: Sequence[str], answer: Answer, projection: Snapshot, *, sound: bool
) -> tuple[Finding, ...]:
    """Say what ``pins`` lack, by what uv answered to them, in the environment of ``projection``.

    ``sound``: whether the present has no unmet requirement that uv's refusal could be about.
    """
    coming = f"coming in: {', '.join(pins)}"
    match answer:
        case Resolved(moves=moves):
            installed = projection.by_name()
            return tuple(
                Finding(
                    code="incoming-missing",
                    severity=Severity.ERROR,
                    distributions=(move.name,),
                    message=f"`{move.name}` is required by what comes in, and would not be there",
                    evidence=(coming, f"uv would add: {move.name} {move.after}"),
                    introduced=True,
                    remedies=(Place(name=move.name, specifier=f"=={move.after}", up=True),),
                )
                for move in moves
                if move.after is not None and move.name not in installed
            )
        case Refused(reason=reason) if sound and not _NOT_KNOWN.search(reason):
            return (
                Finding(
                    code="incoming-unmet",
                    severity=Severity.ERROR,
                    distributions=(),
                    message="what comes in does not fit what would stand beside it",
                    evidence=(coming, *(f"uv says: {line}" for line in _lines(reason))),
                    introduced=True,
                ),
            )
        case Refused(reason=reason):
            return (unverified(coming, *(f"uv says: {line}" for line in _lines(reason))),)


def unverified(*evidence: str) -> Finding:
    """Return the remark that what comes in was not looked up."""
    return Finding(
        code="incoming-unverified",
        severity=Severity.INFO,
        distributions=(),
        message="what the incoming distributions require is not known, and was not judged",
        evidence=evidence,
        introduced=True,
    )


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())
