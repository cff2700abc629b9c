"""How a change ended, for people and for programs, and the page for whoever goes on by hand."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from envaudit.checks.remedies import count
from envaudit.commands.changing import Result, Undertaking
from envaudit.core import returning
from envaudit.exits import Exit
from envaudit.model import journal
from envaudit.model.bundle import Stashed
from envaudit.model.document import Json
from envaudit.model.interruption import write_undoing
from envaudit.model.report import Report, Verdict
from envaudit.model.way import Way
from envaudit.readers import journals
from envaudit.readers.dockets import Docket


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """What a report says of how a change ended."""

    exit: Exit
    verdict: Verdict
    lines: tuple[str, ...]
    notes: tuple[str, ...]
    data: dict[str, Json]

    def upon(self, report: Report) -> Report:
        """Return ``report``, which says what was judged before, with how it ended."""
        before: dict[str, Json] = report.data if isinstance(report.data, dict) else {}
        return replace(
            report,
            exit=self.exit,
            verdict=self.verdict,
            lines=self.lines,
            notes=(*report.notes, *self.notes),
            data={**before, **self.data},
        )


def conclude(result: Result, undertaking: Undertaking) -> Conclusion:
    """Say how a change ended."""
    names = [one.name for one in result.stash]
    notes = list(result.notes)
    installed = {record.name for record in undertaking.present.distributions}
    unkept = sorted((undertaking.names & installed) - set(names))
    if unkept:
        listed = ", ".join(f"`{name}`" for name in unkept)
        notes.append(
            f"not kept, so only an index can bring them back, without edits by hand: {listed}"
        )
    code, verdict, lines = _conclusion(result, undertaking)
    return Conclusion(
        exit=code,
        verdict=verdict,
        lines=lines,
        notes=tuple(notes),
        data={
            "outcome": result.outcome.value,
            "journal": str(_journal(result)),
            "failures": list(result.failures),
            "stash": [*names],
        },
    )


def _journal(result: Result) -> Path:
    broken = result.outcome is journal.Outcome.BROKEN
    return result.docket.begun if broken or result.notes else result.docket.ended


def _conclusion(result: Result, undertaking: Undertaking) -> tuple[Exit, Verdict, tuple[str, ...]]:
    failures: Sequence[str] = tuple(map(say_cause, result.failures))
    match result.outcome:
        case journal.Outcome.HELD:
            return Exit.PASS, Verdict.PASS, (undertaking.done,)
        case journal.Outcome.KEPT:
            kept = "failed: the result was left in place, as `--keep` says"
            return Exit.FINDINGS, Verdict.FAIL, (kept, *failures)
        case journal.Outcome.RESTORED:
            back = "restored: the change failed, and the environment is back at its snapshot"
            return Exit.RESTORED, Verdict.FAIL, (back, *failures, *say_aside(result.docket))
        case journal.Outcome.BROKEN:
            by_hand = say_by_hand(
                result.docket, result.stash, result.way, undertaking.reading.source
            )
            return Exit.BROKEN, Verdict.FAIL, ("broken: a person is needed", *failures, *by_hand)


def say_cause(failure: str) -> str:
    """Say why a change did not hold, or why there was no way back."""
    return f"because: {failure}"


def say_aside(docket: Docket) -> tuple[str, ...]:
    """Say that files were set aside on the way back, and where they lie."""
    found = journals.count_aside(docket)
    return (f"set aside: {count(found, 'file')} in `{docket.aside}`",) if found else ()


def say_by_hand(
    docket: Docket, stash: Sequence[Stashed], way: Way | None, python: str
) -> tuple[str, ...]:
    """Say what stands where, and how to go on by hand."""
    lines = [
        f"the environment `{python}` is not back at its snapshot",
        f"  journal: {docket.begun}",
        *(f"  kept: {one.name} {one.version} in {one.path}" for one in stash),
    ]
    if way is not None:
        lines += [f"  half installed: {folder}" for folder in way.torn]
        lines += [f"  still to be removed: {name}" for name in way.removals]
        lines += [f"  belongs to nobody: {path}" for path in way.strays]
        lines += [
            f"  still to be put back: {step.record.label} ({step.source.value})"
            for step in way.steps
        ]
        commands = returning.write_commands(way, "uv", (), Path(python))
        if commands:
            lines.append(f"by hand: {returning.write_shell(commands)}")
    again = write_undoing(python)
    lines.append(f"once what stands in the way is gone: {again}")
    return tuple(lines)
