"""The checks ``files-modified`` and ``files-modified-before``: other content than RECORD lists."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from envaudit.checks.deviations import Case, deviating, digests_before, show
from envaudit.checks.remedies import Record, count, holds_code, know, owned, reinstall, some
from envaudit.model.finding import Explanation, Finding, Remedy, Severity
from envaudit.model.inspection import Deviation, DeviationKind
from envaudit.model.subject import Subject

CODE = "files-modified"
KNOWN = "files-modified-before"

EXPLANATIONS = (
    Explanation(
        code=CODE,
        meaning="A file is not what its distribution installed: edited, damaged or replaced.",
        why=(
            "The version says what the code is, and it is other code. The next install of that "
            "distribution takes a wanted edit away without a word, and where the file is a hard "
            "link into uv's cache, it brings an unwanted one back."
        ),
        repair=(
            "If the edit is not wanted: `uv cache clean NAME`, then "
            "`uv pip install --reinstall-package NAME NAME==VERSION`. If it is, record it: "
            "`envaudit snapshot --files`, and verify against that snapshot from then on."
        ),
    ),
    Explanation(
        code=KNOWN,
        meaning=(
            "A file is not what RECORD lists, and it was the same in the baseline: it was edited "
            "before that, or its wheel was born with a wrong RECORD."
        ),
        why="Nothing has changed since the baseline was recorded.",
        repair="Nothing, unless you want the original: see `files-modified`.",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesModified:
    """Judges what differs, by RECORD and by what the baseline recorded."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return one finding for each record with new modifications, and one with known ones."""
        before = digests_before(subject)
        findings = list(_judge_unhashed(subject, before or {}))
        for case in deviating(subject, DeviationKind.MODIFIED):
            known = tuple(
                one
                for one in case.deviations
                if before is not None
                and one.digest is not None
                and before.get(one.path) == one.digest
            )
            new = tuple(one for one in case.deviations if one not in known)
            if new:
                introduced = None if before is None else True
                findings.append(_modified(replace(case, deviations=new), introduced=introduced))
            if known:
                findings.append(_known(replace(case, deviations=known)))
        return tuple(findings)


def _judge_unhashed(subject: Subject, before: Mapping[str, str | None]) -> Iterator[Finding]:
    """Yield a finding for each record with files that only the baseline has a digest of."""
    inspection = None if subject.files is None else subject.files.inspection
    for tally in () if inspection is None else inspection.tallies:
        changed = tuple(
            one.path
            for one in tally.unhashed
            if before.get(one.path) is not None and before[one.path] != one.digest
        )
        if changed:
            record = know(tally.record, subject.snapshot.by_folder())
            yield Finding(
                code=CODE,
                severity=Severity.ERROR,
                distributions=record.names,
                message=f"{count(len(changed), 'file')} of `{record.label}` {_differ(changed)}",
                evidence=(*some(changed), *owned(record)),
                introduced=True,
                remedies=reinstall(record),
            )


def _differ(paths: tuple[str, ...]) -> str:
    return f"{'differs' if len(paths) == 1 else 'differ'} from the baseline; RECORD has no digest"


def _modified(case: Case, *, introduced: bool | None) -> Finding:
    record = case.record
    how = "is not what was installed" if len(case.deviations) == 1 else "are not what was installed"
    return Finding(
        code=CODE,
        severity=_severity(case),
        distributions=record.names,
        message=f"{count(len(case.deviations), 'file')} of `{record.label}` {how}",
        evidence=(*show(case), *_shared(case.deviations, record), *owned(record)),
        introduced=introduced,
        remedies=_remedies(case),
    )


def _known(case: Case) -> Finding:
    record, number = case.record, count(len(case.deviations), "file")
    one = len(case.deviations) == 1
    how = "differs from RECORD as it did" if one else "differ from RECORD as they did"
    return Finding(
        code=KNOWN,
        severity=Severity.INFO,
        distributions=record.names,
        message=f"{number} of `{record.label}` {how} in the baseline",
        evidence=show(case),
        introduced=False,
    )


def _severity(case: Case) -> Severity:
    """Return error where other code may run: a package's file or a script."""
    vital = (
        one.path.startswith("bin/") or holds_code(case.record, one.path) for one in case.deviations
    )
    return Severity.ERROR if any(vital) else Severity.WARNING


def _remedies(case: Case) -> tuple[Remedy, ...]:
    """Return what brings the original back; nothing where that would harm other environments."""
    if any(one.cached for one in case.deviations):
        return ()
    return reinstall(case.record, clean=any(one.links > 1 for one in case.deviations))


def _shared(deviations: tuple[Deviation, ...], record: Record) -> tuple[str, ...]:
    """Say where else the edit is: in uv's cache, and in what else was linked from it."""
    linked = [one for one in deviations if one.links > 1 or one.cached]
    if not linked:
        return ()
    clean = f"`uv cache clean {record.name}`"
    where = "uv's cache and whatever else is linked to it have the same content"
    if linked[0].cached:
        how = "a link into uv's cache"
        repair = f"{clean} takes it from all environments linked to it: reinstall in each then"
    else:
        how = f"one of {max(one.links for one in linked)} hard links"
        repair = f"{clean} first, or a reinstall brings the same content back"
    return (f"shared: {linked[0].path} is {how}: {where}", f"repair: {repair}")
