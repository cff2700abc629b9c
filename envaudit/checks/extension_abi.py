"""The check ``extension-abi``: a compiled module that this interpreter does not load."""

from envaudit.checks.remedies import count, know, owned, reinstall, some
from envaudit.model.finding import Clear, Explanation, Finding, Reinstall, Remedy, Severity
from envaudit.model.subject import Subject

CODE = "extension-abi"

EXPLANATION = Explanation(
    code=CODE,
    meaning="A compiled module is for another Python or machine, and there is none for this one.",
    why=(
        "Python passes over it in silence. Some packages then fail at import, others fall back to "
        "slow code without a word."
    ),
    repair="Reinstall the distribution; remove the stray file if it belongs to none.",
)


class ExtensionAbi:
    """Judges compiled modules that no tag of this interpreter loads."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return a warning for each distribution with such modules, and for stray ones."""
        if subject.files is None:
            return ()
        groups: dict[tuple[str, ...], list[str]] = {}
        for one in subject.files.foreign:
            groups.setdefault(one.owners, []).append(one.path)
        distributions = subject.snapshot.by_folder()
        tags = ", ".join(subject.snapshot.interpreter.tags)
        findings: list[Finding] = []
        for owners, paths in sorted(groups.items()):
            records = [know(folder, distributions) for folder in owners]
            whose = " and ".join(f"`{record.label}`" for record in records) or "no distribution"
            remedies: tuple[Remedy, ...] = (Clear(paths=tuple(paths)),)
            if records:
                remedies = tuple(
                    remedy
                    for record in records
                    for remedy in reinstall(record)
                    if isinstance(remedy, Reinstall)
                )
            findings.append(
                Finding(
                    code=CODE,
                    severity=Severity.WARNING,
                    distributions=tuple(sorted({one.name for one in records if one.name})),
                    message=(
                        f"{count(len(paths), 'compiled module')} of {whose} cannot be loaded here "
                        f"({tags})"
                    ),
                    evidence=(
                        *some(tuple(paths)),
                        *(line for record in records for line in owned(record)),
                    ),
                    remedies=remedies,
                )
            )
        return tuple(findings)
