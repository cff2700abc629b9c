"""The check ``files-permissions``: permissions that no installer gives to a file."""

from dataclasses import dataclass

from envaudit.checks.deviations import Case, deviating
from envaudit.checks.remedies import count, some
from envaudit.model.finding import Explanation, Finding, Severity
from envaudit.model.inspection import Deviation, DeviationKind
from envaudit.model.subject import Subject

CODE = "files-permissions"

EXPLANATION = Explanation(
    code=CODE,
    meaning=(
        "A listed file, or a folder of such files, may be written by anybody on this machine; or a "
        "file runs with the rights of its owner whoever starts it (setuid, setgid)."
    ),
    why=(
        "Who can write a module runs code as everybody who imports it. Installers never set the "
        "bits that lend rights: somebody did. RECORD lists no permissions, so no other tool says "
        "this. On a file system without permissions (a mounted Windows drive) every file is like "
        "that, and the finding says no more than that."
    ),
    repair=(
        "`chmod o-w PATH` or `chmod ug-s FILE`; find out who did it, and verify the contents. A "
        "umask of 022 keeps installers from making such files."
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesPermissions:
    """Judges the permissions of what was read."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return an error for each record with rights to lend, one warning for all else."""
        cases = tuple(deviating(subject, DeviationKind.EXPOSED))
        lending = [(case, _only(case, lends=True)) for case in cases]
        return (
            *(_lending(case, found) for case, found in lending if found),
            *_writable(cases),
        )


def _only(case: Case, *, lends: bool) -> tuple[Deviation, ...]:
    return tuple(one for one in case.deviations if one.lends_rights is lends)


def _lending(case: Case, found: tuple[Deviation, ...]) -> Finding:
    runs = "runs" if len(found) == 1 else "run"
    return Finding(
        code=CODE,
        severity=Severity.ERROR,
        distributions=case.record.names,
        message=(
            f"{count(len(found), 'file')} of `{case.record.label}` {runs} with the owner's rights"
        ),
        evidence=some(tuple(f"{one.path} {one.reason}" for one in found)),
    )


def _writable(cases: tuple[Case, ...]) -> tuple[Finding, ...]:
    """Return one finding for all: where one umask was wrong, every file is like that."""
    found = [(case, one) for case in cases for one in _only(case, lends=False)]
    if not found:
        return ()
    names = sorted({name for case, _ in found for name in case.record.names})
    return (
        Finding(
            code=CODE,
            severity=Severity.WARNING,
            distributions=tuple(names),
            message=(
                f"{count(len(found), 'path')} of {count(len(names), 'distribution')} may be "
                "written by anybody"
            ),
            evidence=some(tuple(f"{one.path} {one.reason}" for _, one in found)),
        ),
    )
