"""What a rule or check says about one environment, and the remedies that would end it."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from envaudit.model.requirement import Chain


class Severity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    """Something imports wrongly, or a tool cannot work."""
    WARNING = "warning"
    """Breaks at the next install, or works by luck."""
    INFO = "info"
    """Worth knowing; what cannot be known is said with this."""

    @property
    def weight(self) -> int:
        """Order of severities: the heaviest is the smallest number."""
        return list(Severity).index(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Align:
    """Bring the members to one value of a fact."""

    members: tuple[str, ...]
    fact: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Remove:
    """Uninstall an optional companion."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Satisfy:
    """Have uv resolve a dependent again at its own version, so that its requirements come in.

    Naming the dependent rather than the victim lets uv choose inside the dependent's bounds.
    """

    name: str
    extras: tuple[str, ...]
    version: str
    victim: str
    """The required distribution that is missing or out of bounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinstall:
    """Install a distribution again over what is there, at the version that it has."""

    name: str
    version: str
    clean: bool = False
    """Whether uv's cache holds the same fault, and has to be cleaned of it first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Bring one distribution into a range: raise it, lower it, or install it."""

    name: str
    specifier: str
    """PEP 440; empty: any version."""
    up: bool
    """Whether that is forward, or back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep:
    """Of rivals that own the same files, uninstall the losers and reinstall the one to keep.

    Never the other way round: uninstalling a loser afterwards deletes the kept one's files again.
    """

    name: str
    version: str
    losers: tuple[str, ...]
    """Normalised names, sorted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LookOn:
    """Look for one distribution on an index of its own: what it has, others lack."""

    name: str
    """The distribution it is for."""
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Clear:
    """Delete paths of the environment by name; then install what stood there, if that is known.

    For what no installer can remove: a record that uv cannot read, a leftover, an orphan.
    """

    paths: tuple[str, ...]
    """Relative to the environment, sorted."""
    name: str | None = None
    version: str | None = None


Remedy = Align | Remove | Satisfy | Place | Keep | LookOn | Reinstall | Clear


@dataclass(frozen=True, slots=True, kw_only=True)
class Waived:
    """The exception that a finding stands under."""

    until: date
    """The last day on which it holds."""
    reason: str
    file: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleReference:
    """The rule behind a finding: where a person finds it."""

    id: str
    policy: str
    file: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that a rule or check says."""

    code: str
    severity: Severity
    distributions: tuple[str, ...]
    """Normalised names, sorted."""
    message: str
    """One sentence, lower case, names in backticks. Untrusted: escape before showing."""
    evidence: tuple[str, ...] = ()
    why: tuple[Chain, ...] = ()
    rule: RuleReference | None = None
    introduced: bool | None = None
    """Whether the baseline did not have it; ``None`` without a baseline."""
    remedies: tuple[Remedy, ...] = ()
    waived: Waived | None = None
    """A waived finding is shown, and fails nothing."""

    @property
    def counts(self) -> bool:
        """Whether it can fail a run: it is more than a remark, and no waiver covers it."""
        return self.severity is not Severity.INFO and self.waived is None

    @property
    def key(self) -> tuple[str, str | None, tuple[str, ...]]:
        """What makes two findings the same finding in two environments."""
        names = self.distributions or (self.message,)
        return self.code, self.rule.id if self.rule else None, names

    @property
    def order(self) -> tuple[int, str, tuple[str, ...], str]:
        """Stable order in a report: heaviest first."""
        return self.severity.weight, self.code, self.distributions, self.message


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What ``explain`` tells of a finding code."""

    code: str
    meaning: str
    why: str
    repair: str
