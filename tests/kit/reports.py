"""Sample reports that use every feature of every format: one set, rendered by all."""

from collections.abc import Mapping

from envaudit.exits import Exit
from envaudit.model.distribution import Origin, OriginKind
from envaudit.model.drift import Added, Alteration, Altered, InterpreterChanged, Removed
from envaudit.model.errors import Problem
from envaudit.model.finding import Align, Finding, Remove, RuleReference, Satisfy, Severity
from envaudit.model.plan import Candidate, Direction, Move, Plan, Rejected
from envaudit.model.report import EnvironmentSummary, PolicySummary, Report, Verdict
from envaudit.model.requirement import Link
from tests.kit.builders import distribution, interpreter

ENVIRONMENT = EnvironmentSummary(
    path="/srv/vllm", source="/srv/vllm", python="3.11.7", distributions=185
)
POLICIES = (PolicySummary(file="policies/flashinfer.toml", digest="0f" * 32, rules=2, matched=1),)
WHY = (
    Link(name="vllm", version="0.17.0"),
    Link(name="flashinfer-python", version="0.6.4", requirement="flashinfer-python==0.6.4"),
)
PAIR = ("flashinfer-cubin", "flashinfer-python")
MISMATCH = Finding(
    code="compare",
    severity=Severity.ERROR,
    distributions=PAIR,
    message="`flashinfer-python 0.6.4` does not match `flashinfer-cubin 0.6.3`",
    evidence=("the rule: full(flashinfer-python) == full(flashinfer-cubin)", "seen by hand"),
    why=((Link(name="flashinfer-cubin", version="0.6.3"),), WHY),
    rule=RuleReference(
        id="flashinfer-cubin", policy="flashinfer", file="policies/flashinfer.toml", line=8
    ),
    introduced=True,
    remedies=(Align(members=PAIR, fact="full"), Remove(name="flashinfer-cubin")),
)
HOSTILE = Finding(
    code="requirement-missing",
    severity=Severity.WARNING,
    distributions=("evil",),
    message="`evil\x1b[2J 1.0\u202e` requires `b\nc`",
    introduced=False,
    remedies=(Satisfy(name="evil", extras=("x",), version="1.0", victim="b"),),
)


def _plan(direction: Direction, *moves: Move, command: str) -> Plan:
    words = tuple(command.split())
    return Plan(direction=direction, moves=moves, commands=(words,), shell=command)


REPORTS: Mapping[str, Report] = {
    "check_passes": Report(
        command="check",
        exit=Exit.PASS,
        tool="1.2.3",
        verdict=Verdict.PASS,
        environment=ENVIRONMENT,
        policies=POLICIES,
    ),
    "check_fails": Report(
        command="check",
        exit=Exit.FINDINGS,
        tool="1.2.3",
        verdict=Verdict.FAIL,
        environment=ENVIRONMENT,
        complete=False,
        findings=(MISMATCH, HOSTILE),
        policies=POLICIES,
        hint="`envaudit fix` finds the command that repairs it",
    ),
    "diff_of_every_kind": Report(
        command="diff",
        exit=Exit.DRIFT,
        tool="1.2.3",
        verdict=Verdict.DRIFT,
        environment=ENVIRONMENT,
        changes=(
            InterpreterChanged(before=interpreter("3.11.7"), after=interpreter("3.12.1")),
            Added(after=distribution("new==1"), why=WHY),
            Removed(before=distribution("Old_Name==1+cu128"), why=()),
            Altered(
                how=Alteration.UPGRADED,
                before=distribution("vllm==0.16.0rc2.dev313"),
                after=distribution("vllm==0.16.0rc2.dev344"),
                commits=31,
            ),
            Altered(
                how=Alteration.DOWNGRADED,
                before=distribution("otel-api==2"),
                after=distribution("otel-api==1"),
                family="https://example.org/otel/otel",
            ),
            Altered(
                how=Alteration.DOWNGRADED,
                before=distribution("otel-sdk==2"),
                after=distribution("otel-sdk==1"),
                family="https://example.org/otel/otel",
                why=WHY,
            ),
            Altered(
                how=Alteration.MOVED,
                before=distribution("m==1"),
                after=distribution(
                    "m==1",
                    origin=Origin(
                        kind=OriginKind.VCS,
                        url="https://example.org/m",
                        revision="0123456789abcdef",
                    ),
                ),
            ),
            Altered(
                how=Alteration.REBUILT,
                before=distribution("r==1", content_id="sha256:1"),
                after=distribution("r==1", content_id="sha256:2"),
            ),
            Altered(
                how=Alteration.REWIRED,
                before=distribution("w==1", requires=("a", "b")),
                after=distribution("w==1", requires=("b", "c>=1")),
            ),
        ),
    ),
    "fix_with_alternatives": Report(
        command="fix",
        exit=Exit.PASS,
        tool="1.2.3",
        verdict=Verdict.FAIL,
        environment=ENVIRONMENT,
        findings=(MISMATCH,),
        plan=_plan(
            Direction.FORWARD,
            Move(name="flashinfer-cubin", before="0.6.3", after="0.6.4"),
            command="uv pip install flashinfer-cubin==0.6.4",
        ),
        alternatives=(
            _plan(
                Direction.BACK,
                Move(name="a", before="2", after="1"),
                Move(name="b", before=None, after="1"),
                Move(name="c", before="1", after="1"),
                Move(name="d", before=None, after=None, known=False),
                command="uv pip install a==1",
            ),
        ),
        rejected=(
            Rejected(
                candidate=Candidate(
                    direction=Direction.REMOVE, requirements=("x==1",), removals=("y",)
                ),
                reason="error: no\n  cause: because\x07\n",
            ),
        ),
    ),
    "fix_finds_nothing": Report(
        command="fix",
        exit=Exit.FINDINGS,
        tool="1.2.3",
        verdict=Verdict.FAIL,
        environment=ENVIRONMENT,
        findings=(MISMATCH,),
        lines=("no command was found",),
        notes=("there is no baseline",),
    ),
    "snapshot": Report(
        command="snapshot",
        exit=Exit.PASS,
        tool="1.2.3",
        environment=ENVIRONMENT,
        lines=("/srv/state/x.json",),
        data={"path": "/srv/state/x.json"},
    ),
    "unreadable": Report(
        command="check",
        exit=Exit.UNKNOWN,
        tool="1.2.3",
        verdict=Verdict.UNKNOWN,
        complete=False,
        errors=(
            Problem(
                message="`/srv/x` is no environment",
                at="/srv/x",
                hint="name another",
                excerpt='compare = "a = b"\n             ^',
            ),
        ),
    ),
}
