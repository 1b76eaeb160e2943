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


class TestIgnored:
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
