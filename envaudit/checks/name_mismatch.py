"""The check ``name-mismatch``: a record's own name says another distribution than its METADATA."""

from packaging.utils import canonicalize_name

from envaudit.checks.remedies import know, owned, replace_record
from envaudit.model.declared import parse_version
from envaudit.model.distribution import Distribution
from envaudit.model.finding import Explanation, Finding, Severity
from envaudit.model.record_name import Form
from envaudit.model.subject import Subject

CODE = "name-mismatch"

EXPLANATION = Explanation(
    code=CODE,
    meaning="A record is named for one distribution or version, and its METADATA tells another.",
    why=(
        "uv believes the name of the folder, pip and Python believe METADATA: two tools see two "
        "environments, and a requirement that one finds met the other finds broken."
    ),
    repair="Remove the record by hand, `rm -r PATH`, and install the distribution again.",
)


class NameMismatch:
    """Judges each record's own name against its METADATA."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return an error for each record that says two things."""
        distributions = subject.snapshot.by_folder()
        findings: list[Finding] = []
        for record in subject.snapshot.distributions:
            stated = _other_reading(record)
            if stated is None:
                continue
            known = know(record.folder, distributions)
            findings.append(
                Finding(
                    code=CODE,
                    severity=Severity.ERROR,
                    distributions=tuple(sorted({record.name, canonicalize_name(stated[0])})),
                    message=(
                        f"`{record.folder}` is named for `{' '.join(stated)}`, "
                        f"and its METADATA says `{record.label}`"
                    ),
                    evidence=owned(known),
                    remedies=replace_record(known),
                )
            )
        return tuple(findings)


def _other_reading(record: Distribution) -> tuple[str, str] | None:
    """Return the name and version that the record's own name states, if they are others."""
    stated = record.stated
    if stated is None or stated.name is None or stated.version is None:
        return None
    if record.form is not Form.DIST_INFO:
        return None  # an egg's name may leave out and abbreviate
    if canonicalize_name(stated.name) == record.name and _same(stated.version, record.version):
        return None
    return stated.name, stated.version


def _same(one: str, other: str) -> bool:
    """Return whether two versions are one; a record's name writes ``_`` for ``-``."""
    plain = one.replace("_", "-")
    stated, told = parse_version(plain), parse_version(other)
    if stated is None or told is None:
        return plain == other.replace("_", "-")
    return stated == told
