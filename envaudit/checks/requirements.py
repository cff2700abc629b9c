"""The checks on declared requirements: missing, out of bounds, behind an extra, or not readable."""

from envaudit.checks.remedies import know, owned
from envaudit.model.finding import Explanation, Finding, Place, Remedy, Satisfy, Severity
from envaudit.model.layout import Owner, Scope
from envaudit.model.record_name import Form
from envaudit.model.requirement import Need, State
from envaudit.model.subject import Subject

EXPLANATIONS = (
    Explanation(
        code="requirement-missing",
        meaning="An installed distribution requires another one, and that is not installed.",
        why="Its code will fail as soon as it imports what is missing.",
        repair="Run `envaudit fix`: it has uv resolve the dependent again at its own version.",
    ),
    Explanation(
        code="requirement-unmet",
        meaning="A distribution is installed in a version that a dependent of it does not admit.",
        why=(
            "uv and pip look at the requirements of what they install, not at the dependents of "
            "what they change: a later install moved it out of bounds."
        ),
        repair="Run `envaudit fix`: it has uv resolve the dependent again at its own version.",
    ),
    Explanation(
        code="extra-unmet",
        meaning=(
            "An installed distribution asks for an extra of another one (`httpx[http2]`), and a "
            "requirement of that extra is missing or out of bounds."
        ),
        why="`pip check` and `uv pip check` do not look at extras, so nothing else says it.",
        repair="Run `envaudit fix`: it has uv resolve the dependent again with its extra.",
    ),
    Explanation(
        code="requirement-unreadable",
        meaning="A declared requirement, or a bound on Python, is not what PEP 508 or 440 know.",
        why=(
            "uv guesses what is meant, pip drops every requirement of the distribution: what it "
            "needs is known to nobody. The line was left out, and the others were judged."
        ),
        repair="Install a release of the distribution that declares it properly.",
    ),
    Explanation(
        code="url-mismatch",
        meaning="A distribution is required from a URL, and was installed from somewhere else.",
        why="No checker compares the two: whoever wrote the URL wanted that very code.",
        repair="Install it from the URL, or install a dependent that asks for a release.",
    ),
    Explanation(
        code="requirement-unknown",
        meaning="A declared requirement cannot be judged, and the message says why.",
        why="What is not known is neither a pass nor a fault: it is said, so that you can look.",
        repair="Nothing to repair in the environment, unless its metadata is damaged.",
    ),
)


class Requirements:
    """Judges every requirement that is in force on the target, extras included."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return one finding for each requirement that is not met or cannot be judged."""
        return tuple(
            finding
            for need in subject.needs
            for finding in (_judge_need(need), _judge_url(need))
            if finding is not None
        )


def _judge_need(need: Need) -> Finding | None:
    match need.state:
        case State.MET:
            return None
        case State.UNKNOWN if not need.name:
            return Finding(
                code="requirement-unreadable",
                severity=Severity.WARNING,
                distributions=(need.dependent.name,),
                message=f"requirement `{need.text}` of `{need.dependent.label}` {need.reason}",
            )
        case State.UNKNOWN:
            return Finding(
                code="requirement-unknown",
                severity=Severity.INFO,
                distributions=(need.dependent.name,),
                message=f"requirement `{need.text}` of `{need.dependent.label}` {need.reason}",
            )
        case State.MISSING:
            return _unmet(need, "requirement-missing", "which is not installed")
        case State.UNMET:
            versions = " and ".join(sorted({target.version for target in need.targets}))
            return _unmet(need, "requirement-unmet", f"and {versions} is installed")


def _unmet(need: Need, code: str, how: str) -> Finding:
    dependent = need.dependent
    evidence: tuple[str, ...] = (f"declared by `{dependent.label}`: {need.text}",)
    if need.extra:
        evidence = (*evidence, f"the extra `{need.extra}` is asked for by `{need.asked_by}`")
    dependent_record = know(dependent.folder, {dependent.folder: dependent})
    through = f" with its extra `{need.extra}`" if need.extra else ""
    return Finding(
        code="extra-unmet" if need.extra else code,
        # Operating systems leave out on purpose what their packages can do without.
        severity=Severity.WARNING if dependent.owner is Owner.SYSTEM else Severity.ERROR,
        distributions=tuple(sorted({dependent.name, need.name})),
        message=f"`{dependent.label}`{through} requires `{need.name}{need.specifier}`, {how}",
        evidence=(*evidence, *owned(dependent_record)),
        remedies=_remedies(need),
    )


def _remedies(need: Need) -> tuple[Remedy, ...]:
    """Have uv resolve the dependent again; else, where uv knows nothing of it, what it requires.

    uv reads no ``requires.txt`` of an egg, and sees nothing outside of the environment's own
    folders.
    """
    dependent = need.dependent
    if dependent.owner is Owner.SYSTEM:
        return ()
    if dependent.form is not Form.DIST_INFO or dependent.scope is not Scope.OWN:
        return (Place(name=need.name, specifier=need.specifier, up=True),)
    return (
        Satisfy(
            name=dependent.name,
            extras=(need.extra,) if need.extra else (),
            version=dependent.version,
            victim=need.name,
        ),
    )


def _judge_url(need: Need) -> Finding | None:
    """Judge ``name @ url``: whether what is installed came from there."""
    if "@" not in need.text.partition(";")[0] or not need.targets:
        return None
    wanted = need.text.partition("@")[2].partition(";")[0].strip()
    target = need.targets[0]
    if target.origin.url is not None and _place(target.origin.url) == _place(wanted):
        return None
    where = target.origin.url or "an index"
    return Finding(
        code="url-mismatch",
        severity=Severity.WARNING,
        distributions=tuple(sorted({need.dependent.name, need.name})),
        message=(
            f"`{need.dependent.label}` requires `{need.name}` from `{_place(wanted)}`, and it was "
            f"installed from {where if target.origin.url is None else f'`{_place(where)}`'}"
        ),
    )


def _place(url: str) -> str:
    """Return a URL without what does not change the place: scheme of a tool, user, revision."""
    bare = url.partition("#")[0].partition("?")[0]
    for prefix in ("git+", "hg+", "svn+", "bzr+"):
        bare = bare.removeprefix(prefix)
    scheme, separator, rest = bare.partition("://")
    host, slash, path = rest.partition("/")
    path = path.partition("@")[0].removesuffix(".git").rstrip("/")
    return f"{scheme}{separator}{host.rpartition('@')[2]}{slash}{path}".lower()
