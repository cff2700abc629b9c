"""How pip is configured: its files and variables together, as ``pip config list`` tells them."""

import ast
from dataclasses import dataclass

from envaudit.core.redaction import find_secrets, redact_text
from envaudit.doors import process
from envaudit.model.errors import Problem, UnreadableError, UsageError
from envaudit.model.request import Request
from envaudit.uv.ask import in_one_line
from envaudit.uv.pip import Pip

_ELSEWHERE = frozenset({"target", "prefix", "root", "user", "python"})
_INDEXES = frozenset({"index-url", "extra-index-url", "find-links", "no-index"})
_SOURCES = frozenset({"requirement", "editable", "group", "requirements-from-script"})
_FALSE = frozenset({"", "0", "false", "no", "off", "f", "n"})
_COMMANDS = frozenset({"global", "install", ":env:"})


@dataclass(frozen=True, slots=True, kw_only=True)
class PipSetting:
    """One setting that counts for an install."""

    name: str
    """With its section: ``global.index-url``, ``:env:.target``."""
    value: str

    @property
    def key(self) -> str:
        """The option that it stands for, without its dashes."""
        return self.name.rpartition(".")[2].replace("_", "-")

    @property
    def shown(self) -> str:
        """As a person may see it."""
        return f"{self.name} = {redact_text(self.value)}"

    @property
    def is_set(self) -> bool:
        """Whether it switches something on."""
        return self.value.lower() not in _FALSE


def read_pip_settings(pip: Pip, request: Request, *, seconds: float) -> tuple[PipSetting, ...]:
    """Ask pip how it is configured; pip starts like for the answer itself.

    Raises:
        UnreadableError: it does not say.
    """
    isolated = ("--isolated",) if request.has("--isolated") else ()
    answer = process.run(
        (*pip.program, *isolated, "config", "list"),
        environment=pip.variables,
        folder=pip.folder,
        seconds=seconds,
    )
    if answer.code != 0:
        said = redact_text(answer.messages, find_secrets(pip.variables))
        message = f"pip does not say how it is configured: {in_one_line(said)}"
        raise UnreadableError(Problem(message=message, at=pip.program[0]))
    return tuple(filter(None, map(_read, answer.output.splitlines())))


def _read(line: str) -> PipSetting | None:
    name, _, written = line.partition("=")
    if name.rpartition(".")[0] not in _COMMANDS:
        return None
    try:
        value = ast.literal_eval(written)
    except (ValueError, SyntaxError):
        value = written
    return PipSetting(name=name, value=str(value))


def refuse_settings(settings: tuple[PipSetting, ...], *, build: bool) -> None:
    """Refuse a configuration by which pip installs elsewhere, or more than the command says.

    Raises:
        UsageError: it installs elsewhere.
        UnreadableError: what it adds may have to be built, and nobody allowed that.
    """
    for setting in settings:
        if setting.key in _ELSEWHERE and setting.is_set:
            raise UsageError(
                Problem(
                    message=(
                        f"pip's configuration says `{setting.shown}`: the command "
                        "would install elsewhere than where it is judged"
                    ),
                    hint="take that out, or give the command `--isolated`",
                )
            )
        if setting.key in _SOURCES and setting.is_set and not build:
            raise UnreadableError(
                Problem(
                    message=(
                        f"pip's configuration says `{setting.shown}`, which pip "
                        "may have to build to answer"
                    ),
                    hint="allow it with `--allow-build`",
                )
            )


def describe_indexes(settings: tuple[PipSetting, ...]) -> tuple[str, ...]:
    """Say from where pip is configured to install, without secrets."""
    return tuple(
        setting.shown for setting in settings if setting.key in _INDEXES and setting.is_set
    )
