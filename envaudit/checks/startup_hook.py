"""The check ``startup-hook``: code that runs at every start of the interpreter."""

import re
from collections.abc import Iterator

from envaudit.model.finding import Clear, Explanation, Finding, Severity
from envaudit.model.layout import Owner
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
_SETUPTOOLS_FILE = "distutils-precedence.pth"
_SETUPTOOLS_MODULE = "_distutils_hack"
_SETUPTOOLS_LINE = re.compile(
    r"(?:import os; )?(?:var = 'SETUPTOOLS_USE_DISTUTILS'; enabled = os\.environ\.get\(var, "
    r"'(?:local|stdlib)'\) == 'local'; enabled and )?"
    r"__import__\(['\"]_distutils_hack['\"]\)\.add_shim\(\);? *"
)
"""The hook that setuptools brings, to the letter: nothing else may hide in it."""


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
    owner = hook.owner or _unlisted_owner(hook, subject)
    system = owner is None and not new and _is_of_the_system(hook, subject)
    whose = "the operating system" if system else f"`{owner}`" if owner else "no distribution"
    message = f"`{hook.path}` runs at every start; it belongs to {whose}"
    if absent is not None:
        message += f", and fails: `{absent}` is not there"
    elif new:
        message += ", and the baseline does not have it"
    yield Finding(
        code=CODE,
        severity=_severity(known=system or bool(owner), new=new, fails=absent is not None),
        distributions=(owner,) if owner else (),
        message=message,
        evidence=tuple(f"line: {line}" for line in hook.lines),
        remedies=(
            () if system or owner or hook.path.startswith("/") else (Clear(paths=(hook.path,)),)
        ),
    )


def _severity(*, known: bool, new: bool, fails: bool) -> Severity:
    if fails or (new and not known):
        return Severity.ERROR
    return Severity.WARNING if new or not known else Severity.INFO


def _unlisted_owner(hook: StartupHook, subject: Subject) -> str | None:
    """Return whose hook it is where no RECORD tells: operating systems ship setuptools without."""
    site, _, name = hook.path.rpartition("/")
    if name != _SETUPTOOLS_FILE or len(hook.lines) != 1:
        return None
    if _SETUPTOOLS_LINE.fullmatch(hook.lines[0]) is None:
        return None
    here = {record.site for record in subject.installed.get("setuptools", ())}
    return "setuptools" if site in here else None


def _is_of_the_system(hook: StartupHook, subject: Subject) -> bool:
    """Return whether it lies in the standard library of a Python of the operating system's."""
    layout = subject.snapshot.layout
    if layout is None or layout.owner is not Owner.SYSTEM:
        return False
    return hook.path.rpartition("/")[0] not in {site.path for site in layout.sites}


def _absent_module(hook: StartupHook, subject: Subject) -> str | None:
    """Return the module that setuptools' own hook needs, where it is not there any more."""
    needed = _SETUPTOOLS_MODULE
    outside = hook.path.startswith("/")  # where no files were measured
    if subject.files is None or outside or not any(needed in line for line in hook.lines):
        return None
    site = hook.path.rpartition("/")[0]
    there = any(module.name == needed and module.site == site for module in subject.files.modules)
    return None if there else needed
