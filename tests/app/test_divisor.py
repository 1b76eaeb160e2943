"""The divisor page without a browser: odd links, true sentences, its script."""

import contextlib
import io
import math
import re

import numpy as np
import pytest
import snippets
from live import SCORES, table

from core.divisor import DIVISORS, divide

VIEW = "divisor.py"
SPACE = "\N{NO-BREAK SPACE}"


def text(app):
    return "\n".join(element.value for element in app.markdown)


class TestDefaults:
    def test_an_entropy_never_reads_as_above_its_ceiling(self, open_app):
        app = open_app(VIEW, divisor="1000")
        said = "\n".join(element.value for element in app.markdown)
        assert f"is 1.099{SPACE}nats of at most ln 3 = 1.099{SPACE}nats" in said

    def test_opens_at_the_square_root(self, open_app):
        app = open_app(VIEW)
        assert app.number_input("divisor").value == math.sqrt(3)
        assert app.number_input("shift").value == 0
        assert "0.766\N{NO-BREAK SPACE}nats" in text(app)

    def test_says_nothing_of_a_good_link(self, open_app):
        app = open_app(VIEW, divisor="2", shift="1.5")
        assert app.number_input("divisor").value == 2
        assert app.number_input("shift").value == 1.5
        assert not app.text


class TestOddLinks:
    @pytest.mark.parametrize(
        "value", ["banana", "0", "-1", "nan", "inf", "1e999", "1e-9", "1001", "", "1,5", "<b>2</b>"]
    )
    def test_a_bad_divisor_is_named_and_the_default_stands(self, open_app, value):
        app = open_app(VIEW, divisor=value)
        assert app.number_input("divisor").value == math.sqrt(3)
        assert f"divisor={value}: divisor takes a number from 0.01 to 1,000." in app.text[0].value

    def test_two_values_are_one_too_many(self, open_app):
        app = open_app(VIEW, divisor=["2", "3"])
        assert "divisor=2, 3" in app.text[0].value

    def test_an_unknown_name_is_named(self, open_app):
        app = open_app(VIEW, temperature="2")
        assert "“temperature” is not a control of this page." in app.text[0].value

    def test_an_unknown_guess_is_named(self, open_app):
        app = open_app(VIEW, divisor_guess="everything")
        assert "divisor_guess=everything" in app.text[0].value

    def test_a_link_arrives_revealed(self, open_app):
        app = open_app(VIEW, divisor_guess="over 85 %")
        assert "is right. Undivided, key 1 gets 86.7" in text(app)


class TestSentences:
    @pytest.mark.parametrize("divisor", [0.01, 0.25, 1.0, 2.0, 3.0, 10.0, 1000.0])
    @pytest.mark.parametrize("shift", [0.0, -7.5])
    def test_the_numbers_are_the_divided_rows(self, open_app, divisor, shift):
        page = text(open_app(VIEW, divisor=str(divisor), shift=str(shift)))
        weights = np.exp(SCORES / divisor - SCORES.max() / divisor)
        weights /= weights.sum()
        for w in weights:
            if 0.001 <= w <= 0.999:
                assert f"{100 * w:.1f}\N{NO-BREAK SPACE}%" in page
        assert "100\N{NO-BREAK SPACE}%" not in page
        assert " 0\N{NO-BREAK SPACE}%" not in page
        assert not re.search(r"(?<!\d)0\.000(?!\d)", page)


class TestLiveTable:
    def test_every_position_replays_its_row_of_core(self):
        rows = table(0.0, dark=False)["rows"]
        assert len(rows) == len(DIVISORS)
        for shown, divisor in zip(rows, DIVISORS, strict=True):
            expected = divide(SCORES, float(divisor))
            np.testing.assert_allclose(shown["weights"], expected.weights, atol=1e-5)
            np.testing.assert_allclose(shown["share"], expected.entropy / math.log(3), atol=1e-5)

    def test_marks_are_positions(self):
        marks = table(0.0, dark=False)["marks"]
        reached = [DIVISORS[mark["index"]] for mark in marks]
        np.testing.assert_allclose(reached, [1, math.sqrt(3), 3], rtol=1e-15)


class TestScript:
    @pytest.mark.parametrize(("divisor", "shift"), [(math.sqrt(3), 0.0), (0.3, -4.0), (9.0, 50.0)])
    def test_gives_the_numbers_of_the_page(self, divisor, shift):
        names: dict[str, np.ndarray] = {}
        with contextlib.redirect_stdout(io.StringIO()):
            exec(snippets.render("divisor", divisor=divisor, shift=shift), names)
        row = divide(SCORES, divisor, shift=shift)
        np.testing.assert_allclose(names["weights"], row.weights, rtol=1e-12)
        np.testing.assert_allclose(names["entropy"], row.entropy, rtol=1e-12)
