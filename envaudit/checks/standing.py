"""The checks on what an environment stands on: its interpreter, its place, other folders."""

from collections.abc import Iterator

from envaudit.checks.remedies import count
from envaudit.model.distribution import Distribution
from envaudit.model.finding import Explanation, Finding, Severity
from envaudit.model.layout import Layout, Scope
from envaudit.model.subject import Subject

_REBUILD = (
    "Take a snapshot first: it can still be read. Then make the environment anew and install from "
    "your lock file; `uv venv --clear` erases what is there."
)
EXPLANATIONS = (
    Explanation(
        code="interpreter-missing",
        meaning="The interpreter of the environment leads nowhere.",
        why="Nothing in it can be started, and no installer can work on it. It can still be read.",
        repair=_REBUILD,
    ),
    Explanation(
        code="python-changed",
        meaning="The environment was made with another version of Python than is under it now.",
        why=(
            "Another minor version looks for its distributions in another folder, and compiled "
            "modules do not load. Another patch level is harmless as a rule."
        ),
        repair=_REBUILD,
    ),
    Explanation(
        code="site-stranded",
        meaning="Distributions lie in a site directory that the interpreter does not look into.",
        why=(
            "Nothing imports them: they were installed for another version of Python, before the "
            "interpreter was exchanged, or a copy made two folders of `lib64`, a link to `lib`."
        ),
        repair=_REBUILD,
    ),
    Explanation(
        code="environment-moved",
        meaning="The environment was made in another place than it is in now.",
        why=(
            "Scripts begin with the absolute path of an interpreter: they start the one in the old "
            "place, or nothing. No checker looks at them."
        ),
        repair=_REBUILD,
    ),
    Explanation(
        code="outside-path",
        meaning="The environment imports from folders that are not its own.",
        why=(
            "What lies there is nobody's to change from here, and changes with other things: the "
            "system's Python, a variable of the shell. Where it comes first, it hides what is "
            "installed here."
        ),
        repair=(
            "Install what is needed into the environment, or keep the other folder out: unset "
            "`PYTHONPATH`, set `PYTHONNOUSERSITE=1`, remove the line of the `.pth` file."
        ),
    ),
)
_BY = {
    Scope.BASE: "it sees the site directory of its base interpreter",
    Scope.USER: "it sees the user site",
    Scope.VARIABLE: "the variable `PYTHONPATH` names it",
    Scope.PATH_FILE: "a `.pth` file names it",
}


class Standing:
    """Judges the layout of a live environment."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return what is wrong with what the environment stands on; nothing where it is unknown."""
        layout = subject.snapshot.layout
        if layout is None:
            return ()
        return (
            *_interpreter(layout),
            *_changed(layout),
            *_place(layout),
            *_outside(layout, subject),
        )


def _say(code: str, severity: Severity, message: str) -> Finding:
    return Finding(code=code, severity=severity, distributions=(), message=message)


def _interpreter(layout: Layout) -> Iterator[Finding]:
    if layout.interpreter is not None and not layout.interpreter_found:
        what = f"`{layout.interpreter}` leads nowhere"
        if not layout.base_found:
            what += f", and there is no interpreter in `{layout.base}`"
        yield _say("interpreter-missing", Severity.ERROR, what)
    elif not layout.base_found:
        what = f"there is no interpreter in `{layout.base}`, which `pyvenv.cfg` names"
        yield _say("interpreter-missing", Severity.ERROR, what)


def _changed(layout: Layout) -> Iterator[Finding]:
    stated, now = layout.stated_version, layout.base_version
    if stated is None or now is None or now == stated or stated.startswith(f"{now}."):
        return
    message = f"the environment was made with Python {stated}, and {now} is under it now"
    if stated.split(".")[:2] != now.split(".")[:2]:
        yield _say("python-changed", Severity.ERROR, message)
    else:
        yield _say("python-changed", Severity.INFO, message)


def _place(layout: Layout) -> Iterator[Finding]:
    for where in layout.stranded:
        message = f"`{where}` holds distributions that this interpreter does not import"
        yield _say("site-stranded", Severity.WARNING, message)
    if layout.moved_from is not None:
        message = f"the environment was made in `{layout.moved_from}`, and is not there now"
        yield _say("environment-moved", Severity.WARNING, message)


def _outside(layout: Layout, subject: Subject) -> Iterator[Finding]:
    snapshot = subject.snapshot
    hidden: dict[str, Distribution] = {
        record.name: record
        for record in snapshot.shadowed
        if record.scope is Scope.OWN or layout.sites
    }
    for site in layout.sites:
        if site.scope is Scope.OWN:
            continue
        here = [record for record in snapshot.distributions if record.site == site.path]
        if not here and site.scope is not Scope.VARIABLE:
            continue
        covering = sorted(
            record.name
            for record in here
            if record.name in hidden
            and hidden[record.name].scope is Scope.OWN
            and hidden[record.name].version != record.version
        )
        yield Finding(
            code="outside-path",
            severity=Severity.ERROR if covering else Severity.INFO,
            distributions=tuple(covering),
            message=(
                f"{count(len(here), 'distribution')} in `{site.path}` are imported from outside of "
                f"the environment: {_BY[site.scope]}"
            ),
            evidence=tuple(
                f"hides: `{hidden[name].label}` of the environment" for name in covering
            ),
        )
