"""Marshalled code by its meaning."""

import marshal
import py_compile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envaudit.core.marshalled import UnparsableError, understand

SOURCE = '''
import os
def f(a, /, b, *, c=1.5, d=2j, e=10**30):
    """Doc with é and \N{SNOWMAN}."""
    return [x for x in (a, b, ..., None, True, b"bytes", -5)] if c in {"one", "two", 3} else (d, e)
class K:
    async def g(self):
        return f"{self!r}", {"one": 1, **{}}, self.h[1:2]
'''
KINDS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.tuples(inner, inner) | st.frozensets(st.text() | st.integers()),
)


def test_the_same_source_means_the_same_under_another_name_and_another_does_not() -> None:
    one = understand(marshal.dumps(compile(SOURCE, "one.py", "exec")))

    assert understand(marshal.dumps(compile(SOURCE, "two/three.py", "exec"))) == one
    other = SOURCE.replace("-5", "-6")
    assert understand(marshal.dumps(compile(other, "one.py", "exec"))) != one


def test_every_module_of_the_standard_library_means_what_it_compiles_to(tmp_path: Path) -> None:
    folder = Path(py_compile.__file__).parent
    for source in sorted(folder.glob("[a-d]*.py")):
        cached = tmp_path / f"{source.stem}.pyc"
        py_compile.compile(str(source), str(cached), doraise=True, optimize=0)
        fresh = marshal.dumps(compile(source.read_bytes(), "x", "exec", dont_inherit=True))
        assert understand(cached.read_bytes()[16:]) == understand(fresh), source


@given(st.tuples(KINDS))
def test_references_do_not_matter(constant: tuple[Any, ...]) -> None:
    assert understand(marshal.dumps((constant, constant), 2)) == understand(
        marshal.dumps((constant, constant))
    )


@given(st.binary())
def test_bytes_that_are_no_code_raise_one_error(content: bytes) -> None:
    try:
        understand(content)
    except UnparsableError:
        return


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"N" + b"N",
        b"r\x00\x00\x00\x00",
        b"r\xff\xff\xff\xff",
        b"(\xff\xff\xff\x7f",
        b"(\xff\xff\xff\xff",
        b"s\xff\xff\xff\x7f",
        b")\x01" * 100_000,
        marshal.dumps([1]),
    ],
)
def test_hostile_bytes_are_refused(content: bytes) -> None:
    with pytest.raises(UnparsableError):
        understand(content)


def test_references_upon_references_cost_no_more_than_their_bytes() -> None:
    """Each pair holds the one before it twice: spelled out, it would be 2**100 objects."""
    inner: Any = ()
    for _ in range(100):
        inner = (inner, inner)
    pairs = marshal.dumps(inner)

    assert understand(b">\x01\x00\x00\x00" + pairs) != understand(pairs)
