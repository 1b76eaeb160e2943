"""A link met again in a page that stands, as the browser's Back brings it."""

import math

import pytest

WORDS = "divisor=banana: divisor takes a number from 0.01 to 1,000."


def back(app, **query):
    """Bring a link back into the session, as the history does: its names are bound by now."""
    app.query_params.clear()
    app.query_params.update(query)
    app.run()
    assert not app.exception, [error.value for error in app.exception]


class TestNumber:
    @pytest.mark.parametrize(
        ("given", "shown"),
        [
            ({}, "%0.4f"),
            ({"divisor": "2.5"}, "%0.4f"),
            ({"divisor": "2.123456"}, "%0.6f"),
            ({"divisor": "1.7320508075688772"}, "%0.4f"),
        ],
    )
    def test_a_field_shows_the_places_that_count(self, open_app, given, shown):
        assert open_app("divisor.py", **given).number_input("divisor").proto.format == shown

    def test_a_typed_number_is_shown_whole(self, open_app):
        app = open_app("divisor.py")
        app.number_input("divisor").set_value(2.12345).run()
        assert app.number_input("divisor").proto.format == "%0.5f"


class TestIgnored:
    def test_a_value_given_twice_is_said(self, open_app):
        app = open_app("divisor.py", divisor=["2", "3"])
        assert "divisor=2, 3: divisor takes one value, a number from" in app.text[0].value

    def test_another_word_for_present_is_said(self, open_app):
        app = open_app("divisor.py", present="yes")
        assert "present=yes: present takes 1." in app.text[0].value

    @pytest.mark.parametrize("good", [{}, {"shift": "2"}, {"shift": "2", "temperature": "1"}])
    def test_a_bad_value_is_named_again_beside_good_ones(self, open_app, good):
        app = open_app("divisor.py", divisor="banana", **good)
        back(app, divisor="banana", **good)
        assert WORDS in app.text[0].value
        assert app.number_input("divisor").value == math.sqrt(3)
        assert app.number_input("shift").value == float(good.get("shift", 0))
        assert "divisor" not in app.query_params

    @pytest.mark.parametrize("good", [{}, {"shift": "2"}])
    def test_the_page_says_what_it_shows(self, open_app, good):
        app = open_app("divisor.py", **good)
        app.number_input("divisor").set_value(5.0).run()
        back(app, divisor="banana", **good)
        assert WORDS in app.text[0].value
        assert app.number_input("divisor").value == math.sqrt(3)
        assert "divisor" not in app.query_params

    def test_a_good_half_of_a_pair_is_not_kept(self, open_app):
        app = open_app("sweep.py", sweep_keys="8")
        back(app, sweep_keys="8", widths=["8", "banana"])
        assert "widths=8, banana" in app.text[0].value
        assert app.select_slider("widths").value == (4, 1024)
        assert app.number_input("sweep_keys").value == 8
