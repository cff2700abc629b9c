"""Escaping: whatever comes from an environment, a terminal obeys none of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envaudit.render.style import Style, escape


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "\\x1b[2J"),
        ("\x9b2J", "\\x9b2J"),
        ("a\nb", "a\\nb"),
        ("a\rb", "a\\rb"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("\udc80", "\\udc80"),
        ("\u2028", "\\u2028"),
        ("no\u00a0break", "no\\xa0break"),
        ("::error::x", "\\x3a:error::x"),
        ("  ::error::x", "  \\x3a:error::x"),
        ("a ##[error]x", "a \\x23#[error]x"),
        ("http://[::1]/ a::b # c", "http://[::1]/ a::b # c"),
        ("é 中", "é 中"),
    ],
)
def test_what_a_terminal_could_obey_is_spelled_out(text: str, shown: str) -> None:
    assert escape(text) == shown


@given(st.text(st.characters(codec=None)))
def test_whatever_the_text_one_printable_line_is_left(text: str) -> None:
    assert escape(text).isprintable()
    assert not escape(text).lstrip().startswith("::")
    assert "##[" not in escape(text)


@given(st.text(st.characters(codec=None)))
def test_colour_adds_only_its_own_escapes(text: str) -> None:
    assert Style(colour=True).paint(text, "good") == f"\x1b[1;32m{escape(text)}\x1b[0m"
