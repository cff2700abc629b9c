"""The check ``distribution-lost``: it is in the baseline, it is gone, and nothing explains why."""

from envaudit.model.distribution import Distribution
from envaudit.model.finding import Explanation, Finding, Place, Severity
from envaudit.model.requirement import Need
from envaudit.model.subject import Subject

CODE = "distribution-lost"

EXPLANATION = Explanation(
    code=CODE,
    meaning="A distribution of the baseline is not installed any more, and nothing replaced it.",
    why=(
        "An upgrade that was killed leaves this: uv removes the old files first, and no checker "
        "notices that the new ones never came. What went with a dependent that changed or left is "
        "not meant."
    ),
    repair=(
        "Install it again at the baseline's version. If it was removed on purpose, take a new "
        "snapshot: it is then no part of the baseline."
    ),
)


class DistributionLost:
    """Judges what the baseline has and the present has not."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return one finding for each distribution that is gone without a reason."""
        if subject.baseline is None:
            return ()
        before = subject.baseline.by_name()
        required = {need.name: need for need in subject.needs}
        lost = (
            records[-1]
            for name, records in sorted(before.items())
            if name not in subject.installed
            and name not in subject.leaving
            and not _went_along(records[-1], subject)
        )
        return tuple(_found(record, required.get(record.name), subject) for record in lost)


def _went_along(record: Distribution, subject: Subject) -> bool:
    """Return whether it was there for others alone, all of which have changed or left."""
    if subject.baseline is None:
        return False
    dependents = [
        other
        for other in subject.baseline.distributions
        if any(_names(line, record.name) for line in other.requires or ())
    ]
    return bool(dependents) and all(_changed(other, subject) for other in dependents)


def _names(line: str, name: str) -> bool:
    """Return whether a requirement line may be about ``name``; extras' lines count too."""
    head = line.lower().replace("_", "-").replace(".", "-")
    return head.startswith(name) and not head[len(name) : len(name) + 1].isalnum()


def _changed(record: Distribution, subject: Subject) -> bool:
    now = subject.installed.get(record.name, ())
    return all(other.version != record.version for other in now)


def _found(record: Distribution, need: Need | None, subject: Subject) -> Finding:
    remains = _remains(record, subject)
    why = f", and `{need.dependent.label}` requires it" if need is not None else ""
    return Finding(
        code=CODE,
        severity=Severity.ERROR if remains or need is not None else Severity.WARNING,
        distributions=(record.name,),
        message=f"`{record.label}` was there in the baseline and is gone{why}",
        evidence=tuple(f"left of it: {path}" for path in remains),
        remedies=(Place(name=record.name, specifier=f"=={record.version}", up=False),),
    )


def _remains(record: Distribution, subject: Subject) -> tuple[str, ...]:
    """Return what is still there of a distribution that is gone."""
    snapshot = subject.snapshot
    paths = {one.folder for one in snapshot.remnants if one.name == record.name}
    paths |= {
        part.folder
        for part in snapshot.unreadable
        if part.folder.rpartition("/")[2].lower().startswith(f"{record.name.replace('-', '_')}-")
    }
    return tuple(sorted(paths))
