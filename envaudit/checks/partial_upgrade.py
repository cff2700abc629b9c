"""The check ``partial-upgrade``: siblings stood together in the baseline, and do not now."""

from envaudit.model.finding import Align, Explanation, Finding, Severity
from envaudit.model.subject import Family, Subject

CODE = "partial-upgrade"

EXPLANATION = Explanation(
    code=CODE,
    meaning=(
        "Distributions of one source repository stood at one version in the baseline. Some of them "
        "have moved since, others have not."
    ),
    why=(
        "Parts of one project that are released together are often tested only together, and "
        "metadata rarely says so. This is inferred, not known: hence a warning."
    ),
    repair=(
        "Run `envaudit fix --baseline SNAPSHOT`. If the parts may differ on purpose, say so in a "
        "policy: a rule that covers the pair takes the place of this check."
    ),
)


class PartialUpgrade:
    """Judges the families that were inferred from a baseline."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return a warning for each family whose members no longer stand at one version."""
        return tuple(
            finding
            for family in subject.families
            if (finding := _judge_family(family, subject)) is not None
        )


def _judge_family(family: Family, subject: Subject) -> Finding | None:
    standing = {
        name: subject.installed[name][0].version
        for name in family.members
        if name in subject.installed
    }
    if len(set(standing.values())) < 2:  # noqa: PLR2004 - two versions are apart, one is together
        return None
    moved = [name for name, version in standing.items() if version != family.version]
    stayed = [name for name, version in standing.items() if version == family.version]
    rest = f"{_names(stayed)} stayed at {family.version}" if stayed else "not to one version"
    return Finding(
        code=CODE,
        severity=Severity.WARNING,
        distributions=tuple(sorted(standing)),
        message=f"{_moves(moved, standing)} moved from {family.version}, and {rest}",
        evidence=(f"all are built from {family.repository}",),
        remedies=(Align(members=tuple(sorted(standing)), fact="full"),),
    )


def _names(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _moves(names: list[str], standing: dict[str, str]) -> str:
    return ", ".join(f"`{name}` (now {standing[name]})" for name in names)
