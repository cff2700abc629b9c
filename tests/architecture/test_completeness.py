"""What belongs to an open set is listed, explained and tested; a file that is not is found."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import envaudit
from envaudit import rules
from envaudit.commands.explain import EXPLANATIONS
from envaudit.render import FORMATS
from tests.architecture import members
from tests.kit.reports import REPORTS

HOUSE = Path(envaudit.__file__).parent
TESTS = Path(__file__).parents[1]
GOLDEN_CODES = Path(__file__).with_name("codes.txt")

RULE_KIND = """\
class Twin:
    @classmethod
    def from_table(cls, table): ...
    def judge(self, subject):
        return (Finding(code="twin"),)
"""
CHECK = """\
CODE = "planted-check"
class Planted:
    def judge(self, subject):
        return (_found("planted-one"), _found(code="planted-two"), Finding(code=CODE))
def _found(code):
    return Finding(code=code)
"""
FORMAT = "def render(report, style): ...\n"
COMMAND = "def run(surroundings) -> Report: ...\n"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the package's source."""
    return Path(
        shutil.copytree(
            HOUSE, tmp_path / "envaudit", ignore=shutil.ignore_patterns("__pycache__", "policies")
        )
    )


def _unlisted(tree: Path) -> frozenset[str]:
    return frozenset().union(
        members.rule_kinds(tree) - members.listed(tree, "rules/__init__.py", "KINDS"),
        members.checks(tree) - _listed_checks(tree),
        members.formats(tree) - members.listed(tree, "render/__init__.py", "FORMATS"),
        members.commands(tree) - members.called_commands(tree),
    )


def _listed_checks(tree: Path) -> frozenset[str]:
    lists = ("CHECKS", "FILE_CHECKS")
    return frozenset().union(*(members.listed(tree, "checks/__init__.py", one) for one in lists))


def test_every_member_of_an_open_set_is_listed() -> None:
    assert _unlisted(HOUSE) == frozenset()


def test_the_lists_speak_of_no_other_files() -> None:
    assert members.listed(HOUSE, "rules/__init__.py", "KINDS") == members.rule_kinds(HOUSE)
    assert _listed_checks(HOUSE) == members.checks(HOUSE)
    assert members.listed(HOUSE, "render/__init__.py", "FORMATS") == members.formats(HOUSE)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rules/twin.py", RULE_KIND),
        ("checks/twin.py", CHECK),
        ("render/twin.py", FORMAT),
        ("commands/twin.py", COMMAND),
    ],
)
def test_a_planted_file_that_is_not_listed_is_found(name: str, text: str, copy: Path) -> None:
    (copy / name).write_text(text, encoding="utf-8")

    assert _unlisted(copy) == {"twin"}


def test_every_code_that_a_finding_can_carry_is_explained() -> None:
    explained = {explanation.code for explanation in EXPLANATIONS}

    assert members.finding_codes(HOUSE) == explained


def test_the_codes_of_a_planted_check_are_found(copy: Path) -> None:
    (copy / "checks" / "planted.py").write_text(CHECK, encoding="utf-8")

    found = members.finding_codes(copy) - members.finding_codes(HOUSE)

    assert found == {"planted-check", "planted-one", "planted-two"}


def test_a_computed_code_is_refused(copy: Path) -> None:
    text = 'def judge(name):\n    return Finding(code=f"planted-{name}")\n'
    (copy / "checks" / "planted.py").write_text(text, encoding="utf-8")

    with pytest.raises(ValueError, match="computed"):
        members.finding_codes(copy)


def test_no_code_is_renamed_in_silence(*, rewrite_goldens: bool) -> None:
    """People write codes into scripts: a change of this list belongs into the changelog."""
    codes = sorted(explanation.code for explanation in EXPLANATIONS)
    if rewrite_goldens:
        GOLDEN_CODES.write_text("".join(f"{code}\n" for code in codes), encoding="utf-8")

    assert codes == GOLDEN_CODES.read_text(encoding="utf-8").split()
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("explanation", EXPLANATIONS, ids=lambda explanation: explanation.code)
def test_every_explanation_says_all_three_things(explanation: object) -> None:
    for part in ("meaning", "why", "repair"):
        text = getattr(explanation, part)
        assert text == text.strip()
        assert text.endswith(".")


def test_a_rule_kind_is_called_like_its_file() -> None:
    assert set(rules.KINDS) == members.rule_kinds(HOUSE)


def test_a_format_is_called_like_its_file() -> None:
    assert set(FORMATS) == members.formats(HOUSE)


@pytest.mark.parametrize(
    ("room", "found"),
    [
        ("rules", members.rule_kinds),
        ("checks", members.checks),
        ("commands", members.commands),
    ],
)
def test_every_member_has_tests(room: str, found: Callable[[Path], frozenset[str]]) -> None:
    untested = {name for name in found(HOUSE) if not _tests_of(room, name)}

    assert untested == set()


def _tests_of(room: str, name: str) -> bool:
    places = (TESTS / room / f"test_{name}.py", TESTS / "e2e" / f"test_{name}.py")
    return any(place.is_file() for place in places) or any((TESTS / room / name).glob("test_*.py"))


def test_every_format_has_goldens_of_all_sample_reports() -> None:
    golden = {path.name for path in (TESTS / "render" / "golden").iterdir()}

    assert {f"{report}.{form}" for report in REPORTS for form in FORMATS} <= golden
