"""Judging: one subject, every rule and every check, and what they say in one stable order."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from envaudit.checks import CHECKS, EXPLANATIONS, FILE_CODES, partial_upgrade
from envaudit.core import infer
from envaudit.core.graph import Graph, resolve
from envaudit.model.files import Files
from envaudit.model.finding import Finding, Severity
from envaudit.model.interruption import Interruption
from envaudit.model.policy import Policy, Rule
from envaudit.model.report import PolicySummary
from envaudit.model.snapshot import Snapshot
from envaudit.model.subject import Family, Subject
from envaudit.rules import soundness, waivers


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What was found in one snapshot, and by which policies."""

    graph: Graph
    findings: tuple[Finding, ...]
    policies: tuple[PolicySummary, ...]

    def errors(self) -> tuple[Finding, ...]:
        """Return the findings of severity error."""
        return tuple(
            item for item in self.findings if item.severity is Severity.ERROR and item.counts
        )


def evaluate(  # noqa: PLR0913 - all that one judgement hangs on, each by its name
    snapshot: Snapshot,
    policies: tuple[Policy, ...],
    *,
    baseline: Snapshot | None = None,
    files: Files | None = None,
    files_before: Files | None = None,
    leaving: frozenset[str] = frozenset(),
    interruption: Interruption | None = None,
    variables: frozenset[str] = frozenset(),
    today: date | None = None,
) -> Judgement:
    """Judge ``snapshot`` by ``policies`` and the built-in checks.

    With a ``baseline``, siblings that moved apart since are found, and every finding says whether
    the baseline had it too, as far as that is known. ``files`` and ``files_before``: what was
    measured of the environment's files, and of the baseline's, if it was. ``leaving``: names that
    the plan behind a projection removes. ``interruption``: the change that was left half done.
    ``variables``: names of environment variables that are set. ``today`` decides about dated rules
    and waivers; where it is not known, all of them are in force.

    >>> from envaudit.model.distribution import Distribution
    >>> from envaudit.model.snapshot import Interpreter
    >>> vllm = Distribution(
    ...     name="vllm", spelling="vllm", version="0.17.0", folder="v", requires=("torch==2.10.0",)
    ... )
    >>> python = Interpreter(implementation="cpython", version="3.11.7", markers=())
    >>> judgement = evaluate(Snapshot(interpreter=python, distributions=(vllm,)), policies=())
    >>> [finding.message for finding in judgement.errors()]
    ['`vllm 0.17.0` requires `torch==2.10.0`, which is not installed']
    """
    families = () if baseline is None else infer.families(baseline)
    bench = _Bench(policies=policies, families=families, variables=variables, today=today)
    present = _Present(files=files, baseline=baseline, leaving=leaving, interruption=interruption)
    graph, findings = _judge(snapshot, bench, present)
    if baseline is not None:
        _, before = _judge(baseline, bench, _Present(files=files_before))
        known = {finding.key for finding in before}
        findings = tuple(
            finding
            if finding.code in FILE_CODES and files_before is None
            else replace(finding, introduced=finding.key not in known)
            for finding in findings
        )
    installed = snapshot.by_name()
    findings = waivers.apply(
        (*findings, *_examine(policies, snapshot, today)),
        [waiver for policy in policies for waiver in policy.waivers],
        today,
        _waivable(policies),
    )
    return Judgement(
        graph=graph,
        findings=tuple(sorted(findings, key=lambda finding: finding.order)),
        policies=tuple(_summarise(policy, installed) for policy in policies),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bench:
    """What stays the same from one snapshot to the next."""

    policies: tuple[Policy, ...]
    families: tuple[Family, ...]
    variables: frozenset[str]
    today: date | None


def _examine(
    policies: tuple[Policy, ...], snapshot: Snapshot, today: date | None
) -> tuple[Finding, ...]:
    """Judge the rules themselves. Those of the pack were examined before it was released."""
    own = [rule for policy in policies if not policy.builtin for rule in policy.rules]
    if not own:
        return ()
    installed = snapshot.by_name()
    matched = [rule for rule in own if _matches(rule, installed)]
    pack = [
        rule
        for policy in policies
        if policy.builtin
        for rule in policy.rules
        if _matches(rule, installed)
    ]
    return (
        *soundness.never_match(own, today),
        *soundness.contradict(matched, pack, snapshot, today),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Present:
    """What is known of one snapshot beside it; see ``Subject``."""

    files: Files | None = None
    baseline: Snapshot | None = None
    leaving: frozenset[str] = frozenset()
    interruption: Interruption | None = None


def _judge(
    snapshot: Snapshot, bench: _Bench, present: _Present
) -> tuple[Graph, tuple[Finding, ...]]:
    graph = resolve(snapshot)
    subject = Subject(
        snapshot=snapshot,
        installed=snapshot.by_name(),
        needs=graph.needs(),
        files=present.files,
        baseline=present.baseline,
        leaving=present.leaving,
        interruption=present.interruption,
        families=bench.families,
        rules=sum(len(policy.rules) + len(policy.asleep) for policy in bench.policies),
        variables=bench.variables,
        today=bench.today,
    )
    findings: list[Finding] = []
    rules = [
        rule
        for policy in bench.policies
        for rule in policy.rules
        if _matches(rule, subject.installed)
    ]
    for judge in (*rules, *CHECKS):
        findings.extend(judge.judge(subject))
    findings = _fold_partial_upgrades(findings, rules)
    explained = [_with_chains(finding, graph, subject) for finding in findings]
    return graph, tuple(sorted(explained, key=lambda finding: finding.order))


def _matches(rule: Rule, installed: Mapping[str, object]) -> bool:
    return rule.kind.meets(installed)


def _waivable(policies: tuple[Policy, ...]) -> frozenset[str] | None:
    """Return what a waiver can name; ``None`` without the pack, whose rules one may name too."""
    if not any(policy.builtin for policy in policies):
        return None
    rules = (rule.reference.id for policy in policies for rule in policy.rules)
    asleep = (identity for policy in policies for identity in policy.asleep)
    return frozenset((*rules, *asleep, *waivable_codes()))


def waivable_codes() -> frozenset[str]:
    """Return the codes that a waiver can name; what a rule finds is waived by the rule's id."""
    return waivers.OF_RULES.union(explanation.code for explanation in EXPLANATIONS)


def _summarise(policy: Policy, installed: Mapping[str, object]) -> PolicySummary:
    return PolicySummary(
        file=policy.file,
        digest=policy.digest,
        rules=len(policy.rules) + len(policy.asleep),
        matched=sum(_matches(rule, installed) for rule in policy.rules),
    )


def _fold_partial_upgrades(findings: list[Finding], rules: list[Rule]) -> list[Finding]:
    """Where rules cover all siblings, the inferred suspicion is evidence of their findings.

    Rules that cover the siblings and are silent have judged them: they may stand as they do.
    """
    suspicions = {
        frozenset(finding.distributions): finding
        for finding in findings
        if finding.code == partial_upgrade.CODE and _cover(rules, frozenset(finding.distributions))
    }
    kept = [finding for finding in findings if finding not in suspicions.values()]
    return [_with_suspicion(finding, suspicions) for finding in kept]


def _cover(rules: list[Rule], names: frozenset[str]) -> bool:
    spoken_of = (rule.kind.spoken_of(names) for rule in rules)
    return names == frozenset().union(*(part for part in spoken_of if len(part) > 1))


def _with_suspicion(finding: Finding, suspicions: Mapping[frozenset[str], Finding]) -> Finding:
    if finding.rule is None:
        return finding
    evidence = tuple(
        f"since the baseline: {suspicion.message}"
        for names, suspicion in suspicions.items()
        if names.issuperset(finding.distributions)
    )
    return replace(finding, evidence=(*finding.evidence, *evidence))


def _with_chains(finding: Finding, graph: Graph, subject: Subject) -> Finding:
    """Add to a finding, for each of its distributions, the shortest way by which it is needed.

    In a projection, what incoming distributions require is not known: that nothing else requires
    one is then not known either, and not said.
    """
    chains = dict.fromkeys(
        graph.why(record)
        for name in finding.distributions
        for record in subject.installed.get(name, ())
    )
    projected = any(record.requires is None for record in subject.snapshot.distributions)
    return replace(finding, why=tuple(chain for chain in chains if len(chain) > 1 or not projected))
