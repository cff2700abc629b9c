"""The check ``platform-mismatch``: a wheel that was made for another interpreter or machine."""

import re

from envaudit.checks.remedies import know, owned, reinstall
from envaudit.model.distribution import Distribution
from envaudit.model.finding import Explanation, Finding, Severity
from envaudit.model.record_name import Form
from envaudit.model.snapshot import Interpreter
from envaudit.model.subject import Subject

CODE = "platform-mismatch"

EXPLANATION = Explanation(
    code=CODE,
    meaning="An installed wheel has no tag that this interpreter and machine accept.",
    why=(
        "Its compiled parts cannot be loaded. Environments that were copied from another machine, "
        "or whose Python was replaced, hold such wheels."
    ),
    repair="Reinstall it: `uv pip install --reinstall-package NAME NAME==VERSION`.",
)
_MOST_IN_ONE = 32
_MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}


class PlatformMismatch:
    """Judges each wheel's own tags against the interpreter."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return an error for each foreign wheel, and an info for each without a tag."""
        interpreter = subject.snapshot.interpreter
        if not interpreter.tags:
            return ()
        findings: list[Finding] = []
        for record in subject.snapshot.distributions:
            known = know(record.folder, {record.folder: record})
            if record.tags and not any(accepts(interpreter, tag) for tag in record.tags):
                findings.append(
                    Finding(
                        code=CODE,
                        severity=Severity.ERROR,
                        distributions=(record.name,),
                        message=(
                            f"`{record.label}` is a wheel for {', '.join(record.tags)}, and this "
                            f"is {interpreter.tags[0]}"
                        ),
                        evidence=owned(known),
                        remedies=reinstall(known),
                    )
                )
            elif not record.tags and _is_wheel(record):
                findings.append(
                    Finding(
                        code=CODE,
                        severity=Severity.INFO,
                        distributions=(record.name,),
                        message=f"`{record.label}` does not say for what its wheel was made",
                    )
                )
        return tuple(findings)


def _is_wheel(record: Distribution) -> bool:
    return (
        record.form is Form.DIST_INFO
        and not record.planned
        and record.requires is not None
        and record.owner is None
        and not record.linked
    )


def accepts(interpreter: Interpreter, tag: str) -> bool:
    """Return whether ``interpreter`` accepts a wheel of ``tag``: by kind, version and machine.

    One line may stand for several tags (``py2.py3-none-any``): a wheel's file name compresses them
    so, and some build backends write WHEEL in the same way.

    Which C library and which release of the system a wheel needs is not judged: that was decided
    when it was installed.
    """
    parts = [part.split(".") for part in tag.split("-")]
    own = interpreter.tags[0].split("-")
    if len(parts) != 3 or len(own) != 3 or max(map(len, parts)) > _MOST_IN_ONE:  # noqa: PLR2004 - interpreter, ABI, platform
        return True  # not a tag that is understood
    kinds, abis, platforms = parts
    return any(_python(kind, abi, own[0], own[1]) for kind in kinds for abi in abis) and any(
        _platform(platform, own[2]) for platform in platforms
    )


def _python(kind: str, abi: str, own: str, own_abi: str) -> bool:
    minor = _minor(own[3:]) or 0
    if kind.startswith("py") and not kind.startswith("pypy"):
        digits = kind[2:]
        asked = _minor(digits[1:])
        return digits in {"2", "3"} or (digits[:1] == "3" and asked is not None and asked <= minor)
    if not kind.startswith(own[:2]):
        return False
    if abi in {"abi3", "none"} or abi.startswith("abi3"):
        asked = _minor(kind[3:])
        return asked is not None and asked <= minor
    return kind == own and abi.rstrip("mu") == own_abi.rstrip("mu")


def _minor(text: str) -> int | None:
    """Return a minor version; ``None`` where ``text``, which may be anything, is none."""
    return int(text) if re.fullmatch("[0-9]{1,3}", text) else None


def _platform(platform: str, own: str) -> bool:
    if platform == "any":
        return True
    if _system(platform) != _system(own):
        return False
    machine = _machine(platform)
    if machine in {"universal2", "universal", "fat", "intel"}:
        return True
    return machine == _machine(own)


def _system(platform: str) -> str:
    if platform.startswith(("manylinux", "musllinux", "linux")):
        return "linux"
    return platform.partition("_")[0]


def _machine(platform: str) -> str:
    for name in ("x86_64", "ppc64le", "universal2", "riscv64", "loongarch64"):
        if platform.endswith(name):
            return name
    last = platform.rpartition("_")[2]
    return _MACHINES.get(last, last)
