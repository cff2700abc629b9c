"""A user's own install command, taken apart into words that can be put together anew."""

from dataclasses import dataclass
from enum import StrEnum


class Verb(StrEnum):
    """What the command would do."""

    INSTALL = "install"
    SYNC = "sync"
    """``uv pip sync``: nothing else stays."""
    UNINSTALL = "uninstall"
    PROJECT_SYNC = "project-sync"
    """``uv sync``: a project's lockfile decides."""


class Installer(StrEnum):
    """Whose command it is."""

    UV = "uv"
    PIP = "pip"


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """One option with its value, or one argument, with the words that it was written in."""

    written: tuple[str, ...]
    """As the user wrote it: ``("--index-url", "https://…")`` or ``("--index-url=https://…",)``."""
    option: str | None = None
    """The option's long name, or its short one where it has no long one; ``None``: an argument."""
    value: str | None = None
    """The option's value, or the argument."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A command that can be judged."""

    installer: Installer
    verb: Verb
    program: tuple[str, ...]
    """What starts the installer: ``("uv",)``, ``("python", "-m", "pip")``."""
    subcommand: tuple[str, ...]
    """``("pip", "install")`` of uv, ``("install",)`` of pip."""
    words: tuple[Word, ...]
    """Everything else, in the order in which it was written."""

    @property
    def arguments(self) -> tuple[str, ...]:
        """What is no option: requirements, names, requirement files of ``uv pip sync``."""
        return tuple(word.value or "" for word in self.words if word.option is None)

    def has(self, *options: str) -> bool:
        """Return whether one of ``options`` (long names) is given."""
        return any(word.option in options for word in self.words)

    def values(self, option: str) -> tuple[str, ...]:
        """Return the values that ``option`` (its long name) is given, in order."""
        return tuple(
            word.value for word in self.words if word.option == option and word.value is not None
        )
