"""The check ``uv-blocked``: one entry of a site directory makes every ``uv pip`` command fail.

uv need not be started to know: what it refuses was tried, entry by entry (uv 0.13.9).
"""

import re
from collections.abc import Iterator

from envaudit.checks.remedies import know, owned, replace_record
from envaudit.model.declared import parse_version
from envaudit.model.distribution import RemnantKind
from envaudit.model.finding import Explanation, Finding, Severity
from envaudit.model.layout import Scope
from envaudit.model.snapshot import Snapshot
from envaudit.model.subject import Subject

CODE = "uv-blocked"

EXPLANATION = Explanation(
    code=CODE,
    meaning="A record is named or written so that every `uv pip` command ends with exit code 2.",
    why=(
        "uv reads the names of all records before anything else and gives up at one that it does "
        "not understand: nothing can be listed, checked, installed or repaired with it."
    ),
    repair=(
        "Remove that one entry by hand, `rm -r PATH`, and then install again what it recorded. "
        "`envaudit fix` prints both."
    ),
)
_NAME = re.compile(r"[a-z0-9]|[a-z0-9][a-z0-9._-]*[a-z0-9]", re.IGNORECASE)


class UvBlocked:
    """Judges the records' names, and the files of theirs that uv must understand."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return an error for each entry that blocks uv."""
        distributions = subject.snapshot.by_folder()
        findings: list[Finding] = []
        for folder, reason in sorted(dict(_blocking(subject.snapshot)).items()):
            record = know(folder, distributions)
            findings.append(
                Finding(
                    code=CODE,
                    severity=Severity.ERROR,
                    distributions=record.names,
                    message=f"`{folder}` makes every `uv pip` command fail: {reason}",
                    evidence=owned(record),
                    remedies=replace_record(record),
                )
            )
        return tuple(findings)


def _blocking(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """Yield each record that blocks uv, and why."""
    for record in (*snapshot.distributions, *snapshot.shadowed):
        if record.scope is Scope.OWN and (reason := refuse_name(record.folder)) is not None:
            yield record.folder, reason
    for remnant in snapshot.remnants:
        if remnant.kind in {RemnantKind.NAMELESS, RemnantKind.LEFTOVER}:
            reason = refuse_name(remnant.folder)
            if reason is not None:
                yield remnant.folder, reason
    for part in snapshot.unreadable:
        reason = refuse_name(part.folder)
        if part.part == "direct_url.json":
            reason = f"its `direct_url.json` {part.reason}"
        if reason is not None:
            yield part.folder, reason


def refuse_name(folder: str) -> str | None:
    """Return why uv refuses an entry of this name, or ``None`` where it does not.

    A ``.dist-info`` is split at its first dash into name and version; an ``.egg-info`` at the first
    two. Without a dash uv passes over it, as it does over what begins with ``~``.
    """
    base = folder.rpartition("/")[2]
    stem, _, suffix = base.rpartition(".")
    if suffix not in {"dist-info", "egg-info"} or "-" not in stem or stem.startswith("~"):
        return None
    name, _, version = stem.partition("-")
    if suffix == "egg-info":
        version = version.partition("-")[0]
    if _NAME.fullmatch(name) is None:
        return f"it takes `{name}` for the name, which is none"
    if parse_version(version) is None:
        return f"it takes `{version}` for the version of `{name}`, which is none"
    return None
