"""Sample reports that use every part of a report, for every format. Hostile where they can be."""

from envaudit.exits import Exit
from envaudit.model.distribution import Origin, OriginKind
from envaudit.model.drift import Added, Alteration, Altered, InterpreterChanged, Removed
from envaudit.model.errors import Problem
from envaudit.model.finding import Align, Finding, Remove, RuleReference, Satisfy, Severity
from envaudit.model.plan import Candidate, Direction, Move, Plan, Rejected
from envaudit.model.report import EnvironmentSummary, PolicySummary, Report, Verdict
from envaudit.model.requirement import Link
from tests.kit.builders import distribution, interpreter

_ENVIRONMENT = EnvironmentSummary(
    path="/srv/server", source="/srv/server", python="3.11.7", distributions=4
)
_CHAIN = (
    Link(name="vllm", version="0.17.0"),
    Link(name="torch", version="2.10.0", requirement="torch==2.10.0"),
)
_FINDINGS = (
    Finding(
        code="compare",
        severity=Severity.ERROR,
        distributions=("a", "b"),
        message="`a 2` does not match `b 1`",
        evidence=("the rule: full(a) == full(b)", "why: they compare each other"),
        why=(_CHAIN, (Link(name="b", version="1"),)),
        rule=RuleReference(id="pair", policy="sample", file="policies/sample.toml", line=7),
        introduced=True,
        remedies=(Align(members=("a", "b"), fact="full"), Remove(name="b")),
    ),
    Finding(
        code="partial-upgrade",
        severity=Severity.WARNING,
        distributions=("a", "b"),
        message="`a` (now 2) moved from 1, and `b` stayed at 1",
        introduced=False,
    ),
    Finding(
        code="requirement-unknown",
        severity=Severity.INFO,
        distributions=("\x1b[31mevil",),
        message="requirement `::error::\x1b]0;title\x07\u202e` of `\x1b[31mevil 1` is hostile",
        remedies=(Satisfy(name="evil", extras=("x",), version="1", victim="y"),),
    ),
)
_URL = Origin(kind=OriginKind.VCS, url="https://example.org/a.git", revision="0" * 40)
_CHANGES = (
    InterpreterChanged(before=interpreter("3.11.7"), after=interpreter("3.12.1")),
    Added(after=distribution("Torch==2.10.0"), why=_CHAIN),
    Removed(before=distribution("gone==1")),
    Altered(
        how=Alteration.UPGRADED,
        before=distribution("nightly==1.dev3"),
        after=distribution("nightly==1.dev10"),
        family="https://example.org/owner/project",
        commits=7,
    ),
    Altered(
        how=Alteration.MOVED,
        before=distribution("moved==1"),
        after=distribution("moved==1", origin=_URL),
    ),
    Altered(how=Alteration.REBUILT, before=distribution("re==1"), after=distribution("re==1")),
    Altered(
        how=Alteration.REWIRED,
        before=distribution("wire==1", requires=("old",)),
        after=distribution("wire==1", requires=("new",)),
    ),
)
_COMMAND = ("uv", "pip", "install", "--python", "/srv/my server", "b==2; touch x")
_PLAN = Plan(  # noqa: S604 - a field of that name, and no process
    direction=Direction.FORWARD,
    moves=(Move(name="b", before="1", after="2"), Move(name="c", before=None, after="1")),
    commands=(_COMMAND,),
    shell="uv pip install --python '/srv/my server' 'b==2; touch x'",
)

SAMPLES: dict[str, Report] = {
    "check-fail": Report(
        command="check",
        exit=Exit.FINDINGS,
        verdict=Verdict.FAIL,
        environment=_ENVIRONMENT,
        complete=False,
        findings=_FINDINGS,
        policies=(PolicySummary(file="policies/sample.toml", digest="0" * 64, rules=3, matched=1),),
        data={"subject": "/srv/server", "baseline": None},
    ),
    "check-pass": Report(
        command="check", exit=Exit.PASS, verdict=Verdict.PASS, environment=_ENVIRONMENT
    ),
    "diff-drift": Report(
        command="diff",
        exit=Exit.DRIFT,
        verdict=Verdict.DRIFT,
        environment=_ENVIRONMENT,
        changes=_CHANGES,
        data={"before": "@last", "after": "/srv/server"},
    ),
    "fix-plan": Report(
        command="fix",
        exit=Exit.PASS,
        verdict=Verdict.FAIL,
        environment=_ENVIRONMENT,
        findings=_FINDINGS[:2],
        plan=_PLAN,
        alternatives=(
            Plan(  # noqa: S604 - a field of that name, and no process
                direction=Direction.REMOVE,
                moves=(Move(name="b", before="1", after=None),),
                commands=(("uv", "pip", "uninstall", "--python", "/srv/my server", "b"),),
                shell="uv pip uninstall --python '/srv/my server' b",
            ),
        ),
        rejected=(
            Rejected(
                candidate=Candidate(
                    direction=Direction.BACK, requirements=("a==1",), removals=("c",)
                ),
                reason="no version of a\n\x1b[31mred\x1b[0m words of uv",
            ),
        ),
        notes=("there is no baseline",),
    ),
    "snapshot-written": Report(
        command="snapshot",
        exit=Exit.PASS,
        environment=_ENVIRONMENT,
        lines=("/srv/state/20261201.json", "::error::smuggled", "\x1b]0;title\x07"),
        data={"path": "/srv/state/20261201.json"},
    ),
    "unknown": Report(
        command="check",
        exit=Exit.UNKNOWN,
        verdict=Verdict.UNKNOWN,
        complete=False,
        errors=(
            Problem(message="`/srv/x` is no virtual environment", at="/srv/x", hint="name another"),
            Problem(message="second\x1b[31m", at="p.toml:3:7", excerpt='compare = "a"\n      ^'),
        ),
    ),
}
