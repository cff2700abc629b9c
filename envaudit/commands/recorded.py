"""A recorded environment, set up so that real uv answers about it: for ``gate --snapshot``."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from envaudit.commands.hearing import Hearing
from envaudit.commands.opening import Party, of_uv
from envaudit.commands.surroundings import read_subject
from envaudit.model.errors import EnvauditError, Problem, UnreadableError, UsageError
from envaudit.model.request import Installer, Verb
from envaudit.model.snapshot import Interpreter
from envaudit.readers import host
from envaudit.readers.ground import read_ground
from envaudit.readers.locate import locate_environment
from envaudit.uv.prefix import Prefix
from envaudit.uv.records import write_records
from envaudit.uv.scratch import scratch_folder


@contextmanager
def open_recorded(party: Party, reference: str) -> Iterator[Hearing]:
    """Yield the hearing of a command about the snapshot ``reference``, written out for uv.

    Only records are written, and of them what uv looks at. uv resolves for the interpreter that it
    is given: one of the same minor version, on a machine of the same platform.

    Raises:
        EnvauditError: the snapshot cannot be read, or uv cannot be asked about it from here.
    """
    if party.request.installer is not Installer.UV or party.request.verb not in _ASKABLE:
        raise UsageError(
            Problem(
                message="only `uv pip install` and `uv pip sync` can be judged against a snapshot",
                hint="leave `--snapshot` out to judge the environment as it stands",
            )
        )
    reading = read_subject(reference, party.surroundings)
    if reading.live:
        raise UsageError(
            Problem(
                message=f"`{reference}` is an environment and no snapshot",
                hint="name it with `--python`, without `--snapshot`",
            )
        )
    base = _find_base(reading.snapshot.interpreter, party)
    with scratch_folder() as folder:
        skipped = write_records(folder, reading.snapshot)
        notes = tuple(f"uv was not told of {label}, which cannot be written" for label in skipped)
        if party.request.has("--python", "--system"):
            notes = (*notes, "the snapshot was judged in place of the environment of the command")
        reading = replace(reading, notes=(*reading.notes, *notes))
        yield of_uv(party, reading, Prefix(root=folder, base=base))


_ASKABLE = frozenset({Verb.INSTALL, Verb.SYNC})


def _find_base(interpreter: Interpreter, party: Party) -> Path:
    """Return an interpreter that answers like the recorded one."""
    markers, here = interpreter.marker_values(), host.platform_markers()
    for name, value in here.items():
        if markers.get(name, value) != value:
            raise UnreadableError(
                Problem(
                    message=(
                        f"the snapshot was taken where `{name}` is `{markers[name]}`, and here it "
                        f"is `{value}`: uv would resolve for another platform"
                    ),
                    hint="judge it on a machine like that one",
                )
            )
    minor = ".".join(interpreter.version.split(".")[:2])
    named = party.surroundings.python
    surroundings = party.surroundings
    for candidate in (named,) if named else (f"python{minor}", "python3", host.own_interpreter()):
        try:
            target = locate_environment(candidate, surroundings.variables, surroundings.folder)
            ground = read_ground(target.root, interpreter=target.interpreter)
        except EnvauditError:
            continue
        if ground.library is not None and ground.base is not None and ground.library.minor == minor:
            return ground.base
    raise UnreadableError(
        Problem(
            message=f"no Python {minor} is found here, by which uv could be asked",
            hint="name one with `--python`",
        )
    )
