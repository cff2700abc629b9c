"""Laws of text: nothing that a terminal could obey, and nothing that a shell could."""

import shlex
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from envaudit.render.style import Style, escape

ANYTHING = st.text(alphabet=st.characters(codec=None, exclude_categories=()))


@given(ANYTHING)
def test_what_is_shown_holds_no_character_that_a_terminal_obeys(text: str) -> None:
    for shown in (escape(text), Style().paint(text, "strong")):
        assert not [
            character
            for character in shown
            if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
        ]
        assert "\n" not in shown


@given(ANYTHING)
def test_what_is_harmless_stands_as_it_is(text: str) -> None:
    assert escape(escape(text)) == escape(text)


@given(st.lists(st.text(), min_size=1))
def test_a_printed_command_is_read_back_as_it_was_meant(words: list[str]) -> None:
    assert shlex.split(shlex.join(words)) == words
