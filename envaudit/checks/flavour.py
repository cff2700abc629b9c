"""Whether an install changes what a distribution was built for without having been asked to."""

import re
from collections.abc import Iterable

from envaudit.model import accelerator
from envaudit.model.accelerator import Accelerator
from envaudit.model.distribution import Distribution
from envaudit.model.fact import parse
from envaudit.model.finding import Explanation, Finding, Place, Severity
from envaudit.model.snapshot import Interpreter, Snapshot

CODE = "flavour-changed"

EXPLANATION = Explanation(
    code=CODE,
    meaning="An install would replace a build by one for another CUDA or vendor, or by any.",
    why=(
        "The same version exists for several accelerators. A build for another one loses the GPU, "
        "needs another driver, or no longer fits the extensions that were compiled against it."
    ),
    repair=(
        "Name the build: `torch==2.10.0+cu128` with the index that has it. If the change is "
        "meant, say so in the command: the new label, `--torch-backend`, or its index."
    ),
)


def judge_flavour(before: Snapshot, after: Snapshot, words: Iterable[str]) -> tuple[Finding, ...]:
    """Say which labels of ``before`` change in ``after``; ``words``: the command, which may ask."""
    asked = " ".join(words)
    present = before.by_name()
    return tuple(
        finding
        for record in after.distributions
        for old in present.get(record.name, ())[-1:]
        if old.version != record.version
        and (finding := _judge(old, record, after.interpreter, asked)) is not None
    )


def _judge(
    old: Distribution, new: Distribution, interpreter: Interpreter, asked: str
) -> Finding | None:
    label, other = _label(old), _label(new)
    was = accelerator.of_label(label)
    becomes = accelerator.of_label(other)
    if label is None and becomes is not None:  # unlabelled, and what that means may be known
        was = accelerator.read(old, interpreter)
    if was is None or was == becomes or (other is not None and _asks(asked, other)):
        return None
    keep = _keep(new, label)
    return Finding(
        code=CODE,
        severity=Severity.ERROR,
        distributions=(new.name,),
        message=(
            f"`{old.label}` would become `{new.label}`: {_say(was)} now, {_say(becomes)} then, "
            "and nothing in the command asks for it"
        ),
        evidence=_evidence(new, other, interpreter),
        introduced=True,
        remedies=() if keep is None else (Place(name=new.name, specifier=keep, up=True),),
    )


def _label(record: Distribution) -> str | None:
    version = parse(record.version)
    return None if version is None else version.local


def _asks(asked: str, label: str) -> bool:
    return re.search(rf"(?<![a-z0-9]){re.escape(label)}(?![a-z0-9])", asked) is not None


def _keep(new: Distribution, label: str | None) -> str | None:
    version = parse(new.version)
    if version is None or label is None:
        return None
    return f"=={version.public}+{label}"


def _say(built: Accelerator | None) -> str:
    if built is None:
        return "no label"
    return built.vendor if built.cuda is None else f"CUDA {built.cuda}"


def _evidence(new: Distribution, other: str | None, interpreter: Interpreter) -> tuple[str, ...]:
    usual = accelerator.read(new, interpreter) if other is None else None
    return () if usual is None else (f"unlabelled wheels of it are built for: {_say(usual)}",)
