"""``envaudit verify``: are the files on disk the ones that were installed?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

from packaging.utils import canonicalize_name

from envaudit.checks.remedies import count
from envaudit.commands.inspecting import UNREAD, inspect
from envaudit.commands.judging import conclude
from envaudit.commands.surroundings import Surroundings, read_subject
from envaudit.core.evaluate_files import evaluate_files
from envaudit.core.understand import understand_flags
from envaudit.doors.bytecode import is_own_version
from envaudit.doors.disk import MEBIBYTE
from envaudit.model.document import Json
from envaudit.model.errors import Problem, UsageError
from envaudit.model.finding import Finding
from envaudit.model.inspection import Deviation, DeviationKind, Inspection, Tally
from envaudit.model.report import FailOn, Kept, Report, Verdict
from envaudit.model.snapshot import Snapshot
from envaudit.readers.inspection import Progress, Wish


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What is verified, and how."""

    names: tuple[str, ...] = ()
    """As the user writes them; empty: all distributions."""
    baseline: str | None = None
    cache: bool = True
    """Whether what did not change since an earlier run need not be read again."""
    deep: bool = False
    """Whether bytecode is compared with what its source compiles to."""
    fail_on: FailOn = FailOn.ERROR
    patch: Path | None = None
    """The file into which the edits are written, as a patch."""
    flags: tuple[str, ...] = ()
    """What uv is told when it installs the originals into a scratch folder."""


def run(
    surroundings: Surroundings,
    terms: Terms,
    *,
    tell: Callable[[Progress], None] = lambda _: None,
) -> Report:
    """Verify the environment that is meant.

    ``tell`` is called while files are read.

    Raises:
        EnvauditError: the environment or the baseline cannot be read, or a name is not installed.
    """
    reading = read_subject(None, surroundings, files=True)
    before = (
        None
        if terms.baseline is None
        else read_subject(terms.baseline, surroundings.beside(reading)).snapshot
    )
    names = _choose(terms.names, reading.snapshot)
    inspected = inspect(
        reading,
        surroundings,
        Wish(names=names, deep=terms.deep, tell=tell),
        baseline=before,
        cache=terms.cache,
    )
    files, inspection = inspected.files, inspected.inspection
    findings = tuple(
        finding
        for finding in evaluate_files(reading.snapshot, files, baseline=before)
        if not names or not finding.distributions or names.intersection(finding.distributions)
    )
    complete = reading.snapshot.complete and inspected.complete
    unread = None if complete else inspected.problem() or UNREAD
    verdict, code, errors = conclude(findings, terms.fail_on, unread=unread)
    patch, said = _patch(surroundings, reading.snapshot, inspection, terms)
    return Report(
        command="verify",
        exit=code,
        verdict=verdict,
        environment=reading.summary(contents=False),
        complete=complete,
        findings=findings,
        lines=(*_say(inspection, verdict), *_advise(findings)),
        notes=(
            *reading.notes,
            *inspected.notes,
            *said,
            *_remarks(reading.snapshot, inspection, terms, before),
        ),
        data=_encode(inspection, terms),
        errors=errors,
        patch=patch,
        remembered=inspected.remembered,
    )


def _patch(
    surroundings: Surroundings, snapshot: Snapshot, inspection: Inspection, terms: Terms
) -> tuple[Kept | None, tuple[str, ...]]:
    """Return the patch if one is asked for and anything is edited, and what is to be said of it."""
    if terms.patch is None:
        return None, ()
    if not _count(inspection, DeviationKind.MODIFIED):
        return None, ("no listed file is edited, so no patch is written",)
    from envaudit.commands import patching  # which reaches for uv

    flags = understand_flags(terms.flags)
    made = patching.compose(surroundings, snapshot, inspection, flags)
    if not made.text:
        return None, (*made.notes, "nothing could be compared, so no patch is written")
    return Kept(path=surroundings.folder / terms.patch, text=made.text), made.notes


def _choose(names: tuple[str, ...], snapshot: Snapshot) -> frozenset[str]:
    installed = snapshot.by_name()
    chosen = frozenset(map(canonicalize_name, names))
    for name in sorted(chosen - installed.keys()):
        near = get_close_matches(name, installed, n=1)
        raise UsageError(
            Problem(
                message=f"`{name}` is not installed",
                hint=f"did you mean `{near[0]}`?" if near else "`uv pip list` lists what is",
            )
        )
    return chosen


def _total(inspection: Inspection, weigh: Callable[[Tally], int]) -> int:
    return sum(weigh(tally) for tally in inspection.tallies)


def _say(inspection: Inspection, verdict: Verdict) -> tuple[str, ...]:
    size = _total(inspection, lambda tally: tally.verified_bytes) / MEBIBYTE
    verified = _total(inspection, lambda tally: tally.verified)
    unverifiable = _total(inspection, lambda tally: tally.unverifiable)
    counts = [f"{count(verified, 'file')} verified ({size:.1f} MiB)"]
    for kind in DeviationKind:
        number = _count(inspection, kind)
        if number or kind is DeviationKind.MODIFIED:
            counts.append(f"{number} {kind.value}")
    counts.append(f"{unverifiable} unverifiable")
    part = "" if inspection.complete else " (partial: not everything was read)"
    where = count(len(inspection.tallies), "distribution")
    return (f"{verdict.value}: {', '.join(counts)} in {where}{part}",)


def _advise(findings: tuple[Finding, ...]) -> tuple[str, ...]:
    if any(finding.remedies and finding.counts for finding in findings):
        return ("hint: `envaudit fix --verify` finds the command that repairs it",)
    return ()


def _count(inspection: Inspection, kind: DeviationKind) -> int:
    return _total(inspection, lambda tally: sum(one.kind is kind for one in tally.deviations))


def _remarks(
    snapshot: Snapshot, inspection: Inspection, terms: Terms, before: Snapshot | None
) -> tuple[str, ...]:
    version = snapshot.interpreter.version
    if terms.deep and not is_own_version(version):
        return (
            f"no bytecode was compared with its source: that needs CPython {version}, to the patch",
            *_remarks(snapshot, inspection, replace(terms, deep=False), before),
        )
    if before is not None and before.files is None:
        said = "the baseline recorded no files, so nothing tells what was modified before it"
        return (f"{said}: `envaudit snapshot --files` records them",)
    if not inspection.tallies:
        return ("there is no RECORD to verify anything against",)
    return ()


def _encode(inspection: Inspection, terms: Terms) -> Mapping[str, Json]:
    return {
        "baseline": terms.baseline,
        "names": list(terms.names),
        "distributions": len(inspection.tallies),
        "verified": _total(inspection, lambda tally: tally.verified),
        "verified_bytes": _total(inspection, lambda tally: tally.verified_bytes),
        "unverifiable": _total(inspection, lambda tally: tally.unverifiable),
        "adapted": _total(inspection, lambda tally: tally.adapted),
        "read": inspection.read,
        "unchanged": inspection.known,
        "files": [_deviation(one) for tally in inspection.tallies for one in tally.deviations],
        "bytecode": [
            {"path": one.path, "state": one.state.value, "record": one.record}
            for one in inspection.bytecode
        ],
    }


def _deviation(one: Deviation) -> dict[str, Json]:
    return {
        "path": one.path,
        "record": one.record,
        "kind": one.kind.value,
        "reason": one.reason,
        "listed": one.listed,
        "digest": one.digest,
        "size": one.size,
        "modified_ns": one.modified,
        "links": one.links,
        "cached": one.cached,
    }
