"""From findings to candidates, from moves to a projection, and which plan is best."""

from envaudit.core import planner
from envaudit.core.planner import Situation
from envaudit.core.projection import project
from envaudit.model.finding import Align, Finding, Remedy, Remove, Satisfy, Severity
from envaudit.model.plan import Candidate, Direction, Move, Plan
from tests.kit.builders import distribution, snapshot

BROKEN = snapshot("flashinfer-python==0.6.4", "flashinfer-cubin==0.6.3")
BEFORE = snapshot("flashinfer-python==0.6.3", "flashinfer-cubin==0.6.3")


def finding(*remedies: Remedy) -> Finding:
    return Finding(
        code="compare",
        severity=Severity.ERROR,
        distributions=("flashinfer-cubin", "flashinfer-python"),
        message="they differ",
        remedies=remedies,
    )


def words(candidates: tuple[Candidate, ...]) -> dict[str, tuple[str, ...]]:
    return {
        item.direction.value: (*item.requirements, *(f"-{name}" for name in item.removals))
        for item in candidates
    }


ALIGN = Align(members=("flashinfer-python", "flashinfer-cubin"), fact="full")


def test_forward_follows_what_changed_and_back_returns_it() -> None:
    situation = Situation(snapshot=BROKEN, baseline=BEFORE)
    found = planner.candidates([finding(ALIGN, Remove(name="flashinfer-cubin"))], situation)
    assert words(found) == {
        "forward": ("flashinfer-cubin==0.6.4",),
        "back": ("flashinfer-python==0.6.3",),
        "remove": ("-flashinfer-cubin",),
    }


def test_forward_follows_what_changed_even_downward() -> None:
    before = snapshot("flashinfer-python==0.6.4", "flashinfer-cubin==0.6.4")
    now = snapshot("flashinfer-python==0.6.3", "flashinfer-cubin==0.6.4")
    found = planner.candidates([finding(ALIGN)], Situation(snapshot=now, baseline=before))
    assert words(found) == {
        "forward": ("flashinfer-cubin==0.6.3",),
        "back": ("flashinfer-python==0.6.4",),
    }


def test_without_a_baseline_the_newest_is_taken_for_what_changed() -> None:
    found = planner.candidates([finding(ALIGN)], Situation(snapshot=BROKEN, baseline=None))
    assert words(found) == {
        "forward": ("flashinfer-cubin==0.6.4",),
        "back": ("flashinfer-python==0.6.3",),
    }


def test_the_requirement_says_as_much_as_the_fact_does() -> None:
    now = snapshot("a==2.9.1+cu128", "b==2.8.0")
    for fact, expected in (
        ("full", "b==2.9.1+cu128"),
        ("public", "b==2.9.1"),
        ("release", "b==2.9.1.*"),
        ("minor", "b==2.9.*"),
    ):
        remedy = Align(members=("a", "b"), fact=fact)
        found = planner.candidates([finding(remedy)], Situation(snapshot=now, baseline=None))
        assert words(found)["forward"] == (expected,)


def test_a_dependent_is_named_rather_than_its_victim() -> None:
    remedy = Satisfy(name="app", extras=("x",), version="1", victim="lib")
    now = snapshot("app==1", "lib==2")
    situation = Situation(snapshot=now, baseline=None)
    assert words(planner.candidates([finding(remedy)], situation)) == {"forward": ("app[x]==1",)}


def test_where_the_victim_moved_forward_lets_the_dependent_follow() -> None:
    remedy = Satisfy(name="app", extras=(), version="1", victim="lib")
    situation = Situation(
        snapshot=snapshot("app==1", "lib==2"), baseline=snapshot("app==1", "lib==1")
    )
    assert words(planner.candidates([finding(remedy)], situation)) == {
        "forward": ("app", "lib==2"),
        "back": ("app==1",),
    }


def test_several_findings_become_one_candidate() -> None:
    other = Satisfy(name="app", extras=(), version="1", victim="lib")
    now = snapshot("flashinfer-python==0.6.4", "flashinfer-cubin==0.6.3", "app==1")
    found = planner.candidates(
        [finding(ALIGN, Remove(name="flashinfer-cubin")), finding(other)],
        Situation(snapshot=now, baseline=None),
    )
    assert words(found)["remove"] == ("app==1", "-flashinfer-cubin")


def test_a_finding_without_a_remedy_makes_no_candidate() -> None:
    assert planner.candidates([finding()], Situation(snapshot=BROKEN, baseline=None)) == ()


def test_a_name_or_version_that_is_no_requirement_makes_no_candidate() -> None:
    hostile = snapshot("a==$(touch x)", "b==1; rm")
    remedy = Align(members=("a", "b"), fact="full")
    situation = Situation(snapshot=hostile, baseline=None)
    assert planner.candidates([finding(remedy)], situation) == ()
    satisfy = Satisfy(name="--index-url=x", extras=(), version="1", victim="b")
    assert planner.candidates([finding(satisfy)], situation) == ()


def test_amending_lets_whoever_stands_in_the_way_move() -> None:
    new = finding(Satisfy(name="vllm", extras=(), version="0.17.0", victim="flashinfer-python"))
    back = Candidate(direction=Direction.BACK, requirements=("flashinfer-python==0.6.3",))
    with_vllm = snapshot("flashinfer-python==0.6.3", "flashinfer-cubin==0.6.3", "vllm==0.17.0")
    baseline = snapshot("flashinfer-python==0.6.3", "flashinfer-cubin==0.6.3", "vllm==0.16.0")
    amended = planner.amend(back, [new], Situation(snapshot=with_vllm, baseline=baseline))
    assert amended is not None
    assert amended.requirements == ("flashinfer-python==0.6.3", "vllm==0.16.0")
    amended = planner.amend(back, [new], Situation(snapshot=with_vllm, baseline=None))
    assert amended is not None
    assert amended.requirements == ("flashinfer-python==0.6.3", "vllm")
    again = planner.amend(amended, [new], Situation(snapshot=with_vllm, baseline=None))
    assert again is None


def test_a_bare_name_is_pinned_to_what_uv_chose() -> None:
    candidate = Candidate(direction=Direction.BACK, requirements=("a==1", "vllm", "stays"))
    moves = (Move(name="vllm", before="2", after="1"),)
    assert planner.pin(candidate, moves).requirements == ("a==1", "vllm==1", "stays")


def test_a_projection_keeps_replaces_adds_and_drops() -> None:
    now = snapshot(distribution("a==1", requires=("b",)), "b==1", "c==1")
    moves = (
        Move(name="a", before="1", after="2"),
        Move(name="b", before="1", after=None),
        Move(name="d", before=None, after="1"),
    )
    projection = project(now, moves, None)
    assert [(item.name, item.version) for item in projection.distributions] == [
        ("a", "2"),
        ("c", "1"),
        ("d", "1"),
    ]
    assert projection.distributions[0].requires is None


def test_a_projection_knows_the_requirements_of_what_the_baseline_had() -> None:
    before = snapshot(distribution("a==1", requires=("b",)))
    moves = (Move(name="a", before="2", after="1"),)
    projection = project(snapshot("a==2"), moves, before)
    assert projection.distributions[0].requires == ("b",)


def test_what_would_be_installed_from_a_source_tree_has_no_version() -> None:
    moves = (Move(name="a", before="1", after=None, known=False),)
    (projected,) = project(snapshot("a==1"), moves, None).distributions
    assert projected.version == ""


def test_the_direction_asked_for_comes_first_then_the_fewest_moves() -> None:
    def plan(direction: Direction, count: int) -> Plan:
        moves = tuple(Move(name=f"n{at}", before="1", after="2") for at in range(count))
        return Plan(direction=direction, moves=moves, commands=(), shell="")

    plans = [plan(Direction.REMOVE, 1), plan(Direction.BACK, 3), plan(Direction.FORWARD, 1)]
    assert [item.direction.value for item in planner.rank(plans, None)] == [
        "forward",
        "remove",
        "back",
    ]
    assert planner.rank(plans, Direction.BACK)[0].direction is Direction.BACK
