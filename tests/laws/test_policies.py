"""Laws of the policy language."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from envaudit.core.evaluate import evaluate
from envaudit.model.errors import Problem
from envaudit.model.policy import Waiver
from envaudit.readers.policy_file import parse_policy
from envaudit.rules.condition import parse_condition
from envaudit.rules.expression import parse_expression
from envaudit.rules.member import parse_member
from envaudit.rules.table import ExpressionError
from tests.kit.builders import snapshot
from tests.kit.judging import policy

WORDS = st.sampled_from(
    [*"()<>=!~+-|*,.0129ab \n", "full", "cuda", "torch", "==", "<=", "not ", "python_version", "é"]
)
TEXTS = st.lists(WORDS, max_size=20).map("".join) | st.text(max_size=40)
RULES = '[policy]\nname = "x"\n[[rule]]\nid = "r"\nreason = "r"\ncompare = "a == b"\n'
VERSIONS = st.sampled_from(["1", "2", "1.0+cpu", "0.0.0+unknown", "x"])
NAMES = st.sampled_from(["r", "compare", "requirement-missing", "nobody"])


@given(TEXTS)
def test_a_text_parses_or_says_where_it_does_not(text: str) -> None:
    for parse in (parse_expression, parse_condition, parse_member):
        refused: ExpressionError | None = None
        try:
            parse(text)
        except ExpressionError as error:
            refused = error
        assert refused is None or (refused.message and 0 <= refused.offset <= len(text))


@given(TEXTS, st.sampled_from(["compare", "when", "forbid", "exclusive", "needs", "skip"]))
def test_a_rule_of_any_text_loads_or_is_refused_with_a_line_and_a_caret(
    text: str, key: str
) -> None:
    quoted = "".join(f"\\u{ord(character):04x}" for character in text if ord(character) < 0xD800)
    head = '[policy]\nname = "x"\n[[rule]]\nid = "r"\nreason = "r"\n'
    problems: list[Problem] = []
    loaded = parse_policy(f'{head}{key} = "{quoted}"\n'.encode(), "x.toml", problems)
    assert (loaded is None) is bool(problems)
    for problem in problems:
        assert problem.excerpt is not None
        assert problem.excerpt.rstrip().endswith("^")


@given(
    VERSIONS,
    VERSIONS,
    st.lists(st.tuples(NAMES, st.dates(date(2026, 1, 1), date(2026, 12, 31))), max_size=3),
)
def test_adding_a_waiver_never_adds_an_error(
    one: str, other: str, waivers: list[tuple[str, date]]
) -> None:
    plain = policy(RULES)
    text = "".join(
        f'[[waiver]]\nrule = "{rule}"\nuntil = {until}\nreason = "w"\n' for rule, until in waivers
    )
    waived = policy(RULES + text)
    assert all(isinstance(waiver, Waiver) for waiver in waived.waivers)
    taken = snapshot(f"a=={one}", f"b=={other}")
    today = date(2026, 6, 1)
    before = {finding.key for finding in evaluate(taken, (plain,), today=today).errors()}
    after = {finding.key for finding in evaluate(taken, (waived,), today=today).errors()}
    assert after <= before


@given(st.permutations(["a", "b", "c", "d"]), st.sampled_from(["1", "2.0+cu128"]))
def test_members_that_all_moved_together_are_never_flagged(order: list[str], version: str) -> None:
    text = RULES.replace("a == b", " == ".join(f"full({name})" for name in order))
    taken = snapshot(*(f"{name}=={version}" for name in order))
    assert evaluate(taken, (policy(text),)).findings == ()
