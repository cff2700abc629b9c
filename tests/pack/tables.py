"""The data tables of this room, read: incidents that the pack must see, and traps it must not."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from envaudit.core.evaluate import evaluate
from envaudit.core.examples import subject_of
from envaudit.model.finding import Finding, Severity
from envaudit.model.policy import Example, Policy

_ROOM = Path(__file__).resolve().parent
Row = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """Something that happened in public: what was installed, and what would have been right."""

    id: str
    broken: Example
    flagged: tuple[tuple[str, ...], ...]
    """Normalised names, sorted: for each entry there must be a finding that names just these."""
    severity: Severity
    """At least this heavy."""
    healthy: tuple[Example, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unseen:
    """Something that happened and that no rule on versions can decide."""

    id: str
    example: Example
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trap:
    """A healthy environment that a naive rule would flag."""

    number: int
    id: str
    example: Example
    unknown: bool
    """Whether an info may say what cannot be known."""


def incidents() -> tuple[Incident, ...]:
    """Return every incident that one environment can decide."""
    return tuple(
        Incident(
            id=_text(row, "id"),
            broken=_example(row),
            flagged=tuple(tuple(names) for names in _lists(row, "flagged")),
            severity=Severity(_text(row, "severity") or Severity.ERROR),
            healthy=tuple(
                _example({**row, "installed": installed}, declared=False)
                for installed in _lists(row, "healthy")
            ),
        )
        for row in _rows("incident")
    )


def unseen() -> tuple[Unseen, ...]:
    """Return every incident that no rule can see, with the reason."""
    return tuple(
        Unseen(id=_text(row, "id"), example=_example(row), reason=_text(row, "reason"))
        for row in _rows("unseen")
    )


def sources() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return each incident's id with where it is told in public."""
    rows = (*_rows("incident"), *_rows("unseen"))
    return tuple((_text(row, "id"), _texts(row, "sources")) for row in rows)


def traps() -> tuple[Trap, ...]:
    """Return one trap for each of its environments."""
    document = tomllib.loads((_ROOM / "traps.toml").read_text())
    return tuple(
        Trap(
            number=row["number"],
            id=f"{row['number']} {row['id']} {position}",
            example=_example(environment),
            unknown=environment.get("unknown", False),
        )
        for row in document["trap"]
        for position, environment in enumerate(row["environments"], start=1)
    )


def releases() -> tuple[Example, ...]:
    """Return what was released together."""
    document = tomllib.loads((_ROOM / "releases.toml").read_text())
    return tuple(
        Example(installed=tuple(installed), verdict="pass")
        for family in document.values()
        for installed in family
    )


def judge(example: Example, pack: tuple[Policy, ...]) -> tuple[Finding, ...]:
    """Judge the environment that ``example`` describes as ``envaudit check`` would."""
    snapshot = subject_of(example).snapshot
    return evaluate(snapshot, pack, variables=example.variables).findings


def heavy(findings: tuple[Finding, ...]) -> tuple[str, ...]:
    """Return the warnings and errors among ``findings``, as lines to read in a failure."""
    return tuple(say(finding) for finding in findings if finding.severity is not Severity.INFO)


def say(finding: Finding) -> str:
    """Return a finding on one line."""
    rule = finding.rule.id if finding.rule else finding.code
    return f"{finding.severity}: {rule}: {', '.join(finding.distributions)}: {finding.message}"


def _rows(key: str) -> Iterator[Row]:
    for path in sorted((_ROOM / "incidents").glob("*.toml")):
        yield from tomllib.loads(path.read_text()).get(key, [])


def _example(row: Row, *, declared: bool = True) -> Example:
    """Build the environment of a row, which has the keys of a rule's example.

    ``declared``: whether what the row says that a distribution requires is part of it.
    """
    return Example(
        installed=_texts(row, "installed"),
        verdict="pass",
        python=_text(row, "python") or "3.11",
        platform=_text(row, "platform") or "linux-x86_64",
        variables=frozenset(_texts(row, "variables")),
        built=tuple(sorted(_mapping(row, "built").items())),
        requires=tuple(
            (name, tuple(lines))
            for name, lines in sorted(_mapping(row, "requires").items())
            if declared
        ),
    )


def _text(row: Row, key: str) -> str:
    return str(row.get(key, ""))


def _texts(row: Row, key: str) -> tuple[str, ...]:
    value = row.get(key, [])
    assert isinstance(value, list)
    return tuple(value)


def _lists(row: Row, key: str) -> tuple[list[str], ...]:
    value = row.get(key, [])
    assert isinstance(value, list)
    return tuple(value)


def _mapping(row: Row, key: str) -> Mapping[str, str]:
    value = row.get(key, {})
    assert isinstance(value, dict)
    return value
