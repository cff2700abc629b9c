"""What has to be there before a command is heard: its environment, its installer, its settings."""

from dataclasses import dataclass, replace

from envaudit.commands.aim import aim, aim_at, open_named_uv, open_pip, stand, starts
from envaudit.commands.hearing import Ask, Hearing, LookUp, Terms
from envaudit.commands.judging import Bench
from envaudit.commands.surroundings import Reading, Surroundings, read_subject
from envaudit.model.errors import EnvauditError, Problem, UnreadableError, UsageError
from envaudit.model.plan import Answer, Candidate, Refused, Resolved
from envaudit.model.request import Installer, Request, Verb
from envaudit.model.uv_settings import UvSettings
from envaudit.readers.uv_settings import read_uv_settings
from envaudit.uv.ask import ask
from envaudit.uv.binary import Uv
from envaudit.uv.lookup import look_up
from envaudit.uv.pip import ask_pip
from envaudit.uv.pip_settings import describe_indexes, read_pip_settings, refuse_settings
from envaudit.uv.prefix import Prefix
from envaudit.uv.project import Synced, ask_project
from envaudit.uv.uninstall import moves_of_uninstall


@dataclass(frozen=True, slots=True, kw_only=True)
class Party:
    """Who asks the gate, and about what."""

    surroundings: Surroundings
    bench: Bench
    request: Request
    terms: Terms

    @property
    def settings(self) -> UvSettings:
        """Return what decides beside the command's words; of pip, envaudit does not know it."""
        if self.request.installer is Installer.PIP:
            return UvSettings()
        folder = stand(self.surroundings, self.request)
        return read_uv_settings(self.request, self.surroundings.variables, folder)

    def hearing(
        self,
        reading: Reading,
        ask: Ask,
        *,
        asked: str,
        remarks: tuple[str, ...] = (),
        look_up: LookUp | None = None,
        configured: tuple[str, ...] = (),
    ) -> Hearing:
        """Return the hearing of the command, to be answered by ``ask``."""
        return Hearing(
            surroundings=self.surroundings,
            request=self.request,
            terms=self.terms,
            reading=reading,
            law=self.bench.law(self.surroundings),
            settings=self.settings,
            ask=ask,
            look_up=look_up,
            configured=configured,
            asked=asked,
            remarks=(*reading.notes, *_noteworthy(self.settings), *remarks),
        )


def open_hearing(party: Party) -> Hearing:
    """Read the environment that the command would change, and find its installer.

    Raises:
        EnvauditError: one of them is not there, cannot be read or must not be started.
    """
    _demand_no_builds(party)
    if party.request.verb is Verb.PROJECT_SYNC:
        return _of_project(party)
    party = replace(party, surroundings=aim_at(party.surroundings, party.request))
    reading = read_subject(None, party.surroundings, contents=party.terms.contents, files=True)
    if party.request.verb is Verb.UNINSTALL:
        return _of_uninstall(party, reading)
    if party.request.installer is Installer.PIP:
        return _of_pip(party, reading)
    aimed = aim(party.surroundings, reading.snapshot)
    return of_uv(party, reading, aimed.prefix, aimed.notes)


def _demand_no_builds(party: Party) -> None:
    if party.request.has("--no-binary", "--no-binary-package") and not party.terms.allow_build:
        raise UnreadableError(
            Problem(
                message="`--no-binary` in the command asks for builds, which run code",
                hint="allow it with `--allow-build`",
            )
        )


def _of_uninstall(party: Party, reading: Reading) -> Hearing:
    """Hear an uninstall: no installer prints a plan for it, the names are the plan."""
    moves = moves_of_uninstall(
        party.request, reading.snapshot, stand(party.surroundings, party.request)
    )
    asked = party.request.program[0]
    if party.request.installer is Installer.UV:
        asked = str(open_named_uv(party.surroundings, party.request).path)
    return party.hearing(reading, lambda _: Resolved(moves=moves), asked=asked)


def _of_pip(party: Party, reading: Reading) -> Hearing:
    pip = open_pip(party.surroundings, party.request)
    interpreter = party.surroundings.target().interpreter or pip.program[0]
    terms = party.terms
    starting = starts(reading.snapshot, str(interpreter))
    settings = read_pip_settings(pip, party.request, seconds=terms.seconds)
    refuse_settings(settings, build=terms.allow_build)
    configured = describe_indexes(settings)
    remarks = (starting, *(f"pip is configured: {setting}" for setting in configured))

    def put(more: Candidate | None) -> Answer:
        return ask_pip(
            pip,
            party.request,
            reading.snapshot,
            seconds=terms.seconds,
            more=more,
            build=terms.allow_build,
        )

    return party.hearing(reading, put, asked=pip.program[0], remarks=remarks, configured=configured)


def of_uv(party: Party, reading: Reading, prefix: Prefix, remarks: tuple[str, ...] = ()) -> Hearing:
    """Hear ``uv pip install`` or ``uv pip sync`` about the environment at ``prefix``.

    Raises:
        EnvauditError: uv is not there, or installs elsewhere.
    """
    _refuse_elsewhere(party.request, party.settings)
    uv = open_named_uv(party.surroundings, party.request)
    terms = party.terms

    def put(more: Candidate | None) -> Answer:
        return ask(
            uv, party.request, prefix, seconds=terms.seconds, more=more, build=terms.allow_build
        )

    return party.hearing(
        reading,
        put,
        asked=str(uv.path),
        remarks=remarks,
        look_up=lambda pins, held: look_up(
            uv, party.request, prefix.base, pins, held, seconds=terms.seconds
        ),
    )


def _refuse_elsewhere(request: Request, settings: UvSettings) -> None:
    """Refuse a configuration by which uv installs into another environment than is judged."""
    # An option of the command outranks these two.
    named = request.has("--python", "--system")
    for key in ("pip.target", "pip.prefix", *(() if named else ("pip.python", "pip.system"))):
        value = settings.option(key)
        if value:
            name = key.removeprefix("pip.")
            raise UsageError(
                Problem(
                    message=(
                        f"uv's configuration says `{name} = {value}`: the command would install "
                        "elsewhere than where it is judged"
                    ),
                    hint="take that out, or name the environment in the command with `--python`"
                    " and give it `--no-config`",
                )
            )


def _of_project(party: Party) -> Hearing:
    """Hear ``uv sync``: uv itself says which environment it would change."""
    uv = open_named_uv(party.surroundings, party.request)
    expected = _expected(party)
    remarks = () if expected is None else (_starting(expected),)
    synced = ask_project(
        replace(uv, variables=_plain(party)),
        party.request,
        seconds=party.terms.seconds,
        build=party.terms.allow_build,
    )
    if synced.environment is None:
        return _of_refused_project(party, uv, expected, synced)
    aimed = replace(party.surroundings, python=str(synced.environment))
    if party.surroundings.python is not None and party.surroundings.root() != aimed.root():
        raise UsageError(
            Problem(
                message=f"`uv sync` would change `{synced.environment}`, and not what the gate's "
                "`--python` names",
                hint="leave `--python` out: uv says which environment it would change",
            )
        )
    if synced.action == "create":
        raise UnreadableError(
            Problem(
                message=f"`{synced.environment}` would be created: there is nothing to judge yet",
                at=str(synced.environment),
                hint="run the command, and then `envaudit check`",
            )
        )
    reading = read_subject(None, aimed, contents=party.terms.contents, files=True)
    if expected is None or reading.source != expected.source:
        remarks = (*remarks, _starting(reading))
    answer = synced.answer
    if synced.action != "check":
        answer = Refused(
            reason=f"the environment `{synced.environment}` itself would be changed "
            f"({synced.action}): nothing of what is installed would stay"
        )
    return replace(party, surroundings=aimed).hearing(
        reading, lambda _: answer, asked=str(uv.path), remarks=remarks
    )


def _of_refused_project(party: Party, uv: Uv, expected: Reading | None, synced: Synced) -> Hearing:
    reason = synced.answer.reason if isinstance(synced.answer, Refused) else ""
    if expected is None:
        raise UnreadableError(
            Problem(message=f"uv refuses, and names no environment: {reason}", at=str(uv.path))
        )
    return party.hearing(expected, lambda _: synced.answer, asked=str(uv.path))


def _plain(party: Party) -> dict[str, str]:
    """Return the caller's variables as they are: they decide which environment uv chooses."""
    variables = {**party.surroundings.variables, "NO_COLOR": "1", "UV_NO_PROGRESS": "1"}
    variables.pop("UV_QUIET", None)
    return variables


def _expected(party: Party) -> Reading | None:
    """Read the environment that uv will probably choose, before its interpreter is started."""
    request, surroundings = party.request, party.surroundings
    folder = stand(surroundings, request)
    told = (*request.values("--project"), surroundings.variables.get("UV_PROJECT", ""))
    folder = folder / told[0]
    named = surroundings.variables.get("UV_PROJECT_ENVIRONMENT") or None
    if request.has("--active"):
        named = surroundings.variables.get("VIRTUAL_ENV") or named
    expected = replace(surroundings, folder=folder, python=named, variables={})
    try:
        return read_subject(None, expected, contents=party.terms.contents, files=True)
    except EnvauditError:
        return None  # there is none yet, or uv chooses another one: then that is looked at


def _starting(reading: Reading) -> str:
    return starts(reading.snapshot, f"{reading.source}/bin/python")


def _noteworthy(settings: UvSettings) -> tuple[str, ...]:
    """Name the configuration that a folder brings along: whoever writes there decides."""
    return tuple(
        f"uv is configured by `{file.path}`, found in the {file.place}"
        + ("" if file.fault is None else f"; it {file.fault}")
        for file in settings.files
        if file.place.endswith("folder") or file.fault is not None
    )
