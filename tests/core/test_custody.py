"""What a plan leaves alone, and what it says about it."""

from envaudit.core.custody import refuse_environment, refuse_moves
from envaudit.model.distribution import Distribution
from envaudit.model.layout import EnvironmentKind, Layout, Owner, Scope, Site
from envaudit.model.plan import Move
from envaudit.model.record_name import Form
from tests.kit.builders import distribution, snapshot

MOVE = Move(name="six", before="1.16.0", after="1.17.0")


def layout(owner: Owner | None, *sites: Site, says: str | None = None) -> Layout:
    """Return the layout of a prefix."""
    return Layout(kind=EnvironmentKind.PREFIX, owner=owner, owner_says=says, sites=sites)


def refusal(record: Distribution, *sites: Site) -> str | None:
    """Return why six must not move, if so."""
    return refuse_moves(snapshot(record, layout=layout(None, *sites)), [MOVE])


def test_an_environment_of_nobody_else_may_be_changed() -> None:
    assert refuse_environment(snapshot()) == ()
    assert refuse_environment(snapshot(layout=layout(None))) == ()
    assert refusal(distribution("six==1.16.0")) is None


def test_the_owner_of_an_environment_is_named_in_its_own_words() -> None:
    found = refuse_environment(snapshot(layout=layout(Owner.SYSTEM, says="Use apt.")))

    assert found[0].startswith("the operating system's package manager looks after this")
    assert found[1] == "it says: Use apt."


def test_in_a_conda_environment_only_conda_s_own_is_left_alone() -> None:
    before = snapshot(
        distribution("six==1.16.0", owner=Owner.CONDA),
        "idna==3.7",
        layout=layout(Owner.CONDA),
    )

    assert refuse_environment(before) == ()
    assert refuse_moves(before, [Move(name="idna", before="3.7", after="3.8")]) is None
    assert refuse_moves(before, [MOVE]) == (
        "it would change `six 1.16.0`, which conda looks after: let that change it"
    )


def test_what_uv_cannot_replace_is_left_alone() -> None:
    assert "no list of its files" in str(
        refusal(distribution("six==1.16.0", form=Form.EGG_INFO_FILE))
    )
    assert "does not see" in str(refusal(distribution("six==1.16.0", form=Form.EGG_ZIP)))


def test_what_comes_first_on_the_path_would_hide_the_cure() -> None:
    first = Site(path="/first", scope=Scope.VARIABLE)
    own = Site(path="lib/python3.11/site-packages", scope=Scope.OWN)
    base = Site(path="/usr/lib", scope=Scope.BASE)
    hiding = distribution("six==1.16.0", folder="/first/six-1.dist-info", scope=Scope.VARIABLE)
    hidden = distribution("six==1.16.0", folder="/usr/lib/six-1.dist-info", scope=Scope.BASE)

    assert "comes first on the import path" in str(refusal(hiding, first, own, base))
    assert refusal(hidden, first, own, base) is None
