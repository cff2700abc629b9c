"""Taking a user's install command apart: which environment, which requirements, and what else.

Only what can be judged is understood, and everything else is refused by name: a command that is
misread is judged wrongly. Which options take a value was read off ``uv pip install --help`` and its
like (uv 0.13.9) and ``pip install --help`` (pip 26.3).
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath

from envaudit.model.errors import Problem, UsageError
from envaudit.model.request import Installer, Request, Verb, Word

_UV_VALUES = frozenset(
    [
        "--requirements",
        "--editable",
        "--no-editable-package",
        "--constraints",
        "--overrides",
        "--excludes",
        "--build-constraints",
        "--extra",
        "--cert",
        "--group",
        "--target",
        "--prefix",
        "--no-binary",
        "--only-binary",
        "--python-version",
        "--python-platform",
        "--output-format",
        "--torch-backend",
        "--index",
        "--default-index",
        "--index-url",
        "--extra-index-url",
        "--find-links",
        "--index-strategy",
        "--keyring-provider",
        "--upgrade-package",
        "--upgrade-group",
        "--resolution",
        "--prerelease",
        "--prerelease-package",
        "--fork-strategy",
        "--exclude-newer",
        "--exclude-newer-package",
        "--no-sources-package",
        "--reinstall-package",
        "--link-mode",
        "--config-setting",
        "--config-settings-package",
        "--no-build-isolation-package",
        "--cache-dir",
        "--refresh-package",
        "--python",
        "--color",
        "--allow-insecure-host",
        "--directory",
        "--project",
        "--config-file",
        "--no-build-package",
        "--no-binary-package",
        "--package",
        "--only-group",
        "--no-group",
        "--no-extra",
        "--no-install-package",
        "--script",
        "--env-file",
        "--trusted-host",
    ]
)
_UV_LONG: Mapping[str, str] = {
    "-r": "--requirements",
    "--requirement": "--requirements",
    "-e": "--editable",
    "-c": "--constraints",
    "--constraint": "--constraints",
    "--override": "--overrides",
    "-b": "--build-constraints",
    "--build-constraint": "--build-constraints",
    "-t": "--target",
    "-i": "--index-url",
    "-f": "--find-links",
    "-P": "--upgrade-package",
    "-C": "--config-setting",
    "--config-settings": "--config-setting",
    "-p": "--python",
    "-U": "--upgrade",
    "-n": "--no-cache",
    "-q": "--quiet",
    "-v": "--verbose",
}
_PIP_VALUES = frozenset(
    [
        "--requirement",
        "--constraint",
        "--editable",
        "--target",
        "--platform",
        "--python-version",
        "--implementation",
        "--abi",
        "--root",
        "--prefix",
        "--src",
        "--upgrade-strategy",
        "--config-settings",
        "--global-option",
        "--no-binary",
        "--only-binary",
        "--progress-bar",
        "--root-user-action",
        "--report",
        "--index-url",
        "--extra-index-url",
        "--find-links",
        "--python",
        "--log",
        "--keyring-provider",
        "--proxy",
        "--retries",
        "--timeout",
        "--exists-action",
        "--trusted-host",
        "--cert",
        "--client-cert",
        "--cache-dir",
        "--use-feature",
        "--use-deprecated",
        "--group",
        "--build-constraint",
    ]
)
_PIP_LONG: Mapping[str, str] = {
    "-r": "--requirement",
    "-c": "--constraint",
    "-e": "--editable",
    "-t": "--target",
    "-C": "--config-settings",
    "-i": "--index-url",
    "-f": "--find-links",
    "-U": "--upgrade",
    "-I": "--ignore-installed",
    "-q": "--quiet",
    "-v": "--verbose",
    "-y": "--yes",
}
_UV_VERBS: Mapping[tuple[str, ...], Verb] = {
    ("pip", "install"): Verb.INSTALL,
    ("pip", "sync"): Verb.SYNC,
    ("pip", "uninstall"): Verb.UNINSTALL,
    ("sync",): Verb.PROJECT_SYNC,
}
_PIP_VERBS: Mapping[tuple[str, ...], Verb] = {
    ("install",): Verb.INSTALL,
    ("uninstall",): Verb.UNINSTALL,
}
_KNOWN = (
    "`uv pip install`, `uv pip sync`, `uv pip uninstall`, `uv sync`, `pip install` and "
    "`pip uninstall`, by these names or as `python -m uv` and `python -m pip`"
)
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
    values = _UV_VALUES if installer is Installer.UV else _PIP_VALUES
    long = _UV_LONG if installer is Installer.UV else _PIP_LONG
    verbs = _UV_VERBS if installer is Installer.UV else _PIP_VERBS
    words = tuple(_words(rest, values, long))
    subcommand, verb = _verb(words, verbs)
    request = Request(
        installer=installer,
        verb=verb,
        program=program,
        subcommand=subcommand,
        words=_without_subcommand(words, len(subcommand)),
    )
    _refuse_elsewhere(request)
    return request


def _program(command: Sequence[str]) -> tuple[Installer, tuple[str, ...], tuple[str, ...]]:
    name = PurePath(command[0]).name
    if name == "uv":
        return Installer.UV, tuple(command[:1]), tuple(command[1:])
    if name == "pip" or (name.startswith("pip") and name[3:].replace(".", "").isdigit()):
        return Installer.PIP, tuple(command[:1]), tuple(command[1:])
    if name.startswith(("python", "pypy")):
        match tuple(command[1:3]):
            case ("-m", "uv"):
                return Installer.UV, tuple(command[:3]), tuple(command[3:])
            case ("-m", "pip"):
                return Installer.PIP, tuple(command[:3]), tuple(command[3:])
            case _:
                pass
    raise UsageError(
        Problem(
            message=f"`{command[0]}` is no installer that can be judged",
            hint=f"what can be judged is {_KNOWN}",
        )
    )


def _words(rest: Sequence[str], values: frozenset[str], long: Mapping[str, str]) -> Iterator[Word]:
    waiting = list(rest)
    while waiting:
        word = waiting.pop(0)
        if word == "--":
            yield from (Word(written=(argument,), value=argument) for argument in waiting)
            return
        if not word.startswith("-") or word == "-":
            yield Word(written=(word,), value=word)
        elif word.startswith("--"):
            yield _long_option(word, waiting, values, long)
        else:
            yield from _short_options(word, waiting, values, long)


def _long_option(
    word: str, waiting: list[str], values: frozenset[str], long: Mapping[str, str]
) -> Word:
    name, equals, value = word.partition("=")
    option = long.get(name, name)
    if equals:
        return Word(written=(word,), option=option, value=value)
    if option not in values:
        return Word(written=(word,), option=option)
    value = _next(word, waiting)
    return Word(written=(word, value), option=option, value=value)


def _short_options(
    word: str, waiting: list[str], values: frozenset[str], long: Mapping[str, str]
) -> Iterator[Word]:
    """Take ``-Uq`` and ``-rfile`` apart, letter by letter up to one that takes a value."""
    for at in range(1, len(word)):
        letter = f"-{word[at]}"
        option = long.get(letter, letter)
        if option not in values:
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
    words: Sequence[Word], verbs: Mapping[tuple[str, ...], Verb]
) -> tuple[tuple[str, ...], Verb]:
    arguments = tuple(word.value or "" for word in words if word.option is None)
    for subcommand, verb in verbs.items():
        if arguments[: len(subcommand)] == subcommand:
            return subcommand, verb
    if arguments[:1] in {("add",), ("remove",)}:
        raise UsageError(
            Problem(
                message=f"`uv {arguments[0]}` has no dry run, so it cannot be judged beforehand",
                hint=f"run `uv {arguments[0]} --no-sync …`, then `envaudit gate -- uv sync`",
            )
        )
    raise UsageError(
        Problem(
            message=f"`{' '.join(arguments[:2])}` is no subcommand that can be judged",
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
    for word in _words(flags, _UV_VALUES, _UV_LONG):
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
    written = [text for word in kept for text in word.written]
    tail = ["--", *given, *arguments] if dashed else list(arguments)
    return (*request.program, *request.subcommand, *options, *written, *tail)
