"""What a configuration file says about which rules judge, and how heavily."""

from dataclasses import dataclass

from envaudit.model.finding import Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """One configuration file, as read."""

    file: str
    """As shown to people."""
    policies: tuple[str, ...] = ()
    """Policy files and folders, absolute."""
    builtin: bool = True
    """Whether the built-in pack judges too."""
    disabled: tuple[str, ...] = ()
    """Ids of rules that do not judge, sorted."""
    severities: tuple[tuple[str, Severity], ...] = ()
    """Id of a rule -> its severity, in place of its own; sorted."""
    refused: str | None = None
    """Why the file was not taken, a predicate; then it says nothing."""

    @property
    def summary(self) -> str:
        """What it says, on one line."""
        if self.refused is not None:
            return f"is not taken: it {self.refused}"
        parts = [
            *(f"policy {path}" for path in self.policies),
            *(() if self.builtin else ("no built-in policies",)),
            *(f"{identity} disabled" for identity in self.disabled),
            *(f"{identity} is {severity.value}" for identity, severity in self.severities),
        ]
        return ", ".join(parts) or "changes nothing"
