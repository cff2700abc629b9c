"""The check ``python-unsupported``: a distribution does not support the environment's Python."""

from collections.abc import Iterator

from packaging.specifiers import Specifier, SpecifierSet
from packaging.version import Version

from envaudit.model.distribution import Distribution
from envaudit.model.finding import Explanation, Finding, Place, Severity
from envaudit.model.subject import Subject

CODE = "python-unsupported"

EXPLANATION = Explanation(
    code=CODE,
    meaning="A distribution's `Requires-Python` excludes the interpreter of the environment.",
    why=(
        "Below a lower bound its code may not even parse: an error. Above an upper bound nobody "
        "has tried it: a warning. pip looks at neither afterwards, uv at lower bounds only."
    ),
    repair="Install a release that supports this Python, or make the environment with another one.",
)
_UPPER = frozenset({"<", "<=", "!=", "~=", "=="})


class PythonUnsupported:
    """Judges ``Requires-Python`` against the environment's interpreter."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return one finding for each distribution that excludes this Python."""
        version = subject.snapshot.interpreter.version
        if not version:
            return ()
        admitting: set[str] = set()  # most distributions declare one of a few bounds
        findings: list[Finding] = []
        for record in subject.snapshot.distributions:
            text = record.requires_python
            if text and text not in admitting:
                found = tuple(_judge(record, text, version))
                findings += found
                if not found:
                    admitting.add(text)
        return tuple(findings)


def _judge(record: Distribution, text: str, version: str) -> Iterator[Finding]:
    try:
        broken = [one for one in SpecifierSet(text) if _excludes(one, version)]
    except ValueError:  # InvalidSpecifier, and numbers of thousands of digits
        yield Finding(
            code="requirement-unreadable",
            severity=Severity.WARNING,
            distributions=(record.name,),
            message=f"`Requires-Python: {text[:200]}` of `{record.label}` is no bound of PEP 440",
        )
        return
    if not broken:
        return
    severity = Severity.ERROR
    if all(one.operator in _UPPER and not _is_below(one, version) for one in broken):
        severity = Severity.WARNING
    yield Finding(
        code=CODE,
        severity=severity,
        distributions=(record.name,),
        message=f"`{record.label}` requires Python {text}, and this is {version}",
        remedies=(Place(name=record.name, specifier=f"!={record.version}", up=True),),
    )


def _excludes(specifier: Specifier, version: str) -> bool:
    """Return whether a specifier surely excludes ``version``, whose patch level may be unknown."""
    known = version.count(".") > 1
    candidates = (version,) if known else (f"{version}.0", f"{version}.99")
    return not any(specifier.contains(Version(one), prereleases=True) for one in candidates)


def _is_below(specifier: Specifier, version: str) -> bool:
    """Return whether ``version`` lies below what a pin (``==``, ``~=``) wants."""
    if specifier.operator not in {"==", "~="}:
        return False
    return Version(version) < Version(specifier.version.removesuffix(".*"))
