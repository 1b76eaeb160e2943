"""The page on number formats without a browser: links, sentences, tables and its script."""

import contextlib
import io
import re

import formats_report as report
import numpy as np
import pytest
import snippets
from charts.base import DARK, LIGHT
from charts.formats import FLOOR, chance_figure, limits_figure
from scipy.stats import norm

from core.format_softmax import softmax_in_format
from core.formats import FORMATS

VIEW = "formats.py"
SPACE = "\N{NO-BREAK SPACE}"


def text(app):
    return "\n".join(element.value for element in app.markdown)


class TestDefaults:
    def test_twelve_overflows_float16_and_the_maximum_mends_it(self, open_app):
        page = text(open_app(VIEW))
        # ln 65,520: half a step past the largest number.
        assert "becomes ∞ from a score of 11.09" in page
        assert "Your largest raw score is 12 in float16 and passes the upper end" in page
        assert re.search(r"\| float16 \| \[NaN, 0, 0\] \| \[1, <0\.001, <0\.001\] \|", page)
        assert re.search(r"\| float32 \| \[>0\.999, .*\|", page)
        assert "passes float16’s end is 8.20\N{NO-BREAK SPACE}%" in page

    def test_the_scaled_chance_waits_for_the_guess(self, open_app):
        assert "Scaled, it is" not in text(open_app(VIEW))
        page = text(open_app(VIEW, formats_guess="about half"))
        assert "You said “about half”; it is “below one in a million”." in page
        assert "Scaled, it is" in page


class TestLinks:
    @pytest.mark.parametrize("value", ["banana", "0", "-1", "nan", "1e999"])
    def test_a_bad_value_is_named_and_the_default_stands(self, open_app, value):
        app = open_app(VIEW, format_scale=value, number_format=value, format_width=value, tau="1")
        said = app.text[0].value
        for name in ("format_scale", "number_format", "format_width"):
            assert f"{name}={value}: {name} takes" in said
        assert "“tau” is not a control" in said
        assert app.number_input("format_scale").value == 4.0


class TestSentences:
    @pytest.mark.parametrize(
        ("scale", "name"),
        [
            (0.1, "float64"),
            (1e4, "bfloat16"),
            (30.0, "float32"),
            # 88.74 lies past bfloat16's end, and is held as 88.5; 11.09 is held as 11.094.
            (29.58, "bfloat16"),
            (3.69666, "float16"),
        ],
    )
    def test_are_true_at_the_ends(self, open_app, scale, name):
        app = open_app(
            VIEW,
            format_scale=str(scale),
            number_format=name,
            format_width="4",
            formats_guess="Just show me",
        )
        page = text(app)
        naive = softmax_in_format(3 * np.array([scale]), name, subtract_maximum=False)
        assert ("passes the upper end" in page) == bool(naive.n_overflowed)
        assert "100\N{NO-BREAK SPACE}%" not in page
        assert not re.search(r"chance .* is 0(\.0+)?\s%", page)

    @pytest.mark.parametrize(("scale", "saturated"), [(0.1, False), (4.0, True)])
    def test_saturation_is_named_where_there_is_any(self, scale, saturated):
        page = report.sentences(report.seen(scale, 1024), "float16", 1024, revealed=False)
        assert ("mends no saturation" in page) == saturated
        assert "dₖ = 1,024" in page
        assert "√1,024" in page

    def test_every_chance_is_in_percent(self):
        assert report.share(4.987e-5) == f"0.00499{SPACE}%"
        assert report.share(8.02e-264) == f"8.02{SPACE}×{SPACE}10⁻²⁶²{SPACE}%"
        assert report.share(0.0) == f"<10⁻³⁰⁰{SPACE}%"
        assert report.share(0.082) == f"8.20{SPACE}%"


class TestNumbers:
    def test_chances_of_the_random_model(self):
        found = [report.chance(w, "float16") for w in (16, 32, 64, 128)]
        np.testing.assert_allclose(found, [0.0043, 0.026, 0.082, 0.163], rtol=0.012)
        # At large width a score is all but normal.
        assert report.chance(1024, "float16") == pytest.approx(norm.sf(11.09 / 32), rel=2e-3)

    def test_most_drawn_shares_hold_the_exact_chance(self):
        seen = report.drawn("float16", 3)
        exact = [report.chance(w, "float16") for w in report.WIDTHS]
        held = (seen.low <= exact) & (exact <= seen.high)
        assert held.sum() >= len(exact) - 1

    def test_what_became_infinite_says_that_the_sum_is_counted(self):
        printed = report.numbers(report.seen(4.0, 64).formats)[0].set_index("format")
        assert printed["of 3 eˢ and their sum ∞, naive"]["float16"] == "2"

    def test_limits_and_sentinels(self):
        frame = report.limits().set_index("format")
        assert frame["eˢ is ∞ from"].tolist() == ["11.09", "88.72", "88.72", "709.78"]
        assert frame["−1e9 becomes"]["float16"] == "−∞"
        assert "∞" not in "".join(frame["−1e4 becomes"])

    def test_query_first_differs_by_rounding_only(self):
        frame = report.query_first()
        for name, gap in zip(frame["format"], frame["largest difference"], strict=True):
            number = float(gap.split(" ")[0]) if "×" not in gap else 0.0
            assert number <= 4 * FORMATS[name].epsilon

    def test_the_guess_is_computed(self):
        assert report.right_guess() == report.LESS[2]
        assert report.chance(64, "float16", scaled=True) < 1e-6


class TestCharts:
    @pytest.mark.parametrize("palette", [LIGHT, DARK])
    def test_ends_stand_where_the_format_ends(self, palette):
        fig = limits_figure(palette, [12.0], [1.5], chosen="float16")
        ends = {shape.x1 for shape in fig.layout.shapes}
        assert FORMATS["float16"].exp_overflow in ends
        assert sum("<b>" in a.text for a in fig.layout.annotations) == 1

    def test_off_the_axis_an_arrow_is_in_the_bar_only_if_the_exponential_fits(self):
        fig = limits_figure(LIGHT, [600.0, -800.0, 90.0], [0.0], chosen="float64")
        of_float64 = [shape for shape in fig.layout.shapes if shape.y0 == -0.22]
        start, end = min(s.x0 for s in of_float64), max(s.x1 for s in of_float64)
        fits, passed, near = fig.data[0].x[:3]
        assert 120 < fits < end
        assert fig.layout.xaxis.range[0] < passed < start
        assert near == 90
        symbols = fig.data[0].marker.symbol[:3]
        assert symbols == ("triangle-right", "triangle-left", "circle")
        # Its row of float16 is the last; there 600 does not fit.
        assert end < fig.data[0].x[-3] < fig.layout.xaxis.range[1]
        assert "▶" in fig.layout.xaxis.title.text
        plain = limits_figure(LIGHT, [12.0], [1.5], chosen="float64")
        assert "▶" not in plain.layout.xaxis.title.text

    @pytest.mark.parametrize(
        ("name", "said"), [("float16", "drawn; line"), ("float64", "below 0.0001 % at all widths")]
    )
    def test_an_empty_chart_says_why(self, name, said):
        exact = report.chances(name)[0]
        fig = chance_figure(
            LIGHT, report.CURVE, exact, None, report.WIDTHS, report.drawn(name, 1),
            name=name, width=64,
        )  # fmt: skip
        assert said in fig.layout.annotations[1].text

    def test_the_scaled_curve_is_drawn_only_if_given(self):
        raw, scaled = report.chances("float16")
        seen = report.drawn("float16", 1)
        sizes = [
            len(
                chance_figure(
                    LIGHT, report.CURVE, raw, given, report.WIDTHS, seen, name="float16", width=64
                ).data
            )
            for given in (None, scaled)
        ]
        assert sizes == [2, 3]
        assert raw.min() >= 0
        assert FLOOR == 1e-6

    def test_every_fold_opens(self, open_app):
        app = open_app(VIEW, format_scale="9")
        for name in ("Limits, and sentinels that do not fit", "Dividing the query first",
                     "The chances as a table", "The numbers as a table", "Show the NumPy",
                     "Link to this state"):  # fmt: skip
            app.session_state[f"fold {name}"] = True
        app.run()
        assert not app.exception
        assert len(app.table) == 4
        assert any("format_scale=9" in code.value for code in app.code)


class TestSnippet:
    @pytest.mark.parametrize("name", ["float16", "float32", "float64"])
    def test_gives_cores_weights(self, name):
        script = snippets.render("formats", scale=5.0, d_k=64, format_name=name, seed=2)
        names = {}
        with contextlib.redirect_stdout(io.StringIO()):
            exec(script, names)
        scores = 5.0 * np.array(report.SCORES)
        tolerance = 4 * FORMATS[name].epsilon
        for form, subtract in (("naive", False), ("stable", True)):
            core = softmax_in_format(scores, name, subtract_maximum=subtract)
            np.testing.assert_allclose(names[form], core.weights, atol=tolerance)
        assert names["boundary"] == pytest.approx(FORMATS[name].exp_overflow, abs=3e-4)
        assert names["raw_share"] == pytest.approx(report.chance(64, name), abs=0.025)
