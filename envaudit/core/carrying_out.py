"""From a judged command to what is run: exact pins, and nothing that could resolve otherwise."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from packaging.requirements import InvalidRequirement, Requirement

from envaudit.core.planner import write_requirement
from envaudit.core.understand import compose
from envaudit.model.errors import Problem, UsageError
from envaudit.model.plan import Move
from envaudit.model.request import Installer, Request, Verb

_ASKED = frozenset({"--dry-run", "--check", "--require-hashes", "--editable", "--no-verify-hashes"})
"""By which the command would do something else than put exact versions in place."""
_REPLACED = frozenset(
    {
        *("--python", "--system", "--no-system", "--output-format", "--strict", "--no-deps"),
        *("--requirements", "--group", "--extra", "--all-extras", "--constraints", "--overrides"),
        *("--excludes", "--upgrade", "--upgrade-package", "--upgrade-group", "--resolution"),
        *("--reinstall", "--force-reinstall", "--reinstall-package", "--exact", "--inexact"),
        *("--prerelease", "--prerelease-package", "--fork-strategy", "--allow-empty-requirements"),
        *("--no-allow-empty-requirements", "--python-version", "--python-platform"),
    }
)
"""By which uv resolves, or what it resolves: the judged answer stands in their place."""
_INDEX_OPTIONS = frozenset(
    {"--index", "--default-index", "--index-url", "--extra-index-url", "--find-links", "--no-index"}
    | {"--index-strategy", "--keyring-provider", "--offline", "--cache-dir", "--no-config"}
    | {"--config-file", "--allow-insecure-host", "--cert", "--link-mode", "--torch-backend"}
)
_VERBS = frozenset({Verb.INSTALL, Verb.SYNC, Verb.UNINSTALL})


def demand_exact(request: Request) -> None:
    """Refuse a command that cannot be carried out by exact pins.

    Raises:
        UsageError: it is no ``uv pip`` command, or names what has no version on an index.
    """
    if request.installer is not Installer.UV or request.verb not in _VERBS:
        raise UsageError(
            Problem(
                message="only `uv pip install`, `uv pip sync` and `uv pip uninstall` are applied",
                hint="judge another one with `envaudit gate`, run it, and then `envaudit check`",
            )
        )
    for option in sorted(_ASKED):
        if request.has(option):
            raise UsageError(
                Problem(
                    message=f"`{option}` in the command cannot be kept to by exact versions",
                    hint="leave it out, or judge it with `envaudit gate` and run it yourself",
                )
            )
    if request.verb is Verb.SYNC:
        return
    for argument in request.arguments:
        if not _is_named(argument):
            raise UsageError(
                Problem(
                    message=f"`{argument}` is no name on an index, so no exact version stands "
                    "for it",
                    hint="name a version that an index or a `--find-links` folder has",
                )
            )


def _is_named(argument: str) -> bool:
    try:
        return Requirement(argument).url is None
    except InvalidRequirement:
        return False


def write_commands(
    request: Request, moves: Iterable[Move], python: str
) -> tuple[tuple[str, ...], ...]:
    """Return what carries out ``moves`` and nothing else, for the environment ``python``.

    Raises:
        UsageError: a move has no version that could be asked for.
    """
    listed = tuple(moves)
    leaving = [move.name for move in listed if move.after is None]
    coming = [move for move in listed if move.after is not None]
    commands: list[tuple[str, ...]] = []
    if leaving:
        verb = replace(request, subcommand=("pip", "uninstall"), words=())
        commands.append(compose(verb, options=("--python", python), arguments=leaving))
    if coming:
        words = tuple(word for word in request.words if word.option not in {None, *_REPLACED})
        verb = replace(request, subcommand=("pip", "install"), words=words)
        options = ["--python", python, "--no-deps"]
        for move in coming:
            if move.before is not None:  # `==2.9.1` is content with an installed `2.9.1+cu128`
                options += ["--reinstall-package", move.name]
        commands.append(compose(verb, options=options, arguments=_pins(coming)))
    return tuple(commands)


def _pins(coming: Sequence[Move]) -> tuple[str, ...]:
    pins: list[str] = []
    for move in coming:
        pin = write_requirement(move.name, f"=={move.after}")
        if pin is None or not move.known:
            raise UsageError(
                Problem(
                    message=f"`{move.name}` has no version yet, so it cannot be asked for exactly",
                    hint="build a wheel of it first, and install that by its version",
                )
            )
        pins.append(pin)
    return tuple(pins)


def keep_index_options(request: Request) -> tuple[str, ...]:
    """Return the words of the command that say from where uv installs."""
    return tuple(
        text for word in request.words if word.option in _INDEX_OPTIONS for text in word.written
    )
