"""The format ``text``: what a person reads. Heaviest first, and nothing in colour alone."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from envaudit.model.distribution import Distribution
from envaudit.model.drift import (
    Added,
    Alteration,
    Altered,
    Change,
    HookChanged,
    InterpreterChanged,
    Obscured,
    Removed,
    change_kind,
)
from envaudit.model.errors import Problem
from envaudit.model.finding import Finding, Severity
from envaudit.model.plan import Direction, Move, Plan, Rejected
from envaudit.model.report import Report, Verdict
from envaudit.model.requirement import Chain
from envaudit.model.snapshot import Interpreter
from envaudit.render.style import Style, escape

_MOST_MOVES = 20
_SINCE_BASELINE = ("after the baseline", "already before")
_SINCE = {"gate": ("the command would bring it", "before the command")}
_WIDEST = 40
"""A column is no wider than this: one long cell must not push all others off the screen."""


def render(report: Report, style: Style) -> str:
    """Return what stands on stdout, ending in a newline unless it is empty."""
    lines: list[str] = []
    for section in (
        _header(report),
        _findings(report, style),
        _changes(report, style),
        _ways(report, style),
        _lines(report),
        _conclusion(report, style),
        _gate(report, style),
    ):
        lines.extend(section)
    return "".join(f"{line}\n" for line in lines)


def _header(report: Report) -> Iterator[str]:
    """Say which configuration files decide about the rules, so that nobody wonders."""
    for configuration in report.configurations:
        line = f"configuration: {configuration.file} ({configuration.summary})"
        yield _remark(line) if _is_script(report) else escape(line)


def _lines(report: Report) -> Iterator[str]:
    if report.command == "gate" or (report.command == "restore" and report.plan is not None):
        return
    for line in report.lines:
        yield _remark(line) if _is_script(report) else escape(line)


def _is_script(report: Report) -> bool:
    """Return whether the text is a shell script, in which everything but commands is a remark."""
    carried_out = isinstance(report.data, dict) and "outcome" in report.data
    if report.command == "fix":
        return not carried_out
    return report.command == "restore" and report.plan is not None


def render_problem(problem: Problem, style: Style) -> str:
    """Return one problem as it stands on stderr: message, place, excerpt, hint."""
    lines = [f"{style.paint('error', 'error')}: {escape(problem.message)}"]
    if problem.at is not None:
        lines.append(f"  at: {escape(problem.at)}")
    if problem.excerpt is not None:
        lines.extend(f"    {escape(line)}" for line in problem.excerpt.split("\n"))
    if problem.hint is not None:
        lines.append(f"  hint: {escape(problem.hint)}")
    return "".join(f"{line}\n" for line in lines)


def _findings(report: Report, style: Style) -> Iterator[str]:
    for finding in () if _is_script(report) else report.findings:
        yield from _finding(finding, style, _SINCE.get(report.command, _SINCE_BASELINE))
        yield ""


def _finding(finding: Finding, style: Style, since: tuple[str, str]) -> Iterator[str]:
    """Say a finding; ``since``: how to say that it is new, and that it is not."""
    code = style.paint(f"{finding.severity.value}[{finding.code}]", finding.severity.value)
    yield f"{code} {escape(finding.message)}"
    if finding.rule is not None:
        rule = finding.rule
        yield from _field("rule", f"{rule.id}, {rule.file}:{rule.line}")
    if finding.waived is not None:
        waived = finding.waived
        yield from _field("waived", f"until {waived.until.isoformat()}, {waived.reason}")
        yield from _field("waiver", f"{waived.file}:{waived.line}")
    if finding.introduced is not None:
        yield from _field("since", since[0] if finding.introduced else since[1])
    for evidence in finding.evidence:
        label, colon, rest = evidence.partition(": ")
        yield from _field(label, rest) if colon else _field("seen", evidence)
    for chain in finding.why:
        yield from _need(chain)


def _need(chain: Chain) -> Iterator[str]:
    if len(chain) > 1:
        yield from _field("needed by", _chain(chain))
    else:
        yield from _field("needed by nothing", _chain(chain))


def _field(label: str, text: str) -> Iterator[str]:
    yield f"  {escape(label)}: {escape(text)}"


def _chain(chain: Chain) -> str:
    return " > ".join(f"{link.name} {link.version}".rstrip() for link in chain)


def _changes(report: Report, style: Style) -> Iterator[str]:
    if report.command == "gate" and report.verdict is Verdict.PASS:
        return
    rows = [(change.family, _change(change)) for change in report.changes]
    widths = [
        min(max((len(escape(row[at])) for _, row in rows), default=0), _WIDEST) for at in range(3)
    ]
    for family, members in groupby(rows, key=lambda item: item[0]):
        if family is not None:
            yield escape(f"together, all from {family}:")
        for _, (kind, name, versions, why) in members:
            cells = [style.paint(kind.ljust(widths[0]), "strong")]
            cells += [escape(name).ljust(widths[1]), escape(versions).ljust(widths[2]), escape(why)]
            indent = "" if family is None else "  "
            yield f"{indent}{'  '.join(cells)}".rstrip()


def _change(change: Change) -> tuple[str, str, str, str]:
    """Return kind, name, versions and reason of one change."""
    kind = change_kind(change)
    match change:
        case Added(after=after, why=why):
            return kind, after.spelling, after.version, _cause(why)
        case Removed(before=before, why=why):
            return kind, before.spelling, before.version, _cause(why)
        case Altered(before=before, after=after, why=why):
            return kind, after.spelling, _alteration(change), _cause(why)
        case InterpreterChanged(before=old, after=new):
            return kind, "python", f"{_interpreter(old)} -> {_interpreter(new)}", ""
        case HookChanged():
            owner = change.hook.owner
            return kind, change.hook.path, "unowned" if owner is None else f"of {owner}", ""
        case Obscured(part=part):
            return kind, f"{part.folder}/{part.part}", part.reason, ""


def _alteration(change: Altered) -> str:
    before, after = change.before, change.after
    match change.how:
        case Alteration.UPGRADED | Alteration.DOWNGRADED:
            distance = "" if change.commits is None else f" ({_plural(change.commits, 'commit')})"
            return f"{before.version} -> {after.version}{distance}"
        case Alteration.MOVED:
            return f"{after.version}, {_origin(before)} -> {_origin(after)}"
        case Alteration.REBUILT:
            spelled = "" if before.version == after.version else f"{before.version} -> "
            return f"{spelled}{after.version}, other content under the same version"
        case Alteration.REWIRED:
            return f"{after.version}, {_rewired(before, after)}"


def _origin(distribution: Distribution) -> str:
    origin = distribution.origin
    place = "" if origin.url is None else f" {origin.url}"
    revision = "" if origin.revision is None else f" at {origin.revision[:12]}"
    return f"{origin.kind.value}{place}{revision}"


def _rewired(before: Distribution, after: Distribution) -> str:
    old, new = set(before.requires or ()), set(after.requires or ())
    parts = [f"no longer requires {text}" for text in sorted(old - new)]
    parts += [f"now requires {text}" for text in sorted(new - old)]
    return "; ".join(parts) or "other requirements"


def _interpreter(interpreter: Interpreter) -> str:
    return f"{interpreter.implementation} {interpreter.label} ({', '.join(interpreter.tags)})"


def _plural(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _cause(why: Chain) -> str:
    """Say a chain as a reason: who requires it, and by which words."""
    if len(why) < 2:  # noqa: PLR2004 - one link is the distribution itself
        return ""
    *_, dependent, last = why
    unmet = "" if last.met else ", which it does not meet"
    return f"{_chain((*why[:-2], dependent))} requires {last.requirement}{unmet}"


def _ways(report: Report, style: Style) -> Iterator[str]:
    """Say the plan of ``fix`` so that the whole text is a shell script: the rest are remarks."""
    if not _is_script(report):
        return
    for finding in report.findings:
        yield _remark(f"{finding.severity.value}[{finding.code}] {finding.message}")
    if report.plan is not None:
        if report.command == "restore":
            yield _remark(_headline(report.plan, "to return"))
            yield from (_remark(f"    {line}") for line in report.lines)
        else:
            yield _remark(_headline(report.plan, "to repair"))
            yield from _moves(report.plan)
        if escape(report.plan.shell) == report.plan.shell:
            yield style.paint(report.plan.shell, "good")
        else:
            yield _remark("the command holds what no terminal can show: see `--format json`")
    for plan in report.alternatives:
        yield ""
        yield _remark(_headline(plan, "or"))
        yield from _moves(plan)
        yield _remark(f"  {plan.shell}")
    for rejected in report.rejected:
        yield ""
        yield from map(_remark, _rejected(rejected))


def _remark(text: str) -> str:
    return f"# {escape(text)}"


def _headline(plan: Plan, word: str) -> str:
    changes = _plural(len(plan.moves), "distribution")
    return f"{word}, {_way(plan.direction)} (tried, not run; it moves {changes}):"


def _way(direction: Direction) -> str:
    match direction:
        case Direction.IN_PLACE:
            return "in place: put back what is damaged, at the version it has"
        case Direction.FORWARD:
            return "forward: bring the others along with what changed"
        case Direction.BACK:
            return "back: return to the versions of before"
        case Direction.REMOVE:
            return "remove: uninstall what can be done without"


def _moves(plan: Plan) -> Iterator[str]:
    for move in plan.moves[:_MOST_MOVES]:
        yield _remark(f"    {_move(move)}")
    if len(plan.moves) > _MOST_MOVES:
        yield _remark(f"    and {len(plan.moves) - _MOST_MOVES} more: see `--format json`")


def _move(move: Move) -> str:
    match move:
        case Move(before=None, after=after):
            return f"{move.name} {after or '(a source tree)'} is installed"
        case Move(before=before, after=None):
            return f"{move.name} {before} is uninstalled"
        case Move(before=before, after=after) if before == after:
            return f"{move.name} {before} is reinstalled"
        case Move(before=before, after=after):
            return f"{move.name} {before} -> {after}"


def _rejected(rejected: Rejected) -> Iterator[str]:
    candidate = rejected.candidate
    words = [*candidate.requirements, *(f"{pin} once more" for pin in candidate.reinstalls)]
    words += [f"without {name}" for name in (*candidate.removals, *candidate.cleared)]
    tried = f" ({', '.join(words)})" if words else ""
    yield f"{candidate.direction.value} does not work{tried}:"
    for line in rejected.reason.splitlines():
        if line.strip():
            yield f"    {line.strip()}"


def _gate(report: Report, style: Style) -> Iterator[str]:
    """Conclude a judged install: one line where it passes, else why not, and what instead."""
    if report.command != "gate" or report.verdict is None:
        return
    role = "error" if report.verdict is Verdict.FAIL else "good"
    for line in report.lines[:1]:
        yield style.paint(line, role)
    for line in report.lines[1:]:
        yield escape(line)
    if report.plan is not None:
        yield f"instead: {style.paint(report.plan.shell, 'good')}"
    for plan in report.alternatives:
        yield f"or: {style.paint(plan.shell, 'good')}"
    for rejected in report.rejected:
        yield from map(escape, _rejected(rejected))


def _conclusion(report: Report, style: Style) -> Iterator[str]:
    if report.command != "check" or report.environment is None:
        return
    role = "error" if report.verdict is Verdict.FAIL else "good"
    verdict = "" if report.verdict is None else style.paint(report.verdict.value, role)
    counts = _counts((severity, report.count(severity)) for severity in Severity)
    if report.waived:
        counts = f"{counts}, {report.waived} waived,"
    yield (
        f"{verdict}: {counts} in "
        f"{_plural(report.environment.distributions, 'distribution')}, judged by {_judges(report)}"
    )
    if report.hint is not None:
        yield f"hint: {escape(report.hint)}"


def _counts(counts: Iterable[tuple[Severity, int]]) -> str:
    return ", ".join(_plural(count, severity.value) for severity, count in counts)


def _judges(report: Report) -> str:
    rules = sum(policy.rules for policy in report.policies)
    matched = sum(policy.matched for policy in report.policies)
    if not report.policies:
        return "the built-in checks and no policy"
    return (
        f"the built-in checks and {_plural(rules, 'rule')}, "
        f"of which {matched} met something installed"
    )
