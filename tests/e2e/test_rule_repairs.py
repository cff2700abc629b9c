"""What ``fix`` finds for each kind of rule, with real uv: the printed command ends the finding."""

import os
from pathlib import Path

import pytest

from tests.kit.commands import ask, envaudit
from tests.kit.environments import find_site, install, list_versions, make_environment, run
from tests.kit.wheels import Wheel, build_wheel

POLICY = '[policy]\nname = "team"\n\n[[rule]]\nid = "r"\nreason = "r"\n'
SHARED = "shared/__init__.py"


@pytest.fixture
def many(index: Path) -> Path:
    """Build wheels of several versions, and two that own one file."""
    for name, version in (("a", "1"), ("a", "2"), ("b", "1"), ("b", "2"), ("c", "1")):
        build_wheel(Wheel(name, version), index)
    build_wheel(Wheel("plain", "1", modules={SHARED: "WHO = 'plain'\n"}), index)
    build_wheel(Wheel("plain-gpu", "1", modules={SHARED: "WHO = 'gpu'\n"}), index)
    return index


def repair(
    rule: str, folder: Path, wheels: Path, *pins: str, prefer: str | None = None
) -> dict[str, str]:
    """Install ``pins``, find what ``rule`` says, run what ``fix`` prints; return the versions."""
    environment = make_environment(folder / "environment")
    for pin in pins:
        install(environment, pin, index=wheels)
    (folder / "team.toml").write_text(POLICY + rule)
    judged = ("--policy", folder / "team.toml", "--no-builtin-policies", "--python", environment)
    assert envaudit("check", *judged).code == 1
    way = () if prefer is None else ("--direction", prefer)
    report = ask("fix", *judged, *way, "--", "--no-index", "--find-links", str(wheels))
    assert report["plan"] is not None, report["rejected"]
    assert run("/bin/sh", "-c", report["plan"]["shell"], variables=os.environ).code == 0
    assert envaudit("check", *judged).code == 0
    return list_versions(environment)


@pytest.mark.parametrize(
    ("rule", "pins", "prefer", "expected"),
    [
        ('when = "a>=2"\nthen = "b>=2"\n', ("a==2", "b==1"), None, {"a": "2", "b": "2"}),
        ('when = "a>=2"\nthen = "b>=2"\n', ("a==2", "b==1"), "back", {"a": "1", "b": "1"}),
        ('when = "a==1"\n', ("a==1",), None, {"a": "2"}),
        ('when = "a"\nneeds = "c"\n', ("a==1",), None, {"a": "1", "c": "1"}),
        ('forbid = "c"\n', ("a==1", "c==1"), None, {"a": "1"}),
        ('forbid = "a==2"\n', ("a==2",), None, {"a": "1"}),
        (
            'compare = "a == b"\nremedies = ["lower a"]\n',
            ("a==2", "b==1"),
            None,
            {"a": "1", "b": "1"},
        ),
        (
            'compare = "a == b"\nremedies = ["raise b"]\n',
            ("a==2", "b==1"),
            None,
            {"a": "2", "b": "2"},
        ),
    ],
)
def test_the_printed_command_ends_the_finding(
    rule: str,
    pins: tuple[str, ...],
    prefer: str | None,
    expected: dict[str, str],
    tmp_path: Path,
    many: Path,
) -> None:
    assert repair(rule, tmp_path, many, *pins, prefer=prefer) == expected


def test_of_two_rivals_the_loser_goes_and_the_files_of_the_other_come_back(
    tmp_path: Path, many: Path
) -> None:
    rule = 'exclusive = ["plain", "plain-gpu"]\nkeep = "plain-gpu"\n'
    versions = repair(rule, tmp_path, many, "plain-gpu==1", "plain==1")
    assert versions == {"plain-gpu": "1"}
    text = (find_site(tmp_path / "environment") / SHARED).read_text()
    assert text == "WHO = 'gpu'\n"


@pytest.mark.parametrize(
    ("upper", "others"),
    [
        (Wheel("layer-top", "1", requires=("layer-base",), modules={SHARED: "WHO = 'top'\n"}), ()),
        (
            Wheel("layer-cu13", "1", modules={SHARED: "WHO = 'cu13'\n"}),
            (
                Wheel("layer-all", "1", requires=("layer-base", "layer-cu13")),
                Wheel("torch", "2.11.0+cu130"),
            ),
        ),
    ],
)
def test_of_two_that_lie_over_each_other_by_design_the_upper_comes_back(
    upper: Wheel, others: tuple[Wheel, ...], tmp_path: Path, index: Path
) -> None:
    lower = Wheel("layer-base", "1", modules={SHARED: "WHO = 'base'\n"})
    environment = make_environment(tmp_path / "environment")
    for wheel in (upper, lower, *others):  # the lower one last, over the upper one
        build_wheel(wheel, index)
        install(environment, wheel.name, index=index, flags=("--no-deps",))
    judged = ("--no-builtin-policies", "--python", environment)
    assert envaudit("check", *judged).code == 1
    report = ask("fix", *judged, "--", "--no-index", "--find-links", str(index))
    assert report["plan"] is not None, report["rejected"]
    assert run("/bin/sh", "-c", report["plan"]["shell"], variables=os.environ).code == 0
    assert envaudit("check", *judged).code == 0
    assert "base" not in (find_site(environment) / SHARED).read_text()
    assert list_versions(environment).keys() >= {"layer-base", upper.name}


def test_an_index_of_the_rule_is_looked_on_for_the_one_that_it_is_for(
    tmp_path: Path, index: Path
) -> None:
    for wheel in (Wheel("a", "1"), Wheel("b", "2"), Wheel("c", "1")):
        build_wheel(wheel, index)
    build_wheel(Wheel("c", "2", modules={"c.py": "FROM = 'where it always is'\n"}), index)
    for wheel in (Wheel("a", "2"), Wheel("c", "2", modules={"c.py": "FROM = 'the vendor'\n"})):
        folder = tmp_path / "vendor" / wheel.name
        name = build_wheel(wheel, folder).name
        (folder / "index.html").write_text(f'<a href="{name}">{name}</a>')
    environment = make_environment(tmp_path / "environment")
    install(environment, "a==1", "b==2", "c==1", index=index)
    url = (tmp_path / "vendor").as_uri()
    rule = (
        f'compare = "a == b"\nremedies = ["raise a", "index a {url}"]\n'
        '[[rule]]\nid = "s"\nreason = "r"\nwhen = "b>=2"\nthen = "c>=2"\n'
    )
    (tmp_path / "team.toml").write_text(POLICY + rule)
    judged = ("--policy", tmp_path / "team.toml", "--no-builtin-policies", "--python", environment)
    report = ask("fix", *judged, "--", "--find-links", str(index))
    common, special = report["plan"]["commands"]
    assert "--index" not in common
    assert "--index" in special
    assert special[-1] == "a>1,==2"
    assert run("/bin/sh", "-c", report["plan"]["shell"], variables=os.environ).code == 0
    assert list_versions(environment) == {"a": "2", "b": "2", "c": "2"}
    assert "always" in (find_site(environment) / "c.py").read_text()
