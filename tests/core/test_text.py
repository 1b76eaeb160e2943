"""Names from files, made safe to print."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import LONGEST_NAME, printable


class TestPrintable:
    @pytest.mark.parametrize(
        ("name", "shown"),
        [
            ("query", "query"),
            ("Größe 大きさ", "Größe 大きさ"),
            ("<b>$x$</b>", "<b>$x$</b>"),
            ("a\r\nb", "a\\u000d\\u000ab"),
            ("\x1b[31m", "\\u001b[31m"),
            ("\u202egnp", "\\u202egnp"),
            ("\ud800", "\\ud800"),
            ("", ""),
        ],
    )
    def test_known(self, name, shown):
        assert printable(name) == shown

    @given(st.text(st.characters(exclude_categories=())))
    def test_always_printable_and_short(self, name):
        shown = printable(name)
        assert shown.isprintable()
        assert len(shown) <= LONGEST_NAME

    @given(st.text(st.characters(categories=["L", "N"]), max_size=LONGEST_NAME))
    def test_short_names_of_letters_stay(self, name):
        assert printable(name) == name
