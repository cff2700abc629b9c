"""Rules that can never match, and rules that contradict each other."""

from datetime import date

import pytest

from envaudit.core.evaluate import evaluate
from envaudit.model.finding import Severity
from envaudit.rules import contradiction
from tests.kit.builders import snapshot
from tests.kit.judging import policy

HEAD = '[policy]\nname = "x"\n'
TODAY = date(2026, 6, 30)
PINS = ("a==1", "b==1", "c==1")


def told(*tables: str) -> list[tuple[str, str]]:
    rules = "".join(
        f'[[rule]]\nid = "r{at}"\nreason = "r"\n{table}\n' for at, table in enumerate(tables)
    )
    findings = evaluate(snapshot(*PINS), (policy(HEAD + rules),), today=TODAY).findings
    sound = {"rule-matches-nothing", "rules-conflict"}
    found = [finding for finding in findings if finding.code in sound]
    assert all(finding.severity is Severity.WARNING for finding in found)
    return [(finding.code, finding.message) for finding in found]


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ('compare = "full(a>=2,<1) == full(b)"', "no version is in the range of `a<1,>=2`"),
        ('compare = "a == a"', "it compares one distribution with itself"),
        ('when = "a>=2,<1"\nthen = "b>=1"', "no version is in the range of `a<1,>=2`"),
        ('rows = [{ when = "a==1.*,>=2", then = "b>=1" }]', "no version is in the range"),
        ('exclusive = ["a>=2,<1", "b"]', "no version is in the range"),
        ('when = "a"\nneeds = "b>=2,<1"', "no version is in the range of `b<1,>=2`"),
        ('forbid = "a>=2,<1"', "no version is in the range"),
        ('forbid = "a"\nexcept = ["a"]', "`except` leaves out everything"),
        ('forbid = "c"\nuntil = 2026-06-29', "its last day was 2026-06-29"),
    ],
)
def test_a_rule_that_can_never_match_is_told(table: str, reason: str) -> None:
    ((code, message),) = told(table)
    assert code == "rule-matches-nothing"
    assert message.startswith(f"the rule `r0` can never match: {reason}")


@pytest.mark.parametrize(
    "table",
    [
        'compare = "full(a) == public(a)"',
        'compare = "x-* == y"',
        'compare = "minor(x-*) == minor(x-*)"',
        'when = "a>=1,<2"\nthen = "b>=1"',
        'forbid = "a-*"\nexcept = ["a-b"]',
        'forbid = "z"\nuntil = 2026-06-30',
    ],
)
def test_a_rule_that_can_match_is_not(table: str) -> None:
    assert told(table) == []


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        (
            'when = "a"\nneeds = "b"',
            'forbid = ["b", "z"]',
            "the one needs `b`, the other forbids it",
        ),
        (
            'exclusive = ["a", "b"]',
            'when = "a"\nneeds = "b"',
            "the one needs `b` beside `a`, the other excludes the two",
        ),
        (
            'when = "a>=1"\nthen = "b>=2"',
            'when = "a<=1"\nthen = "b<2"',
            "of `a>=1`, the one asks for `b>=2`, the other for `b<2`",
        ),
    ],
)
def test_rules_that_contradict_each_other_are_told_in_their_words(
    one: str, other: str, reason: str
) -> None:
    assert told(one, other) == [
        ("rules-conflict", f"the rules `r0` and `r1` contradict each other: {reason}")
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('compare = "a == b"', 'when = "a<2"\nthen = "b>=2"'),
        ('compare = "a == b == c"', 'when = "a>=2"\nthen = "c<2"'),
        ('compare = "a <= b"', 'when = "a>=2"\nthen = "b<2"'),
        ('compare = "major(a) == major(b)"', 'when = "a>=2"\nthen = "b<2"'),
        ('when = "a>=1"\nneeds = "b>=2"', 'forbid = "b>=1.5"'),
        ('when = "a"\nneeds = "b>=2"', 'when = "a"\nneeds = "b<2"'),
        ('when = "a"\nneeds = "b>=2"', 'when = "a>=1"\nthen = "b<2"'),
        ('when = "a"\nneeds = "b"', 'exclusive = ["a", "b"]\nwhen = \'sys_platform == "linux"\''),
        (
            'rows = [{ when = "a<1", then = "b<2" }, { when = "a<3", then = "b<3,>=2" }]',
            'when = "a>=1"\nthen = "b<2"',
        ),
        (
            'rows = [{ when = "a<1", then = "b<2" }, { when = "a<3", then = "b>=2" }]',
            'rows = [{ when = "a<3", then = "b<1.5" }]',
        ),
        ('rows = [{ when = "a>=3", then = "b<2" }]', 'when = "a>=2"\nthen = "b>=2"'),
        ('when = "a"\nthen = "b>=2"', 'when = "a"\nthen = "b<2"\nuntil = 2026-06-30'),
        (
            'when = "a"\nthen = "b>=2"',
            'when = "a"\nthen = "b<2"\nexcept = ["c"]\nbypass-env = "NONE"',
        ),
    ],
)
def test_rules_that_leave_no_version_to_each_other_are_told(one: str, other: str) -> None:
    for tables in ((one, other), (other, one)):
        ((code, message),) = told(*tables)
        assert code == "rules-conflict"
        assert message.startswith("the rules `r0` and `r1` contradict each other: ")


def test_millions_of_pairs_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contradiction, "MOST_TRIALS", 100)
    tables = [f'when = "a>={at}"\nthen = "b>={at}"\n' for at in range(60)]
    rules = "".join(f'[[rule]]\nid = "r{at}"\nreason = "r"\n{one}' for at, one in enumerate(tables))
    findings = evaluate(snapshot(*PINS), (policy(HEAD + rules),), today=TODAY).findings
    (said,) = (finding for finding in findings if finding.code == "rules-conflict")
    assert said.severity is Severity.INFO
    assert said.message.startswith("not all rules were held against each other")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('compare = "a == b"', 'when = "a>=5"\nthen = "b>=5.0.1"'),
        ('compare = "a == b"', 'when = "a>=5"\nthen = "b!=5.0.1"'),
        ('compare = "a == b"', 'forbid = "b>=2"'),
        ('compare = "a == b"', 'exclusive = ["a", "b"]'),
        ('compare = "a <= b"', 'compare = "b <= a"'),
        ('compare = "public(a>=2) == public(b)"', 'when = "a<2"\nthen = "b>=2"'),
        ('compare = "minor(a) == minor(b) - 21"', 'when = "a>=2"\nthen = "b<2"'),
        ('compare = "cuda(a) == cuda(b)"', 'when = "a>=2"\nthen = "b<2"'),
        ('when = "a>=2"\nthen = "b>=2"', 'when = "b>=2"\nthen = "a>=2"'),
        ('when = "a"\nthen = "b>=2"', 'when = "a"\nthen = "b<2"\nsince = 2026-07-01'),
        ('when = "a"\nthen = "b>=2"', 'when = "a"\nthen = "b<2"\nseverity = "info"'),
        (
            'rows = [{ when = "a<2", then = "b<2" }, { when = "a<3", then = "b<3,>=2" }]',
            'when = "a>=2"\nthen = "b>=2"',
        ),
        (  # of what was long ago, a table tells a history
            'rows = [{ when = "a<1", then = "b>=2" }, { when = "a<3", then = "b<2" }]',
            'when = "a<2"\nthen = "b<2"',
        ),
        ('when = "a"\nneeds = "b"', 'forbid = "b>=2"'),
        ('when = "a"\nneeds = "b"', 'forbid = "b"\nwhen = \'sys_platform == "win32"\''),
        ('when = "a>=2"\nthen = "b>=2"', 'when = "a<2"\nthen = "b<2"'),
        ('when = "a"\nthen = "b>=2"', 'when = ["a", "c"]\nthen = "b<2"'),
    ],
)
def test_rules_that_can_both_be_obeyed_are_not(one: str, other: str) -> None:
    assert told(one, other) == []
