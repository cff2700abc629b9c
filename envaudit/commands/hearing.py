"""One install command before the gate: what it would do, and how that is judged.

The installer that the command names is asked, in the user's folder and with the user's
configuration. Its answer is projected on the environment and judged by the same rules and checks as
the environment itself, with the present as the baseline.
"""

import json
import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from envaudit.checks.flavour import judge_flavour
from envaudit.checks.incoming import judge_incoming, unverified
from envaudit.commands.judging import Law
from envaudit.commands.surroundings import Reading, Surroundings, read_subject
from envaudit.core import planner
from envaudit.core.evaluate import Judgement, evaluate
from envaudit.core.projection import leaving, project, project_files, seen_versions
from envaudit.core.understand import compose
from envaudit.model.declared import parse_version
from envaudit.model.errors import Problem, UnreadableError
from envaudit.model.finding import Finding, Severity
from envaudit.model.plan import Answer, Candidate, Move, Refused
from envaudit.model.request import Installer, Request, Verb
from envaudit.model.snapshot import Snapshot
from envaudit.model.uv_settings import UvSettings

SECONDS = 300.0
"""How long an installer may take for one answer, unless the caller says otherwise."""

Ask = Callable[[Candidate | None], Answer]
"""Asks the installer what the command would move, with what a candidate adds to it."""
LookUp = Callable[[Sequence[str], Sequence[str]], Answer]
"""Asks what pins need if all else is held to the other requirements."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What the caller of the gate allows and asks for."""

    strict: bool = False
    """Whether what was there before refuses, too."""
    allow_build: bool = False
    allow_undetermined: frozenset[str] = frozenset()
    """Names (normalised) that may be installed without uv naming a version for them."""
    seconds: float = SECONDS
    save: Path | None = None
    """Where the plan is kept, if the command may be carried out."""
    carried_out: bool = False
    """Whether the command is then carried out."""

    @property
    def contents(self) -> bool:
        """Whether what is installed is fingerprinted file by file, to be recognised later."""
        return self.save is not None or self.carried_out


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The environment as the command would leave it, judged."""

    moves: tuple[Move, ...]
    projection: Snapshot
    judgement: Judgement

    @property
    def introduced(self) -> tuple[Finding, ...]:
        """Errors that the present does not have."""
        return tuple(finding for finding in self.judgement.errors() if finding.introduced)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearing:
    """One command before the gate."""

    surroundings: Surroundings
    request: Request
    terms: Terms
    reading: Reading
    law: Law
    settings: UvSettings
    ask: Ask
    look_up: LookUp | None
    """``None``: the installer cannot be asked that."""
    asked: str
    """The installer's path."""
    remarks: tuple[str, ...] = ()
    configured: tuple[str, ...] = ()
    """From where pip's own configuration lets it install; uv's is in ``settings``."""

    @property
    def present(self) -> Snapshot:
        """The environment as it stands."""
        return self.reading.snapshot

    @property
    def written(self) -> tuple[str, ...]:
        """The command, as the user wrote it."""
        return compose(self.request)

    def hear(self, more: Candidate | None = None) -> Outcome | Refused:
        """Ask what the command, with what ``more`` adds, would do, and judge that.

        Raises:
            UnreadableError: the installer could not answer, or not for sure.
        """
        answer = self.ask(more)
        if isinstance(answer, Refused):
            return answer
        self._demand_versions(answer.moves)
        self._demand_same(answer.moves)
        projection = project(self.present, answer.moves, None, described=answer.described)
        files = self.reading.files
        judgement = evaluate(
            projection,
            self.law.policies,
            baseline=self.present,
            files=None if files is None else project_files(files, self.present, answer.moves),
            files_before=files,
            leaving=leaving(answer.moves),
            variables=self.surroundings.set_variables,
            today=self.surroundings.today(),
        )
        found = (
            *judgement.findings,
            *judge_flavour(self.present, projection, self._asking()),
            *self._judge_incoming(answer.moves, projection, judgement.findings),
        )
        ordered = tuple(sorted(found, key=lambda finding: finding.order))
        judgement = replace(judgement, findings=ordered)
        return Outcome(moves=answer.moves, projection=projection, judgement=judgement)

    def refusing(self, outcome: Outcome) -> tuple[Finding, ...]:
        """Return the errors of ``outcome`` that refuse the command."""
        return outcome.judgement.errors() if self.terms.strict else outcome.introduced

    def demand_unchanged(self) -> None:
        """Make sure that the environment is still the one that was judged; a record always is.

        Raises:
            UnreadableError: it is not, or can no longer be read.
        """
        if not self.reading.live:
            return
        again = read_subject(None, self.surroundings, contents=self.terms.contents)
        if again.snapshot != self.present:
            raise UnreadableError(
                Problem(
                    message=f"`{self.reading.source}` was changed while it was judged",
                    at=self.reading.source,
                    hint="let the other change end, and ask again",
                )
            )

    def indexes(self) -> tuple[str, ...]:
        """Return from where the command would install: its own options, variables, then files."""
        options = tuple(
            " ".join(word.written) for word in self.request.words if word.option in _INDEX_OPTIONS
        )
        variables = tuple(
            f"{name}={value}" for name, value in self.settings.variables if name in _INDEX_VARIABLES
        )
        files = tuple(
            f"{key} = {json.dumps(value)} in {file.path}"
            for file in self.settings.files
            for key, value in file.options
            if key.removeprefix("pip.") in _INDEX_KEYS
        )
        return (*options, *self.configured, *variables, *files) or ("the installer's own default",)

    def _asking(self) -> tuple[str, ...]:
        """Return the words by which a flavour can be asked for."""
        backend = self.surroundings.variables.get("UV_TORCH_BACKEND", "")
        return (*(text for word in self.request.words for text in word.written), backend)

    def _demand_versions(self, moves: Sequence[Move]) -> None:
        unknown = [
            move.name
            for move in moves
            if not move.known and move.name not in self.terms.allow_undetermined
        ]
        if unknown:
            raise UnreadableError(
                Problem(
                    message=(
                        "uv names no version for "
                        f"{', '.join(f'`{name}`' for name in unknown)}, so it cannot be judged"
                    ),
                    hint=(
                        f"allow it by name: `{shlex.join(('--allow-undetermined', unknown[0]))}`"
                    ),
                )
            )

    def _demand_same(self, moves: Sequence[Move]) -> None:
        """Refuse an answer about something else than the environment that was read."""
        seen = seen_versions(self.present)
        for move in moves:
            before = move.before
            if before is None or (not before and move.name in seen):
                continue
            versions = seen.get(move.name, frozenset())
            if versions is not None and parse_version(before) not in versions:
                raise UnreadableError(
                    Problem(
                        message=(
                            f"`{move.name} {before}` would be removed, and that was not there "
                            "when the environment was read"
                        ),
                        at=self.asked,
                        hint="it changed meanwhile, or another one is meant: ask again",
                    )
                )

    def _judge_incoming(
        self, moves: Sequence[Move], projection: Snapshot, findings: Sequence[Finding]
    ) -> tuple[Finding, ...]:
        """Judge what comes in where the resolver has not guaranteed that it fits."""
        loose = self._loose()
        coming = {move.name: move for move in moves if move.after is not None}
        if self.request.installer is Installer.PIP or not loose or not coming:
            return ()  # pip's own answer holds what comes in, and what that requires
        because = f"because of: {', '.join(loose)}"
        if (
            self.look_up is None
            or not set(loose) <= _LOOKED_UP
            or any(not move.known for move in moves)
        ):
            return (unverified(because),)
        extras = _extras(self.request.arguments)
        pins = tuple(f"{name}{extras.get(name, '')}=={coming[name].after}" for name in coming)
        held = planner.pin_all(
            record for record in projection.distributions if record.name not in coming
        )
        sound = not any(
            finding.severity is Severity.ERROR and finding.code == "requirement-unmet"
            for finding in findings
        )
        return judge_incoming(pins, self.look_up(pins, held), projection, sound=sound)

    def _loose(self) -> tuple[str, ...]:
        """Return by what the resolver is kept from guaranteeing that what comes in fits."""
        found = [option for option in _LOOSE_OPTIONS if self.request.has(option)]
        found += [f"{name} in the configuration" for name in _LOOSE_KEYS if self._set(name)]
        if self.request.verb is Verb.SYNC:
            found.append("uv pip sync")
        if any(_LOCK.fullmatch(value) for value in self.request.values("--requirements")):
            found.append(_LOCKED)
        variables = self.surroundings.set_variables
        return (*found, *sorted(_LOOSE_VARIABLES & variables))

    def _set(self, name: str) -> bool:
        return bool(self.settings.option(name))


_INDEX_KEYS = frozenset(
    {"index", "index-url", "extra-index-url", "default-index", "find-links", "no-index"}
    | {"index-strategy", "torch-backend"}
)
_INDEX_OPTIONS = frozenset(f"--{key}" for key in _INDEX_KEYS)
_INDEX_VARIABLES = frozenset(f"UV_{key.replace('-', '_').upper()}" for key in _INDEX_KEYS)

_LEFT_OUT = ("--no-deps", "--overrides", "--excludes")
# With these the resolver answers for another interpreter than the one that stands there.
_LOOSE_OPTIONS = (*_LEFT_OUT, "--python-platform", "--python-version")
_LOCK = re.compile(r"(?:.*/)?pylock(?:\.[^./]+)?\.toml")
_LOCKED = "a lock file, of which nothing is resolved"
_LOOSE_VARIABLES = frozenset({"UV_OVERRIDE", "UV_EXCLUDE"})
_LOOSE_KEYS = (
    *("pip.no-deps", "override-dependencies", "exclude-dependencies", "dependency-metadata"),
    *("sources", "pip.dependency-metadata", "pip.python-platform", "pip.python-version"),
)
_LOOKED_UP = frozenset({*_LEFT_OUT, *_LOOSE_VARIABLES, "uv pip sync", _LOCKED})
"""What can be left out of a second question; a configuration cannot."""


def required_name(text: str) -> str | None:
    """Return the normalised name that a requirement of the command is about."""
    try:
        return canonicalize_name(Requirement(text).name)
    except InvalidRequirement:
        return None


def _extras(arguments: Sequence[str]) -> dict[str, str]:
    """Return the extras that the command asks for, in brackets, by normalised name."""
    found: dict[str, str] = {}
    for text in arguments:
        try:
            requirement = Requirement(text)
        except InvalidRequirement:
            continue
        if requirement.extras:
            extras = f"[{','.join(sorted(requirement.extras))}]"
            found[canonicalize_name(requirement.name)] = extras
    return found
