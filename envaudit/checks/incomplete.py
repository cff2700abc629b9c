"""The checks ``distribution-incomplete`` and ``direct-url-invalid``: what could not be read."""

from collections.abc import Mapping

from envaudit.checks.remedies import Record, know, owned, reinstall, replace_record
from envaudit.checks.uv_blocked import refuse_name
from envaudit.model.distribution import Distribution, Unreadable
from envaudit.model.finding import Clear, Explanation, Finding, Remedy, Severity
from envaudit.model.subject import Subject

EXPLANATIONS = (
    Explanation(
        code="distribution-incomplete",
        meaning="A distribution is recorded here, and a part of its record cannot be read.",
        why=(
            "What it requires, and sometimes what it is, cannot be known; the rest of the "
            "environment was judged without it. An install that was killed leaves such records."
        ),
        repair="Reinstall it: `uv pip install --reinstall-package NAME NAME==VERSION`.",
    ),
    Explanation(
        code="direct-url-invalid",
        meaning="The file that tells where a distribution came from is not what PEP 610 describes.",
        why="uv gives up at it: every `uv pip` command ends with exit code 2 until it is gone.",
        repair="Remove the record by hand, `rm -r PATH`, and install the distribution again.",
    ),
)


class Incomplete:
    """Judges what the reader could not read."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return an error for each unreadable part of the environment."""
        distributions = subject.snapshot.by_folder()
        return tuple(
            _judge(part, distributions, subject.installed) for part in subject.snapshot.unreadable
        )


def _judge(
    part: Unreadable,
    distributions: Mapping[str, Distribution],
    installed: Mapping[str, tuple[Distribution, ...]],
) -> Finding:
    record = know(part.folder, distributions)
    if part.part == "direct_url.json":
        return Finding(
            code="direct-url-invalid",
            severity=Severity.ERROR,
            distributions=record.names,
            message=f"`direct_url.json` of `{part.folder}` {part.reason}",
            evidence=owned(record),
            remedies=replace_record(record),
        )
    return Finding(
        code="distribution-incomplete",
        severity=Severity.ERROR,
        distributions=record.names,
        message=f"`{part.part}` of `{part.folder}` {part.reason}",
        evidence=owned(record),
        remedies=_remedies(record, part, distributions, installed),
    )


def _remedies(
    record: Record,
    part: Unreadable,
    distributions: Mapping[str, Distribution],
    installed: Mapping[str, tuple[Distribution, ...]],
) -> tuple[Remedy, ...]:
    """Beside a whole record of the same name, the torn one goes; else it is written anew."""
    if part.folder not in distributions and record.name in installed:
        return (Clear(paths=(part.folder,)),) if record.changeable else ()
    if refuse_name(part.folder) is not None:  # it is not to be written anew under that name
        return replace_record(record)
    return reinstall(record)
