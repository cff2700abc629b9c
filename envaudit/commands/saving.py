"""The judged plan as a file: what ``gate --save`` wants kept, and ``apply --plan`` carries out."""

from pathlib import Path

from envaudit import __version__
from envaudit.commands.hearing import Hearing, Outcome
from envaudit.core import codec, plan_codec, planner
from envaudit.core.redaction import find_secrets, redact_text
from envaudit.model.errors import Problem, UsageError
from envaudit.model.report import Kept, PolicySummary
from envaudit.model.saved_plan import SavedPlan
from envaudit.readers import host


def save(
    hearing: Hearing, outcome: Outcome, policies: tuple[PolicySummary, ...], path: Path
) -> Kept:
    """Return the plan of ``outcome`` as the file ``path``.

    Raises:
        UsageError: it holds what has no version, so that nobody could tell whether it was kept to.
    """
    pins: list[str] = []
    for move in outcome.moves:
        if move.after is None and move.known:
            continue
        pin = planner.write_requirement(move.name, f"=={move.after}")
        if pin is None or not move.known:
            raise UsageError(
                Problem(
                    message=f"a plan with `{move.name}`, which has no version yet, cannot be saved",
                    hint="leave `--save` out, or build a wheel of it first",
                )
            )
        pins.append(pin)
    secrets = find_secrets(hearing.surroundings.variables, hearing.written)
    plan = SavedPlan(
        command=tuple(redact_text(word, secrets) for word in hearing.written),
        environment=str(hearing.surroundings.root()),
        fingerprint=codec.digest(hearing.present),
        judged=f"{host.now():%Y-%m-%dT%H:%M:%S}Z",
        tool=f"envaudit {__version__}",
        installer=hearing.asked,
        settings=hearing.settings.digest,
        installs=tuple(sorted(pins)),
        uninstalls=tuple(
            sorted(move.name for move in outcome.moves if move.after is None and move.known)
        ),
        policies=tuple((policy.file, policy.digest) for policy in policies),
    )
    return Kept(path=path, text=plan_codec.encode(plan))
