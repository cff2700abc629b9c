"""``envaudit gate -- COMMAND``: judge an install before anything is touched.

What the install *introduces* refuses it, what was there before is shown. Where it is refused, the
command that would be right is looked for: see ``instead``. How a command is heard: see ``hearing``.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace

from envaudit.commands import saving
from envaudit.commands.hearing import Hearing, Outcome, Terms, required_name
from envaudit.commands.instead import search
from envaudit.commands.judging import Bench
from envaudit.commands.opening import Party, open_hearing
from envaudit.commands.recorded import open_recorded
from envaudit.commands.surroundings import Surroundings
from envaudit.core import drift
from envaudit.core.graph import resolve
from envaudit.core.redaction import find_secrets, redact_text
from envaudit.core.understand import understand
from envaudit.exits import Exit
from envaudit.model.distribution import Distribution
from envaudit.model.document import Json
from envaudit.model.drift import Added, Altered, Change, change_kind, changed_name
from envaudit.model.errors import Problem, UsageError
from envaudit.model.finding import Finding
from envaudit.model.plan import Refused
from envaudit.model.report import Report, Verdict
from envaudit.model.requirement import Chain, Link

_HASHES = (
    "the hashes that the command asks for are compared when files are there: a dry run has not "
    "checked them"
)
_OVERLAPS = (
    "which files the incoming distributions bring is not known before they are there: whether they "
    "overwrite files of others was not judged"
)


def run(
    surroundings: Surroundings,
    bench: Bench,
    command: Sequence[str],
    terms: Terms,
    *,
    snapshot: str | None = None,
) -> Report:
    """Judge what ``command`` would make of the environment, or of a recorded ``snapshot``.

    Raises:
        EnvauditError: the command is not understood, or its installer could not answer.
    """
    party = Party(surroundings=surroundings, bench=bench, request=understand(command), terms=terms)
    if snapshot is None:
        return _hear(open_hearing(party))
    if terms.save is not None:
        raise UsageError(
            Problem(
                message="`--save` and `--snapshot` exclude each other: a plan is for what stands",
                hint="save the plan where it is to be carried out",
            )
        )
    with open_recorded(party, snapshot) as hearing:
        return _hear(hearing)


def _hear(hearing: Hearing) -> Report:
    outcome = hearing.hear()
    if isinstance(outcome, Refused):
        return unsolvable(hearing, outcome)
    return conclude(hearing, outcome)


def unsolvable(hearing: Hearing, refused: Refused) -> Report:
    """Report that the installer itself refuses the command, in its own words."""
    name = hearing.request.installer.value
    return Report(
        command="gate",
        exit=Exit.FINDINGS,
        verdict=Verdict.FAIL,
        environment=hearing.reading.summary(contents=False),
        complete=hearing.present.complete,
        lines=(f"refused: {name} itself refuses the command", *_said(refused.reason)),
        notes=hearing.remarks,
        data={**_data(hearing), "refusal": refused.reason},
    )


def conclude(hearing: Hearing, outcome: Outcome) -> Report:
    """Report what the command would do, and whether it may."""
    refusing = hearing.refusing(outcome)
    changes = drift.explain(
        drift.diff(hearing.present, outcome.projection),
        resolve(hearing.present),
        outcome.judgement.graph,
    )
    unknown: list[str] = []
    if any(isinstance(change, Added | Altered) for change in changes):
        unknown.append(_OVERLAPS)
        if hearing.request.has("--require-hashes") or hearing.settings.option("pip.require-hashes"):
            unknown.append(_HASHES)
    report = Report(
        command="gate",
        exit=Exit.FINDINGS if refusing else Exit.PASS,
        verdict=Verdict.FAIL if refusing else Verdict.PASS,
        environment=hearing.reading.summary(contents=False),
        complete=hearing.present.complete,
        findings=outcome.judgement.findings,
        changes=_with_request(hearing, changes),
        policies=outcome.judgement.policies,
        configurations=hearing.law.configurations,
        notes=(*hearing.remarks, *unknown),
        data=_data(hearing),
    )
    if not refusing:
        hearing.demand_unchanged()
        save = hearing.terms.save
        kept = None if save is None else saving.save(hearing, outcome, report.policies, save)
        return replace(report, lines=(f"pass: {_told(changes)}",), kept=kept)
    ways = search(hearing, outcome)
    best, *others = ways.plans or (None,)
    refused = f"refused: {_counted(refusing)}; nothing was touched"
    return replace(
        report,
        lines=(refused, *(f"in the way: {line}" for line in ways.obstacles)),
        plan=best,
        alternatives=tuple(others),
        rejected=() if best is not None else ways.rejected,
    )


def _data(hearing: Hearing) -> dict[str, Json]:
    """Return what was asked of whom, and what decides about the answer beside the command."""
    secrets = find_secrets(hearing.surroundings.variables, hearing.written)
    return {
        "command": [redact_text(word, secrets) for word in hearing.written],
        "installer": hearing.asked,
        "folder": str(hearing.surroundings.folder),
        "configuration": {
            "digest": hearing.settings.digest,
            "files": [
                {**asdict(file), "options": dict(file.options)} for file in hearing.settings.files
            ],
            "variables": dict(hearing.settings.variables),
        },
        "indexes": [redact_text(text, secrets) for text in hearing.indexes()],
    }


def _with_request(hearing: Hearing, changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """Say of what the command names that the command is the reason."""
    asked = {name: text for text in hearing.request.arguments if (name := required_name(text))}
    return tuple(
        replace(change, why=_asked(change.after, asked[changed_name(change)]))
        if isinstance(change, Added | Altered) and changed_name(change) in asked
        else change
        for change in changes
    )


def _counted(refusing: Sequence[Finding]) -> str:
    """Say how many errors refuse, and how many of them were there before."""
    count, standing = len(refusing), sum(not finding.introduced for finding in refusing)
    errors = f"{count} error{'' if count == 1 else 's'}"
    if not standing:
        return f"{errors} would come of it"
    before = "all" if standing == count else f"{standing} of them"
    return f"{errors} would be there after it, {before} from before"


def _said(reason: str) -> tuple[str, ...]:
    return tuple(f"  {line.strip()}" for line in reason.splitlines() if line.strip())


def _asked(record: Distribution, text: str) -> Chain:
    return (
        Link(name="the command", version=""),
        Link(name=record.spelling, version=record.version, requirement=text),
    )


def _told(changes: Sequence[Change]) -> str:
    """Say in a few words what would change."""
    if not changes:
        return "the command would change nothing"
    kinds = Counter(change_kind(change) for change in changes)
    return ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
