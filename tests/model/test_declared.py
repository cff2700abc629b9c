"""What requirement lines say, told without parsing them, is what the parser would say."""

import pytest
from packaging.utils import canonicalize_name

from envaudit.core.codec import decode
from envaudit.core.infer import with_active_extras
from envaudit.model.declared import holds, needed_by_one_extra, parse_requirement
from envaudit.model.snapshot import Snapshot
from tests.kit.builders import distribution, snapshot
from tests.kit.commands import ROOT

REAL = ("vllm-0.16.0.json", "vllm-0.17.0.json")


def read(name: str) -> Snapshot:
    path = ROOT / "snapshots" / name
    return decode(path.read_text(encoding="utf-8"), at=name)


@pytest.mark.parametrize("name", REAL)
def test_what_one_extra_alone_needs_is_told_as_the_parser_tells_it(name: str) -> None:
    taken = read(name)
    markers = taken.interpreter.marker_values()
    lines = [
        text for record in taken.distributions for text in record.requires or () if "extra" in text
    ]
    told = {text: answer for text in lines if (answer := needed_by_one_extra(text)) is not None}
    assert len(told) > len(lines) * 0.8
    for text, (needed, extra) in told.items():
        parsed = parse_requirement(text)
        assert parsed is not None, text
        assert canonicalize_name(parsed.name) == needed
        assert holds(parsed, markers, extra) is True, text
        assert holds(parsed, markers, None) is False, text


@pytest.mark.parametrize(
    "text",
    [
        'a; extra == "x" or extra == "y"',
        'a; python_version < "3" and extra == "x"',
        'a; extra != "x"',
        'a b; extra == "x"',
        'a>=; extra == "x"',
        'a @ file:///a.whl; extra == "x"',
        'a; extra == "x" # remark',
        'a>=1 <2; extra == "x"',
        f'{"a" * 5000}; extra == "x"',
    ],
)
def test_every_other_line_is_left_to_the_parser(text: str) -> None:
    assert needed_by_one_extra(text) is None


@pytest.mark.parametrize("name", REAL)
def test_the_active_extras_of_the_real_environments_are_inferred_as_they_were_recorded(
    name: str,
) -> None:
    taken = read(name)
    assert any(record.active_extras for record in taken.distributions)
    assert with_active_extras(taken) == taken


@pytest.mark.parametrize(
    ("lines", "active"),
    [
        (('b; extra == "x"',), ("x",)),
        (('b; extra == "x"', 'c; extra == "x"'), ()),
        (('b; extra == "x"', 'c; python_version < "3" and extra == "x"'), ("x",)),
        (('b; extra == "x"', 'c; python_version > "3" and extra == "x"'), ()),
        (('b; extra == "x" or extra == "y"',), ("x", "y")),
        (("b",), ()),
    ],
)
def test_an_extra_is_active_when_all_that_it_alone_requires_is_installed(
    lines: tuple[str, ...], active: tuple[str, ...]
) -> None:
    taken = snapshot(distribution("a==1", requires=lines, extras=("x", "y")), distribution("b==1"))
    inferred = with_active_extras(taken)
    (record,) = (record for record in inferred.distributions if record.name == "a")
    assert record.active_extras == active
