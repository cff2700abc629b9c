"""Taking a user's install command apart: which environment, which requirements, and what else.

Only what can be judged is understood, and everything else is refused by name: a command that is
misread is judged wrongly. Which options take a value: see ``install_options``.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import PurePath

from envaudit.core.install_options import PIP_FLAGS, PIP_LONG, PIP_VALUES, UV_LONG, UV_VALUES
from envaudit.model.errors import Problem, UsageError
from envaudit.model.request import Installer, Request, Verb, Word


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grammar:
    """How an installer reads its options."""

    values: AbstractSet[str]
    """Those that take a value."""
    names: Mapping[str, str]
    """Long name by short one, and by any other."""
    begun: AbstractSet[str] = frozenset()
    """Those that may be written by any beginning that is none of another's."""
    verbs: Mapping[tuple[str, ...], Verb] = field(default_factory=dict)

    def name(self, word: str) -> str:
        """Return the long name of the option ``word``."""
        if word not in self.begun and word not in self.names:
            meant = {self.names.get(name, name) for name in self.begun if name.startswith(word)}
            if len(meant) == 1:
                return meant.pop()
        return self.names.get(word, word)


_UV_PROJECT = _Grammar(
    values=UV_VALUES - {"--no-binary"}, names=UV_LONG, verbs={("sync",): Verb.PROJECT_SYNC}
)
"""``uv sync``, where ``--no-binary`` stands alone."""
_UV = _Grammar(
    values=UV_VALUES,
    names=UV_LONG,
    verbs={
        ("pip", "install"): Verb.INSTALL,
        ("pip", "sync"): Verb.SYNC,
        ("pip", "uninstall"): Verb.UNINSTALL,
    },
)
_PIP = _Grammar(
    values=PIP_VALUES,
    names=PIP_LONG,
    begun=PIP_VALUES | PIP_FLAGS,
    verbs={("install",): Verb.INSTALL, ("uninstall",): Verb.UNINSTALL},
)
_KNOWN = (
    "`uv pip install`, `uv pip sync`, `uv pip uninstall`, `uv sync`, `pip install` and "
    "`pip uninstall`, by these names or as `python -m uv` and `python -m pip`"
)
_OF_PYTHON = frozenset({"-I", "-E", "-s", "-B", "-P", "-u"})
"""Options of Python's own that change nothing about which environment is meant."""
_ELSEWHERE = ("--target", "--prefix", "--root", "--user")


def understand(command: Sequence[str]) -> Request:
    """Take ``command`` apart.

    Raises:
        UsageError: it is no command that can be judged.
    """
    if not command:
        raise UsageError(
            Problem(
                message="there is no command to judge",
                hint="give it after `--`: `envaudit gate -- uv pip install …`",
            )
        )
    installer, program, rest = _program(command)
    words, grammar = _read(installer, rest)
    subcommand, verb = _verb(installer, words, grammar.verbs)
    request = Request(
        installer=installer,
        verb=verb,
        program=program,
        subcommand=subcommand,
        words=_without_subcommand(words, len(subcommand)),
    )
    _refuse_elsewhere(request)
    _refuse_streams(request)
    return request


def _read(installer: Installer, rest: Sequence[str]) -> tuple[tuple[Word, ...], _Grammar]:
    if installer is Installer.PIP:
        return tuple(_words(rest, _PIP)), _PIP
    words = _words(rest, _UV_PROJECT)
    first = next((word.value for word in words if word.option is None), None)
    grammar = _UV_PROJECT if first == "sync" else _UV
    return tuple(_words(rest, grammar)), grammar


def _program(command: Sequence[str]) -> tuple[Installer, tuple[str, ...], tuple[str, ...]]:
    name = PurePath(command[0]).name
    if name == "uv":
        return Installer.UV, tuple(command[:1]), tuple(command[1:])
    if name == "pip" or (name.startswith("pip") and name[3:].replace(".", "").isdigit()):
        return Installer.PIP, tuple(command[:1]), tuple(command[1:])
    if name.startswith(("python", "pypy")):
        start = 1
        while start < len(command) and command[start] in _OF_PYTHON:
            start += 1
        module = start + 2
        match tuple(command[start:module]):
            case ("-m", "uv"):
                return Installer.UV, tuple(command[:module]), tuple(command[module:])
            case ("-m", "pip"):
                return Installer.PIP, tuple(command[:module]), tuple(command[module:])
            case _:
                pass
    raise UsageError(
        Problem(
            message=f"`{command[0]}` is no installer that can be judged",
            hint=f"what can be judged is {_KNOWN}",
        )
    )


def _words(rest: Sequence[str], grammar: _Grammar) -> Iterator[Word]:
    waiting = list(rest)
    while waiting:
        word = waiting.pop(0)
        if word == "--":
            yield from (Word(written=(argument,), value=argument) for argument in waiting)
            return
        if not word.startswith("-") or word == "-":
            yield Word(written=(word,), value=word)
        elif word.startswith("--"):
            yield _long_option(word, waiting, grammar)
        else:
            yield from _short_options(word, waiting, grammar)


def _long_option(word: str, waiting: list[str], grammar: _Grammar) -> Word:
    name, equals, value = word.partition("=")
    option = grammar.name(name)
    if equals:
        return Word(written=(word,), option=option, value=value)
    if option not in grammar.values:
        return Word(written=(word,), option=option)
    value = _next(word, waiting)
    return Word(written=(word, value), option=option, value=value)


def _short_options(word: str, waiting: list[str], grammar: _Grammar) -> Iterator[Word]:
    """Take ``-Uq`` and ``-rfile`` apart, letter by letter up to one that takes a value."""
    for at in range(1, len(word)):
        letter = f"-{word[at]}"
        option = grammar.names.get(letter, letter)
        if option not in grammar.values:
            yield Word(written=(letter,), option=option)
            continue
        attached = word[at + 1 :].removeprefix("=")
        value = attached or _next(letter, waiting)
        yield Word(written=(letter, value), option=option, value=value)
        return


def _next(option: str, waiting: list[str]) -> str:
    if not waiting:
        raise UsageError(Problem(message=f"the option `{option}` of the command has no value"))
    return waiting.pop(0)


def _verb(
    installer: Installer, words: Sequence[Word], verbs: Mapping[tuple[str, ...], Verb]
) -> tuple[tuple[str, ...], Verb]:
    arguments = tuple(word.value or "" for word in words if word.option is None)
    for subcommand, verb in verbs.items():
        if arguments[: len(subcommand)] == subcommand:
            return subcommand, verb
    if installer is Installer.UV and arguments[:1] in {("add",), ("remove",)}:
        raise UsageError(
            Problem(
                message=f"`uv {arguments[0]}` has no dry run, so it cannot be judged beforehand",
                hint=f"run `uv {arguments[0]} --no-sync …`, then `envaudit gate -- uv sync`",
            )
        )
    said = " ".join((installer.value, *arguments[:2]))
    raise UsageError(
        Problem(
            message=f"`{said}` is no command that can be judged",
            hint=f"what can be judged is {_KNOWN}",
        )
    )


def _without_subcommand(words: Sequence[Word], count: int) -> tuple[Word, ...]:
    """Leave out the first ``count`` arguments; options before them stay."""
    kept: list[Word] = []
    for word in words:
        if word.option is None and count > 0:
            count -= 1
        else:
            kept.append(word)
    return tuple(kept)


def _refuse_elsewhere(request: Request) -> None:
    for option in _ELSEWHERE:
        if request.has(option):
            raise UsageError(
                Problem(
                    message=f"`{option}` installs outside of the environment, so it is not judged",
                    hint="judge the folder itself afterwards: `envaudit check --python FOLDER`",
                )
            )


_LINES = ("--requirements", "--requirement", "--constraints", "--constraint", "--overrides")
_STREAMS = ("/dev/", "/proc/")


def _refuse_streams(request: Request) -> None:
    """Refuse what can be read only once: the answer and the install would read different things."""
    named = [value for option in (*_LINES, "--excludes") for value in request.values(option)]
    if request.verb is Verb.SYNC:
        named += request.arguments
    for name in named:
        if name == "-" or name.startswith(_STREAMS):
            raise UsageError(
                Problem(
                    message=f"`{name}` in the command can be read only once, and not to judge it",
                    hint="write what it says to a file, and name that",
                )
            )
    if request.verb is Verb.PROJECT_SYNC and request.has("--script"):
        raise UsageError(
            Problem(
                message="`--script` fills an environment of the script's own, which is not judged",
                hint="judge the environment afterwards: `envaudit check --python FOLDER`",
            )
        )


_FLAGS_OF_FIX = frozenset(
    {
        *("--index", "--default-index", "--index-url", "--extra-index-url", "--find-links"),
        *("--no-index", "--index-strategy", "--keyring-provider", "--allow-insecure-host"),
        *("--torch-backend", "--prerelease", "--prerelease-package", "--resolution"),
        *("--fork-strategy", "--exclude-newer", "--exclude-newer-package", "--constraints"),
        *("--build-constraints", "--overrides", "--excludes", "--no-binary", "--only-binary"),
        *("--offline", "--no-cache", "--cache-dir", "--refresh", "--refresh-package"),
        *("--link-mode", "--no-config", "--config-file", "--cert", "--system-certs"),
        *("--native-tls", "--no-sources", "--no-sources-package", "--reinstall-package"),
        *("--compile-bytecode", "--no-build-isolation", "--no-build-isolation-package"),
        *("--config-setting", "--config-settings-package", "--upgrade-package", "--trusted-host"),
    }
)
"""From where and how uv may install: no flag that changes what is asked, or about what."""


def understand_flags(flags: Sequence[str]) -> tuple[str, ...]:
    """Return ``flags`` for uv's install if that is what they are.

    Raises:
        UsageError: one is no flag, or one by which the trial and the command would differ.
    """
    for word in _words(flags, _UV):
        if word.option is None:
            raise UsageError(
                Problem(
                    message=f"`{word.value}` is no flag for uv",
                    hint="name the environment with `--python`; what follows `--` goes to uv",
                )
            )
        if word.option not in _FLAGS_OF_FIX:
            raise UsageError(
                Problem(
                    message=f"`{word.option}` cannot be given to uv here",
                    hint="what can be given says from where and how to install: an index, a cache",
                )
            )
    return tuple(flags)


def compose(
    request: Request,
    *,
    without: frozenset[str] = frozenset(),
    options: Sequence[str] = (),
    arguments: Sequence[str] = (),
) -> tuple[str, ...]:
    """Put a command together again: ``options`` come first and ``arguments`` last.

    ``without``: options (long names) that are left out, values and all.
    """
    kept = [word for word in request.words if word.option not in without]
    given = [argument for word in kept if word.option is None for argument in word.written]
    dashed = any(argument.startswith("-") for argument in (*given, *arguments))
    if dashed:
        kept = [word for word in kept if word.option is not None]
    # pip takes this one before its subcommand alone.
    leading = [word for word in kept if _leads(request, word)]
    first = [text for word in leading for text in word.written]
    written = [text for word in kept if word not in leading for text in word.written]
    tail = ["--", *given, *arguments] if dashed else list(arguments)
    return (*request.program, *first, *request.subcommand, *options, *written, *tail)


def _leads(request: Request, word: Word) -> bool:
    return request.installer is Installer.PIP and word.option == "--python"
