"""The check ``distribution-duplicate``: one name, several records, and which of them is live."""

from collections.abc import Iterator, Mapping

from packaging.version import Version

from envaudit.checks.remedies import count, know, owned, reinstall
from envaudit.model.declared import parse_version
from envaudit.model.distribution import Distribution, Unreadable
from envaudit.model.files import Manifest, ManifestState
from envaudit.model.finding import Clear, Explanation, Finding, Remedy, Severity
from envaudit.model.layout import Scope
from envaudit.model.subject import Subject

CODE = "distribution-duplicate"

EXPLANATION = Explanation(
    code=CODE,
    meaning="One distribution has several records in the environment's own site directories.",
    why=(
        "The code can be of one version only, and tools disagree about which: Python takes the "
        "first record that the disk lists, pip shows one, uv all. The live one is whose RECORD "
        "the files on disk match; deleting the older one blindly can leave a record that lies."
    ),
    repair=(
        "Reinstall the live version: `uv pip install --reinstall-package NAME NAME==VERSION` "
        "removes all records and installs one."
    ),
)


class Duplicate:
    """Judges names that stand twice."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return an error for each name with several records."""
        manifests = {one.folder: one for one in subject.files.manifests} if subject.files else {}
        dead: dict[str, list[Unreadable]] = {}
        read = subject.snapshot.by_folder()
        for part in subject.snapshot.unreadable:
            if part.part == "METADATA" and part.folder not in read:
                dead.setdefault(know(part.folder, {}).name, []).append(part)
        findings = list(_across(subject))
        for name, records in sorted(subject.installed.items()):
            if len(records) > 1:
                findings.append(_judge(records, manifests))
            elif name in dead:
                findings.append(_judge_dead(records[0], dead[name]))
        return tuple(findings)


def _across(subject: Subject) -> Iterator[Finding]:
    """Judge names that stand in several of the environment's own folders, in other versions.

    What an operating system has is meant to be hidden by what is installed locally.
    """
    for hidden in subject.snapshot.shadowed:
        live = subject.installed.get(hidden.name, ())[:1]
        for record in live:
            if record.site == hidden.site or record.version == hidden.version:
                continue
            if hidden.scope is not Scope.OWN or record.scope is not Scope.OWN or hidden.owner:
                continue
            known = know(record.folder, {record.folder: record})
            yield Finding(
                code=CODE,
                severity=Severity.ERROR,
                distributions=(record.name,),
                message=(
                    f"`{record.label}` and `{hidden.label}` are both recorded, in two folders: the "
                    f"live one is `{record.label}`"
                ),
                evidence=(
                    f"record: {record.folder}, which comes first on the import path",
                    f"record: {hidden.folder}",
                ),
                remedies=reinstall(known),
            )


def _judge(records: tuple[Distribution, ...], manifests: Mapping[str, Manifest]) -> Finding:
    ranked = sorted(records, key=lambda record: _standing(record, manifests), reverse=True)
    live, *others = ranked
    rival = _standing(others[0], manifests)[:2]
    known = know(live.folder, {live.folder: live})
    if _standing(live, manifests)[:2] == rival:
        which = f"which one is live cannot be told, and `{live.label}` is the newest"
    else:
        which = f"the live one is `{live.label}`"
    labels = " and ".join(f"`{record.label}`" for record in records)
    return Finding(
        code=CODE,
        severity=Severity.ERROR,
        distributions=(live.name,),
        message=f"{labels} are both recorded: {which}",
        evidence=(
            *(_evidence(record, manifests.get(record.folder)) for record in ranked),
            *owned(known),
        ),
        remedies=reinstall(known),
    )


def _standing(
    record: Distribution, manifests: Mapping[str, Manifest]
) -> tuple[bool, float, bool, Version]:
    """Return how well a record stands: with a RECORD, share verified, then the newest version."""
    manifest = manifests.get(record.folder)
    parsed = parse_version(record.version)
    version, valid = parsed or Version("0"), parsed is not None
    if manifest is None or manifest.state is not ManifestState.READ:
        return False, 0.0, valid, version
    if not manifest.payload or manifest.verified is None:
        return True, 0.0, valid, version
    return True, manifest.verified / manifest.payload, valid, version


def _evidence(record: Distribution, manifest: Manifest | None) -> str:
    if manifest is None:
        return f"record: {record.folder}, files not compared"
    if manifest.state is not ManifestState.READ:
        return f"record: {record.folder}, without a list of its files"
    if manifest.payload is None or manifest.verified is None:
        return f"record: {record.folder}, files not compared"
    verified = f"{manifest.verified} of {count(manifest.payload, 'file')} on disk as it lists them"
    return f"record: {record.folder}, {verified}"


def _judge_dead(live: Distribution, dead: list[Unreadable]) -> Finding:
    """Judge a record beside which others of its name stand that have no METADATA."""
    folders = tuple(sorted({part.folder for part in dead}))
    known = know(live.folder, {live.folder: live})
    remedies: tuple[Remedy, ...] = ()
    if known.changeable:
        remedies = (Clear(paths=folders),)
    return Finding(
        code=CODE,
        severity=Severity.ERROR,
        distributions=(live.name,),
        message=f"beside `{live.label}` stands another record of it, without METADATA",
        evidence=(*(f"record: {folder}" for folder in folders), *owned(known)),
        remedies=remedies,
    )
