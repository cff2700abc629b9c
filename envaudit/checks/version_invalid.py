"""The check ``version-invalid``: an installed version that PEP 440 does not know."""

from envaudit.checks.remedies import know, owned, replace_record
from envaudit.model.declared import parse_version
from envaudit.model.finding import Explanation, Finding, Severity
from envaudit.model.subject import Subject

CODE = "version-invalid"

EXPLANATION = Explanation(
    code=CODE,
    meaning="A distribution has a version that is none by PEP 440.",
    why=(
        "No requirement on it can be judged. pip takes it for not installed, and uv refuses to "
        "work in the environment at all where the record's name holds such a version."
    ),
    repair="Remove its record by hand, `rm -r PATH`, and install a release with a proper version.",
)


class VersionInvalid:
    """Judges every installed version."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return an error for each version that cannot be compared."""
        distributions = subject.snapshot.by_folder()
        return tuple(
            Finding(
                code=CODE,
                severity=Severity.ERROR,
                distributions=(record.name,),
                message=f"`{record.spelling}` has the version `{record.version}`, which is none",
                evidence=(
                    f"its record: {record.folder}",
                    *owned(know(record.folder, distributions)),
                ),
                remedies=replace_record(know(record.folder, distributions)),
            )
            for record in subject.snapshot.distributions
            # A plan names no version for what it would build from a source tree.
            if record.version and parse_version(record.version) is None
        )
