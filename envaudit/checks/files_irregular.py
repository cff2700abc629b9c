"""The check ``files-irregular``: something else stands where RECORD lists a file."""

from dataclasses import dataclass

from envaudit.checks.deviations import deviating, show
from envaudit.checks.remedies import count, owned, reinstall
from envaudit.model.finding import Explanation, Finding, Severity
from envaudit.model.inspection import DeviationKind
from envaudit.model.subject import Subject

CODE = "files-irregular"

EXPLANATION = Explanation(
    code=CODE,
    meaning="Where a distribution installed a file, there is a link, a folder, a FIFO or a device.",
    why=(
        "Installers write regular files. What a link leads to can be exchanged without a trace in "
        "the environment, and it was not opened: it may lie anywhere. Links into uv's cache, as "
        "`--link-mode symlink` makes them, are followed and are none of these."
    ),
    repair=(
        "Look at what it is. Then reinstall the distribution: "
        "`uv pip install --reinstall-package NAME NAME==VERSION`."
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesIrregular:
    """Judges what is no regular file."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return one finding for each record."""
        return tuple(
            Finding(
                code=CODE,
                severity=Severity.ERROR,
                distributions=case.record.names,
                message=(
                    f"in the place of {count(len(case.deviations), 'file')} of "
                    f"`{case.record.label}` there is something else"
                ),
                evidence=(*show(case), *owned(case.record)),
                remedies=reinstall(case.record),
            )
            for case in deviating(subject, DeviationKind.IRREGULAR)
        )
