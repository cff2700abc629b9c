"""The check ``leftover``: what an interrupted removal left, and other records that are none."""

from collections.abc import Mapping

from packaging.utils import canonicalize_name

from envaudit.model.distribution import Distribution, Remnant, RemnantKind
from envaudit.model.finding import Clear, Explanation, Finding, Severity
from envaudit.model.subject import Subject

CODE = "leftover"

EXPLANATION = Explanation(
    code=CODE,
    meaning=(
        "A site directory holds what pip renamed (`~` and the rest of the name) to remove it and "
        "never removed, or a record that is a file, a link to nowhere, or empty."
    ),
    why=(
        "pip was stopped while it changed something. Python still returns such a record as a live "
        "distribution of the old version. Where nothing else of that name is installed, the change "
        "was never finished: the distribution is gone, and no checker says so."
    ),
    repair="Remove the entries by hand, one by one, and install again what is missing.",
)
_WHAT: Mapping[RemnantKind, str] = {
    RemnantKind.LEFTOVER: "was left by a removal that was stopped",
    RemnantKind.FILE: "is a file, and no record",
    RemnantKind.DANGLING: "leads nowhere",
    RemnantKind.NAMELESS: "is a record that names no distribution",
    RemnantKind.UNREACHABLE: "is an egg that is on no import path",
}


class Leftover:
    """Judges what looks like a distribution and is none."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return one finding for each distribution that something is left of."""
        groups: dict[str, list[Remnant]] = {}
        for remnant in subject.snapshot.remnants:
            groups.setdefault(_family(remnant, subject.snapshot.remnants), []).append(remnant)
        return tuple(_judge(remnants, subject.installed) for _, remnants in sorted(groups.items()))


def _family(remnant: Remnant, remnants: tuple[Remnant, ...]) -> str:
    """Return what a remnant belongs to: ``~ix`` and ``~ix-1.15.0.dist-info`` are of one removal."""
    stem = _stem(remnant.folder)
    for other in remnants:
        if other.name is not None and other.kind is remnant.kind and _stem(other.folder) == stem:
            return f"{other.name} {stem} {other.kind.value}"
    return f"{remnant.name or ''} {stem} {remnant.kind.value}"


def _stem(folder: str) -> str:
    base = folder.rpartition("/")[2]
    return canonicalize_name(base[:1] + base[1:].partition("-")[0].partition(".")[0])


def _judge(remnants: list[Remnant], installed: Mapping[str, tuple[Distribution, ...]]) -> Finding:
    folders = tuple(sorted(remnant.folder for remnant in remnants))
    named = next((one for one in remnants if one.name is not None), None)
    lost = named is not None and named.kind is RemnantKind.LEFTOVER and named.name not in installed
    first = named or remnants[0]
    what = _WHAT[first.kind]
    if lost:
        what += f", and nothing else of `{first.name}` is installed"
    return Finding(
        code=CODE,
        severity=_severity(first, lost=lost),
        distributions=() if named is None or named.name is None else (named.name,),
        message=f"`{first.folder}` {what}",
        evidence=tuple(f"path: {folder}" for folder in folders if folder != first.folder),
        remedies=(
            Clear(
                paths=folders,
                name=first.name if lost else None,
                version=first.version if lost else None,
            ),
        ),
    )


def _severity(remnant: Remnant, *, lost: bool) -> Severity:
    if lost:
        return Severity.ERROR
    return Severity.INFO if remnant.kind is RemnantKind.UNREACHABLE else Severity.WARNING
