"""What a user's own uv command would do: the same command, as a dry run that prints JSON."""

import re

from envaudit.core.understand import compose
from envaudit.doors.process import Completed
from envaudit.model.errors import Problem, UnreadableError
from envaudit.model.plan import Answer, Candidate, Refused, Resolved
from envaudit.model.request import Request
from envaudit.uv.binary import Uv
from envaudit.uv.dry_run import NO_BUILD, parse_moves
from envaudit.uv.prefix import Prefix

# Options of the user's that a dry run for us answers otherwise, or not as JSON.
REPLACED = frozenset(
    [
        "--python",
        "--system",
        "--no-system",
        "--dry-run",
        "--check",
        "--output-format",
        "--quiet",
        "--verbose",
        "--strict",
        "--break-system-packages",
        "--no-break-system-packages",
    ]
)
# Weaker or equal to `--no-build`, and refused beside it.
BUILDS = frozenset({"--no-build", "--no-build-package", "--only-binary", "--build"})
ASKING = ("--dry-run", "--output-format", "json", "--quiet")
_NO_SOLUTION = 1
# Without its indexes uv says "no solution" too, and that is no word about the command.
_NOT_REACHED = re.compile(r"network (?:connectivity )?(?:was|is) disabled|Failed to fetch")
_NEEDS_A_BUILD = re.compile(
    r"[Bb]uilding (?:from source|source distributions) is disabled"
    r"|using pre-built wheels is disabled|both `--no-binary` and `--no-build`"
)
# Where uv explains its own command line, that is not the one that the user wrote.
_EXPLAINS = re.compile(r"^(?:Usage:|For more information)")


def ask(
    uv: Uv,
    request: Request,
    prefix: Prefix,
    *,
    seconds: float,
    more: Candidate | None = None,
    build: bool = False,
) -> Answer:
    """Ask uv what ``request``, with what ``more`` adds, would move in the environment ``prefix``.

    ``seconds``: how long it may take. ``build``: whether source trees may be built, which runs
    their code.

    Raises:
        UnreadableError: uv did not answer in time, or not in the way that is understood, or a
            source tree would have to be built.
    """
    options = [*ASKING, *prefix.options, *(() if build else (NO_BUILD,))]
    arguments: tuple[str, ...] = ()
    if more is not None:
        options += more.flags()
        arguments = more.requirements
    without = REPLACED if build else REPLACED | BUILDS
    command = compose(request, without=without, options=options, arguments=arguments)
    answer = uv.run(*command[len(request.program) :], seconds=seconds)
    if answer.code == 0:
        return Resolved(moves=parse_moves(answer.output, at=str(uv.path)))
    return refusal(uv, answer, build=build)


def refusal(uv: Uv, answer: Completed, *, build: bool) -> Refused:
    """Return what uv says against the command.

    Raises:
        UnreadableError: it says nothing against the command, but could not answer.
    """
    said = answer.messages.strip()
    if not build and _NEEDS_A_BUILD.search(said):
        raise UnreadableError(
            Problem(
                message=f"the plan needs something built from source: {in_one_line(said)}",
                at=str(uv.path),
                hint="a build runs code of the source tree; allow it with `--allow-build`",
            )
        )
    unreached = _NOT_REACHED.search(said) is not None
    if answer.code == _NO_SOLUTION and not answer.output.strip() and not unreached:
        return Refused(reason=said)
    raise UnreadableError(
        Problem(
            message=f"uv could not answer (exit code {answer.code}): {in_one_line(said)}",
            at=str(uv.path),
        )
    )


def in_one_line(said: str) -> str:
    """Return what an installer said as one line, without how it explains its command line."""
    lines: list[str] = []
    for line in filter(None, map(str.strip, said.splitlines())):
        if _EXPLAINS.match(line):
            break
        lines.append(line)
    return "; ".join(lines or said.splitlines()[-1:])
