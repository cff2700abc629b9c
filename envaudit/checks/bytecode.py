"""The checks on bytecode: what the interpreter runs in the place of a source."""

from collections.abc import Iterator
from dataclasses import dataclass

from envaudit.checks.remedies import Record, count, know, some
from envaudit.model.finding import Explanation, Finding, Severity
from envaudit.model.inspection import Bytecode, BytecodeState
from envaudit.model.subject import Subject

FOREIGN = "bytecode-foreign"
UNCHECKED = "bytecode-unchecked"
STALE = "bytecode-stale"
UNREADABLE = "bytecode-unreadable"

EXPLANATIONS = (
    Explanation(
        code=FOREIGN,
        meaning="The interpreter runs a `.pyc` that was not compiled from the source beside it.",
        why="What runs is not what anybody reads, and every file that RECORD lists may be sound.",
        repair="Delete the `.pyc` by its name: the interpreter compiles the source anew.",
    ),
    Explanation(
        code=UNCHECKED,
        meaning="A `.pyc` is marked to be run whatever its source says (PEP 552, unchecked hash).",
        why=(
            "No edit of the source has any effect, and code that is planted there runs while every "
            "file that RECORD lists is sound. Installers do not write such files."
        ),
        repair=(
            "Delete the `.pyc` by its name: the interpreter compiles the source anew. "
            "`envaudit verify --deep` tells whether it is what the source compiles to."
        ),
    ),
    Explanation(
        code=STALE,
        meaning="A `.pyc` does not come from the source beside it, or has none.",
        why="The interpreter sees that and does not run it; it is a trace of an edit or a removal.",
        repair="Nothing to repair: delete it, or let the interpreter write it anew.",
    ),
    Explanation(
        code=UNREADABLE,
        meaning="A `.pyc` could not be read, so that nothing is known of it.",
        why="The interpreter of another user may be able to, and run it.",
        repair="Run envaudit as a user who may read the files.",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedBytecode:
    """Judges what the headers told."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return one finding for each distribution and kind, and one for all that is stale."""
        if subject.files is None or subject.files.inspection is None:
            return ()
        groups: dict[tuple[BytecodeState, str], list[Bytecode]] = {}
        for one in subject.files.inspection.bytecode:
            groups.setdefault((one.state, one.record or ""), []).append(one)
        findings = [
            finding
            for (state, record), found in sorted(groups.items())
            if (finding := _judge(state, record, found, subject)) is not None
        ]
        stale = (BytecodeState.STALE, BytecodeState.ORPHAN)
        return (
            *findings,
            *_stale([one for one in subject.files.inspection.bytecode if one.state in stale]),
        )


def _judge(
    state: BytecodeState, record: str, found: list[Bytecode], subject: Subject
) -> Finding | None:
    who = know(record, subject.snapshot.by_folder()) if record else None
    match state:
        case BytecodeState.FOREIGN:
            said = "run in the place of sources they do not come from"
            return _say(FOREIGN, Severity.ERROR, found, who, said)
        case BytecodeState.UNCHECKED:
            return _say(UNCHECKED, Severity.ERROR, found, who, "run whatever their sources say")
        case BytecodeState.PROVEN:
            said = "run unchecked, and are what their sources compile to"
            return _say(UNCHECKED, Severity.INFO, found, who, said)
        case BytecodeState.UNREADABLE:
            return _say(UNREADABLE, Severity.WARNING, found, who, "could not be read")
        case BytecodeState.STALE | BytecodeState.ORPHAN:
            return None


def _say(
    code: str, severity: Severity, found: list[Bytecode], who: Record | None, said: str
) -> Finding:
    whose = "outside of all packages" if who is None else f"of `{who.label}`"
    return Finding(
        code=code,
        severity=severity,
        distributions=() if who is None else who.names,
        message=f"{count(len(found), '`.pyc` file')} {whose} {said}",
        evidence=some(tuple(f"{one.path} {one.reason}" for one in found)),
    )


def _stale(found: list[Bytecode]) -> Iterator[Finding]:
    if found:
        yield Finding(
            code=STALE,
            severity=Severity.INFO,
            distributions=(),
            message=f"{count(len(found), '`.pyc` file')} do not come from the sources beside them",
            evidence=some(tuple(f"{one.path} {one.reason}" for one in found)),
        )
