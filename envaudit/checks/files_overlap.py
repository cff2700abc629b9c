"""The check ``files-overlap``: several RECORDs claim one path."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from envaudit.checks.layers import Layers, find_layers
from envaudit.checks.remedies import Record, count, know, owned, reinstall, some
from envaudit.model.distribution import Distribution
from envaudit.model.files import Contested, Manifest, ManifestState
from envaudit.model.finding import Explanation, Finding, Keep, Remedy, Severity
from envaudit.model.subject import Subject

CODE = "files-overlap"

EXPLANATION = Explanation(
    code=CODE,
    meaning="Two or more distributions installed a file at the same path.",
    why=(
        "Only one file can be there: whoever was installed last has overwritten the others, which "
        "now import its code for theirs. Uninstalling one takes the file from all. No checker of "
        "metadata sees it. Where the contents are the same, nothing is wrong until then: an info. "
        "Some are made to lie over each other (one requires the other, or a third requires them "
        "all): then whose files must be there is known, and only others are wrong."
    ),
    repair=(
        "Decide for one. First uninstall the others, then reinstall the one that stays: "
        "`uv pip uninstall LOSER && uv pip install --reinstall-package KEEPER KEEPER==VERSION`. "
        "The other way round deletes the keeper's files again. Of two that are made to lie over "
        "each other, the upper one is reinstalled."
    ),
)
_CODE_SUFFIXES = (".py", ".so", ".pyd", ".pyi", ".pth")


class FilesOverlap:
    """Judges what several RECORDs claim."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return one finding for each group of distributions that claim paths together."""
        if subject.files is None:
            return ()
        groups: dict[tuple[str, ...], list[Contested]] = {}
        for one in subject.files.contested:
            groups.setdefault(tuple(claim.folder for claim in one.claims), []).append(one)
        case = _Case(
            subject=subject,
            distributions=subject.snapshot.by_folder(),
            manifests={one.folder: one for one in subject.files.manifests},
        )
        findings = (case.judge(folders, paths) for folders, paths in groups.items())
        return tuple(finding for finding in findings if finding is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """What every group is judged with."""

    subject: Subject
    distributions: Mapping[str, Distribution]
    manifests: Mapping[str, Manifest]

    def judge(self, folders: tuple[str, ...], paths: list[Contested]) -> Finding | None:
        records = [know(folder, self.distributions) for folder in folders]
        names = sorted({record.name for record in records if record.name})
        if len(names) < 2:  # noqa: PLR2004 - two records of one name are duplicates, another check
            return None
        differing = [one for one in paths if one.differs]
        unknown = sum(one.differs is None for one in paths)
        labels = " and ".join(f"`{record.label}`" for record in records)
        message = f"{labels} {'both' if len(records) == 2 else 'all'} claim "  # noqa: PLR2004 - two
        message += f"{count(len(paths), 'path')}, {_contents(differing, unknown)}"
        severity = _severity(differing)
        remedies = self._remedies(records, differing) if differing else ()
        layers = find_layers(records, self.subject) if differing else None
        if layers is not None:
            judged = _of_layers(layers, severity, differing)
            if judged is None:
                return None
            severity, said, remedies = judged
            message = f"{message}; {said}"
        return Finding(
            code=CODE,
            severity=severity,
            distributions=tuple(names),
            message=message,
            evidence=(
                *_on_disk(differing, records),
                *some(tuple(one.path for one in (differing or paths))),
                *(line for record in records for line in owned(record)),
            ),
            remedies=remedies,
        )

    def _remedies(self, records: list[Record], differing: list[Contested]) -> tuple[Remedy, ...]:
        """Return one way for each record that could be kept, the likeliest first."""
        if not all(self._can_go(record) for record in records):
            return ()
        required = {need.name for need in self.subject.needs}
        before = self.subject.baseline.by_name() if self.subject.baseline is not None else {}
        standing = _standing(differing)
        likely = sorted(
            records,
            key=lambda record: (
                record.name not in required,
                record.name not in before,
                -standing.get(record.folder, 0),
                record.name,
            ),
        )
        return tuple(
            Keep(
                name=keeper.name,
                version=keeper.version or "",
                losers=tuple(sorted({one.name for one in records if one.name != keeper.name})),
            )
            for keeper in likely
        )

    def _can_go(self, record: Record) -> bool:
        """Return whether uv can uninstall a record: it has a list of its files, and is uv's."""
        manifest = self.manifests.get(record.folder)
        return (
            record.changeable
            and record.version is not None
            and manifest is not None
            and manifest.state is ManifestState.READ
            and not manifest.fault_count
        )


def _of_layers(
    layers: Layers, severity: Severity, differing: list[Contested]
) -> tuple[Severity, str, tuple[Remedy, ...]] | None:
    """Judge what lies over each other by design: severity, what to say, and what ends it.

    ``None``: it lies as it must.
    """
    if layers.top is None:
        said = f"by design, since {layers.reason}, and nothing tells whose must be on disk"
        return Severity.INFO, said, ()
    stand = [
        claim.stands
        for one in differing
        for claim in one.claims
        if claim.folder == layers.top.folder
    ]
    if False in stand:
        said = f"those on disk must be of `{layers.top.label}`, since {layers.reason}, and are not"
        return severity, said, reinstall(layers.top)
    if None in stand:
        said = f"whether those on disk are of `{layers.top.label}`, as they must, is not known"
        return Severity.INFO, said, ()
    return None


def _severity(differing: list[Contested]) -> Severity:
    if not differing:
        return Severity.INFO
    if any(_is_code(one.path) for one in differing):
        return Severity.ERROR
    return Severity.WARNING


def _is_code(path: str) -> bool:
    """Return whether a path can be imported or run, or is data of something that can."""
    parts = path.split("/")
    in_package = "site-packages" in parts[:-2] or "dist-packages" in parts[:-2]
    return in_package or parts[0] in {"bin", "Scripts"} or path.endswith(_CODE_SUFFIXES)


def _contents(differing: list[Contested], unknown: int) -> str:
    parts = [f"{len(differing)} of them with different contents" if differing else ""]
    parts.append(f"{unknown} of them without a digest to compare" if unknown else "")
    said = ", ".join(part for part in parts if part)
    return said or "all with the same contents"


def _standing(differing: Iterable[Contested]) -> Mapping[str, int]:
    """Return how many of the files on disk are those of each record."""
    standing: dict[str, int] = {}
    for one in differing:
        for claim in one.claims:
            if claim.stands:
                standing[claim.folder] = standing.get(claim.folder, 0) + 1
    return standing


def _on_disk(differing: list[Contested], records: list[Record]) -> tuple[str, ...]:
    standing = _standing(differing)
    return tuple(
        f"on disk: {count(standing[record.folder], 'file')} of `{record.label}`"
        for record in records
        if record.folder in standing
    )
