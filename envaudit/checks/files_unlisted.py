"""The check ``files-unlisted``: something importable that no RECORD lists."""

from collections.abc import Iterator
from dataclasses import dataclass

from envaudit.checks.remedies import count, know, owned, some
from envaudit.checks.standing import digests_before
from envaudit.model.finding import Explanation, Finding, Severity
from envaudit.model.inspection import Unlisted
from envaudit.model.subject import Subject

CODE = "files-unlisted"

EXPLANATION = Explanation(
    code=CODE,
    meaning="A module lies in a site directory, and no installed distribution brought it.",
    why=(
        "It can be imported, and no installer will ever remove it. Inside the package of a "
        "distribution it is an error: it may take the place of a module (a folder comes before a "
        "`.so`, a `.so` before a `.py`), or be left over from another version. At the top of a "
        "site directory it is a warning."
    ),
    repair="Look at it, and remove it by hand if nobody needs it; no installer will.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesUnlisted:
    """Judges what nobody brought."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return one finding for each record whose package is concerned, and one for the rest."""
        if subject.files is None or subject.files.inspection is None:
            return ()
        inspection = subject.files.inspection
        groups: dict[str | None, list[Unlisted]] = {}
        for one in inspection.unlisted:
            if one.record is None and _site(one.path, inspection.unlistable) is not None:
                continue
            groups.setdefault(one.record, []).append(one)
        findings = [
            finding
            for record, found in sorted(groups.items(), key=lambda item: item[0] or "")
            for finding in _judge(record, found, subject)
        ]
        findings += [_unknown(site) for site in inspection.unlistable]
        return tuple(findings)


def _site(path: str, sites: tuple[str, ...]) -> str | None:
    return next((site for site in sites if site == "." or path.startswith(f"{site}/")), None)


def _judge(record: str | None, found: list[Unlisted], subject: Subject) -> Iterator[Finding]:
    before = digests_before(subject)
    known = [one for one in found if before is not None and before.get(one.path, "") == one.digest]
    new = [one for one in found if one not in known]
    for part, introduced in ((new, None if before is None else True), (known, False)):
        if part:
            yield _finding(record, part, subject, introduced=introduced)


def _finding(
    record: str | None, found: list[Unlisted], subject: Subject, *, introduced: bool | None
) -> Finding:
    hidden = [one for one in found if one.hides is not None]
    number = count(len(found), "importable file")
    evidence = (
        *(f"hides: {one.path} comes before {one.hides}" for one in hidden[:5]),
        *some(tuple(one.path for one in found if one.hides is None)),
    )
    if record is None:
        verb = "is" if len(found) == 1 else "are"
        return Finding(
            code=CODE,
            severity=Severity.INFO if introduced is False else Severity.WARNING,
            distributions=(),
            message=f"{number} outside of all packages {verb} listed by no RECORD",
            evidence=evidence,
            introduced=introduced,
        )
    who = know(record, subject.snapshot.by_folder())
    verb = "is" if len(found) == 1 else "are"
    return Finding(
        code=CODE,
        severity=Severity.INFO if introduced is False else Severity.ERROR,
        distributions=who.names,
        message=f"{number} inside the package of `{who.label}` {verb} listed by no RECORD",
        evidence=(*evidence, *owned(who)),
        introduced=introduced,
    )


def _unknown(site: str) -> Finding:
    return Finding(
        code=CODE,
        severity=Severity.INFO,
        distributions=(),
        message=(
            f"which modules at the top of `{site}` nobody brought cannot be told: a record there "
            "has no list of its files"
        ),
    )
