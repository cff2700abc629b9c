"""The check ``startup-hook``: code that runs at every start of the interpreter."""

from collections.abc import Iterator

from envaudit.model.finding import Clear, Explanation, Finding, Severity
from envaudit.model.snapshot import StartupHook
from envaudit.model.subject import Subject

CODE = "startup-hook"

EXPLANATION = Explanation(
    code=CODE,
    meaning="A line of a `.pth` file, or a customize module, runs whenever the interpreter starts.",
    why=(
        "It runs before anything is imported, in every program and in every tool: what an "
        "environment does at its start must be known, and be somebody's. Malware came this way. "
        "It was read as text; nothing was run."
    ),
    repair="Uninstall the distribution that brought it, or remove the file if nobody owns it.",
)
_HARMLESS = frozenset({"import _virtualenv"})
"""What tools that make environments put there themselves, owned by no distribution."""


class Hooks:
    """Judges the startup hooks of the environment."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return one finding for each hook; one that nobody owns is a warning."""
        before = (
            None
            if subject.baseline is None
            else {(hook.path, hook.digest) for hook in subject.baseline.hooks}
        )
        return tuple(
            finding
            for hook in subject.snapshot.hooks
            for finding in _judge(hook, subject, new=before is not None and _is_new(hook, before))
        )


def _is_new(hook: StartupHook, before: set[tuple[str, str]]) -> bool:
    return (hook.path, hook.digest) not in before


def _judge(hook: StartupHook, subject: Subject, *, new: bool) -> Iterator[Finding]:
    if hook.lines and _HARMLESS.issuperset(hook.lines):
        return
    absent = _absent_module(hook, subject)
    owner = f"`{hook.owner}`" if hook.owner else "no distribution"
    message = f"`{hook.path}` runs at every start; it belongs to {owner}"
    if absent is not None:
        message += f", and fails: `{absent}` is not there"
    elif new:
        message += ", and the baseline does not have it"
    yield Finding(
        code=CODE,
        severity=_severity(hook, new=new, fails=absent is not None),
        distributions=(hook.owner,) if hook.owner else (),
        message=message,
        evidence=tuple(f"line: {line}" for line in hook.lines),
        remedies=() if hook.owner or hook.path.startswith("/") else (Clear(paths=(hook.path,)),),
    )


def _severity(hook: StartupHook, *, new: bool, fails: bool) -> Severity:
    if fails or (new and hook.owner is None):
        return Severity.ERROR
    return Severity.WARNING if new or hook.owner is None else Severity.INFO


def _absent_module(hook: StartupHook, subject: Subject) -> str | None:
    """Return the module that setuptools' own hook needs, where it is not there any more."""
    needed = "_distutils_hack"
    if subject.files is None or not any(needed in line for line in hook.lines):
        return None
    site = hook.path.rpartition("/")[0]
    there = any(module.name == needed and module.site == site for module in subject.files.modules)
    return None if there else needed
