"""What incoming distributions require, where the answer to the command itself does not say it.

Under ``--no-deps``, overrides and ``uv pip sync`` uv plans what does not fit together (measured).
So it is asked once more: all that comes in, pinned, with dependencies, into an empty prefix, held
to the versions that the environment would have.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from envaudit.core.understand import compose
from envaudit.model.errors import UnreadableError
from envaudit.model.plan import Answer, Refused, Resolved
from envaudit.model.request import Request, Verb
from envaudit.uv.ask import ASKING, BUILDS, REPLACED, refusal
from envaudit.uv.binary import Uv
from envaudit.uv.dry_run import NO_BUILD, parse_moves
from envaudit.uv.prefix import Prefix
from envaudit.uv.scratch import scratch_folder, write_file

# What the command's own answer hangs on, and this question must not.
_DROPPED = (
    REPLACED
    | BUILDS
    | {
        *("--no-deps", "--overrides", "--excludes", "--requirements", "--editable", "--exact"),
        *(
            "--reinstall",
            "--reinstall-package",
            "--upgrade",
            "--upgrade-package",
            "--upgrade-group",
        ),
        *("--require-hashes", "--verify-hashes", "--group", "--extra", "--all-extras"),
        *("--allow-empty-requirements", "--no-binary"),
    }
)
_VARIABLES = frozenset({"UV_OVERRIDE", "UV_EXCLUDE", "UV_REQUIRE_HASHES"})


def look_up(
    uv: Uv,
    request: Request,
    base: Path,
    pins: Sequence[str],
    held: Sequence[str],
    *,
    seconds: float,
) -> Answer:
    """Ask what ``pins`` need if all else stands as ``held`` says; both are requirements.

    A refusal may have other reasons than that they do not fit: uv cannot be asked, or an index does
    not know a version that is installed. Its words tell.
    """
    bare = replace(
        request,
        verb=Verb.INSTALL,
        subcommand=("pip", "install"),
        words=tuple(word for word in request.words if word.option is not None),
    )
    variables = {name: value for name, value in uv.variables.items() if name not in _VARIABLES}
    with scratch_folder() as folder:
        constraints = write_file(folder, "held.txt", "".join(f"{line}\n" for line in held))
        prefix = Prefix(root=write_file(folder, "prefix/empty", "").parent, base=base)
        options = (*ASKING, *prefix.options, NO_BUILD, "--constraints", str(constraints))
        command = compose(bare, without=_DROPPED, options=options, arguments=pins)
        try:
            answer = replace(uv, variables=variables).run(
                *command[len(request.program) :], seconds=seconds
            )
            if answer.code == 0:
                return Resolved(moves=parse_moves(answer.output, at=str(uv.path)))
            return refusal(uv, answer, build=False)
        except UnreadableError as error:
            return Refused(reason=str(error))
