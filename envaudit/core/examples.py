"""A policy's own examples: whether each rule says of them what its author says that it does."""

from collections.abc import Iterator
from dataclasses import dataclass

from packaging.utils import canonicalize_name

from envaudit.core.graph import resolve
from envaudit.model.distribution import Distribution, Origin, OriginKind
from envaudit.model.policy import PLATFORMS, Example, Rule
from envaudit.model.snapshot import Interpreter, Snapshot
from envaudit.model.subject import Subject

PASS = "pass"  # noqa: S105 - a verdict, not a password


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One example, judged."""

    rule: Rule
    example: Example
    verdict: str
    """The heaviest severity that the rule said, or ``pass``."""
    distributions: tuple[str, ...] = ()
    """Whom its heaviest findings name, sorted."""

    @property
    def right(self) -> bool:
        """Whether the rule said what the example says, of whom the example says it."""
        expected = self.example.distributions
        return self.verdict == self.example.verdict and expected in {(), self.distributions}


def try_examples(rule: Rule) -> Iterator[Trial]:
    """Judge each example by what the rule's file says, whatever a configuration makes of it."""
    for example in rule.examples:
        findings = rule.kind.judge(subject_of(example))
        heaviest = min(findings, key=lambda finding: finding.severity.weight, default=None)
        verdict = PASS if heaviest is None else heaviest.severity.value
        named = tuple(
            sorted(
                {
                    name
                    for finding in findings
                    if finding.severity.value == verdict
                    for name in finding.distributions
                }
            )
        )
        yield Trial(rule=rule, example=example, verdict=verdict, distributions=named)


def subject_of(example: Example) -> Subject:
    """Build the environment that an example describes."""
    records = tuple(_distribution(pin, example) for pin in example.installed)
    snapshot = Snapshot(
        interpreter=_interpreter(example),
        distributions=tuple(sorted(records, key=lambda record: (record.name, record.folder))),
    )
    return Subject(
        snapshot=snapshot,
        installed=snapshot.by_name(),
        needs=resolve(snapshot).needs(),
        rules=1,
        variables=example.variables,
    )


def _interpreter(example: Example) -> Interpreter:
    minor = ".".join(example.python.split(".")[:2])
    markers = {
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "python_full_version": example.python if example.python != minor else f"{minor}.0",
        "python_version": minor,
        **PLATFORMS[example.platform],
    }
    return Interpreter(
        implementation="cpython", version=example.python, markers=tuple(sorted(markers.items()))
    )


def _distribution(text: str, example: Example) -> Distribution:
    pin, at, url = text.partition(" @ ")
    spelling, _, version = (part.strip() for part in pin.partition("=="))
    name = canonicalize_name(spelling)
    built = dict(example.built).get(name)
    origin = (
        Origin(kind=OriginKind.ARCHIVE, url=url.strip()) if at else Origin(kind=OriginKind.INDEX)
    )
    return Distribution(
        name=name,
        spelling=spelling,
        version=version,
        folder=f"(example)/{name}-{version}",
        origin=origin,
        requires=dict(example.requires).get(name, ()),
        measured=() if built is None else (("built.torch", built),),
    )
