"""The check ``leftover``."""

from envaudit.model.distribution import Remnant, RemnantKind
from envaudit.model.finding import Clear
from tests.kit.builders import snapshot
from tests.kit.judging import judge, told

SITE = "lib/python3.11/site-packages"
RECORD = Remnant(
    folder=f"{SITE}/~ix-1.15.0.dist-info", kind=RemnantKind.LEFTOVER, name="six", version="1.15.0"
)
LOOSE = Remnant(folder=f"{SITE}/~ix.py", kind=RemnantKind.LEFTOVER)


def test_leftovers_of_one_removal_are_one_finding() -> None:
    (finding, _) = judge(snapshot("six==1.16.0", remnants=(RECORD, LOOSE)))

    assert (finding.severity.value, finding.distributions) == ("warning", ("six",))
    assert finding.remedies == (Clear(paths=(RECORD.folder, LOOSE.folder)),)


def test_where_nothing_else_of_it_is_installed_it_is_an_error_and_comes_back() -> None:
    finding = judge(snapshot(remnants=(RECORD, LOOSE)))[0]

    assert (finding.code, finding.severity.value) == ("leftover", "error")
    assert finding.remedies == (
        Clear(paths=(RECORD.folder, LOOSE.folder), name="six", version="1.15.0"),
    )


def test_every_kind_of_remnant_is_said() -> None:
    remnants = tuple(
        Remnant(folder=f"{SITE}/{kind.value}-1.dist-info", kind=kind) for kind in RemnantKind
    )

    assert len(told(judge(snapshot("six==1", remnants=remnants)))) == len(RemnantKind)


def test_an_egg_beside_a_record_that_names_nothing_is_another_thing() -> None:
    """Such an egg may be in use: setuptools puts it on the path when it is asked for."""
    torn = Remnant(folder=f"{SITE}/foo-.dist-info", kind=RemnantKind.NAMELESS, name="foo")
    egg = Remnant(folder=f"{SITE}/foo-1.0.egg", kind=RemnantKind.UNREACHABLE, name="foo")

    found = judge(snapshot("six==1", remnants=(torn, egg)))

    assert [(item.severity.value, item.remedies) for item in found if item.code == "leftover"] == [
        ("warning", (Clear(paths=(torn.folder,)),)),
        ("info", (Clear(paths=(egg.folder,)),)),
    ]
