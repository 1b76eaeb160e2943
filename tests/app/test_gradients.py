"""The gradients page without a browser: odd links, true sentences, its charts and its script."""

import contextlib
import io
import math
import re

import gradients_report as report
import numpy as np
import pytest
import snippets
from charts.base import DARK, LIGHT
from charts.gradient_curve import DIVISORS, divisor_figure
from charts.gradients import FLOOR, describe_norms, norm, norms_figure, saturated_figure
from controls_prove import GRADIENT_WIDTHS

from core.jacobian import jacobian_norm_from_scores, softmax_jacobian
from core.softmax import softmax

VIEW = "gradients.py"
SPACE = "\N{NO-BREAK SPACE}"
ROW = [3.0, 1.0, -1.0]


def text(app):
    return "\n".join(element.value for element in app.markdown)


def formula(app):
    return "\n".join(element.value for element in app.latex)


def number(pattern, page):
    """The number at the group of a pattern that the page must have."""
    return float(re.search(pattern, page)[1])


class TestDefaults:
    def test_three_keys_at_width_64(self, open_app):
        page = text(open_app(VIEW))
        # The raw and the scaled median that this model is known by: 0.009 and 0.437.
        assert number(r"median ‖J‖ is ([\d.]+) \(95 %", page) == pytest.approx(
            0.009, abs=5e-4 + 1e-9
        )
        assert number(r"raw and ([\d.]+) \(95 %", page) == pytest.approx(0.437, abs=1.5e-3)
        assert number(r"their median ‖J/τ‖ is ([\d.]+)\.", page) == pytest.approx(0.0546, abs=2e-4)
        assert "τ = √dₖ = 8" in page

    @pytest.mark.parametrize("n_keys", [3, 64])
    def test_a_guess_whose_answer_is_drawn_says_so(self, open_app, n_keys):
        app = open_app(VIEW, gradient_keys=str(n_keys))
        captions = [caption.value for caption in app.caption]
        assert (report.SHOWN in captions) == (n_keys == 64)

    def test_sixty_four_keys_are_kept_for_after_the_guess(self, open_app):
        assert "Choose 64 keys to see it" in text(open_app(VIEW))
        page = text(open_app(VIEW, gradients_guess="smaller still"))
        assert "You said “smaller still”; it is “as large as scaled”." in page
        found = re.search(
            r"the medians are ([\d.]+) raw and ([\d.]+) scaled; at width 256, ([\d.]+) and", page
        )
        np.testing.assert_allclose(
            [float(x) for x in found.groups()], [0.2, 0.18, 0.024], atol=5e-3
        )

    def test_the_fixed_row(self, open_app):
        page = text(open_app(VIEW, gradient_divisor="8"))
        for said in (
            "peaks at τ = 1.27 with 0.226",
            "With no scaling, τ = 1, it is 0.213",
            "‖J/τ‖ is 0.0709 at τ = 0.5",
            "brings ‖J/τ‖ down to 0.0583",
            "At τ = 8, ‖J‖ is 0.466 and ‖J/τ‖ is 0.0583",
        ):
            assert said in page

    def test_says_what_is_promised_and_what_is_not(self, open_app):
        page = text(open_app(VIEW))
        assert "Raw gradients do not explode" in page
        assert "Nor do they always vanish" in page
        assert "Scaling moderates saturation; it guarantees no healthy gradients" in page
        assert "Larger divisors do not saturate" in page

    def test_says_nothing_of_a_good_link(self, open_app):
        app = open_app(
            VIEW,
            gradient_keys="64",
            gradient_of="J/τ",
            gradient_width="256",
            gradient_seed="7",
            gradient_divisor="0.5",
        )
        assert app.selectbox("gradient_keys").value == 64
        assert app.number_input("gradient_seed").value == 7
        assert app.number_input("gradient_divisor").value == 0.5
        assert not app.text


class TestOddLinks:
    @pytest.mark.parametrize("value", ["banana", "0", "-1", "nan", "1e999", "101", ""])
    def test_a_bad_value_is_named_and_the_default_stands(self, open_app, value):
        app = open_app(VIEW, gradient_divisor=value, gradient_keys=value, gradient_width=value)
        assert app.number_input("gradient_divisor").value == math.sqrt(3)
        assert app.selectbox("gradient_keys").value == 3
        said = app.text[0].value
        assert f"gradient_divisor={value}: gradient_divisor takes a number from 0.1 to 100." in said
        assert f"gradient_keys={value}: gradient_keys takes one of 2, 3, 4" in said
        assert f"gradient_width={value}: gradient_width takes a step from 4 to 4096." in said

    def test_unknown_names_and_choices_are_named(self, open_app):
        said = open_app(VIEW, tau="2", gradient_of="JJ", gradients_guess="no").text[0].value
        assert "“tau” is not a control" in said
        assert "gradient_of=JJ: gradient_of takes one of J, J/τ." in said
        assert "gradients_guess=no" in said


class TestSentences:
    @pytest.mark.parametrize(
        ("n_keys", "width", "divisor"), [(2, 4096, 0.1), (512, 4, 100.0), (12, 1024, 1.0)]
    )
    def test_are_true_at_the_ends(self, open_app, n_keys, width, divisor):
        app = open_app(
            VIEW,
            gradient_keys=str(n_keys),
            gradient_width=str(width),
            gradient_divisor=str(divisor),
            gradients_guess="Just show me",
        )
        page = text(app)
        i = GRADIENT_WIDTHS.index(width)
        found = report.norms(n_keys, 1)
        assert f"median ‖J‖ is {norm(found.raw.median[i])} (95 %" in page
        assert f"median ‖J/τ‖ is {norm(found.scaled_gradient.median[i])}." in page
        row = float(jacobian_norm_from_scores(ROW, divisor=divisor))
        assert f"and ‖J/τ‖ is {norm(row)}." in page
        assert "100\N{NO-BREAK SPACE}%" not in page
        assert not re.search(r"(?<!\d)0\.0+(?!\d)", page + formula(app))

    def test_no_share_of_rows_is_written_as_zero_percent(self, open_app):
        page = text(open_app(VIEW, gradient_keys="512", gradient_width="64"))
        assert "scaled" in page
        assert re.search(r"Rows with a weight above 0\.9: [\d.]+\s% raw, none scaled\.", page)

    def test_no_mean_is_denied_only_where_rows_spread_over_powers_of_ten(self):
        assert "spans 6 powers of ten: no mean" in report.sentences(report.norms(3, 1), 64)
        assert "mean" not in report.sentences(report.norms(512, 1), 4)

    @pytest.mark.parametrize(
        ("n_keys", "width", "said"),
        [
            (3, 64, "Choose 64 keys to see it."),
            (64, 4096, "Choose width 64 to see it."),
            (512, 4096, "Choose 64 keys and width 64 to see it."),
            (64, 64, "Here the raw median is 1.1"),
            (3, 4, "Here the raw median is 0.8"),
        ],
    )
    def test_where_they_live_is_shown_or_not_yet_chosen(self, n_keys, width, said):
        assert f"always vanish. {said}" in report.sentences(report.norms(n_keys, 1), width)

    @pytest.mark.parametrize(("n_keys", "seed"), [(2, 1), (64, 5)])
    def test_the_case_of_64_keys_names_its_seed(self, open_app, n_keys, seed):
        app = open_app(
            VIEW, gradient_keys=str(n_keys), gradient_seed="5", gradients_guess="Just show me"
        )
        median = report.at(report.norms(64, seed).raw, 64)
        assert f"width 64 and seed {seed} the medians are {median} raw" in text(app)

    def test_small_entries_of_the_matrix_are_written_out(self):
        shown = report.formula(0.1)
        assert r"{\times}10⁻²⁶" in shown
        assert r"= 4.12{\times}10⁻⁹" in shown.replace("&=", "=")
        matrix = softmax_jacobian(softmax(np.array(ROW) / 0.1), divisor=0.1)
        assert f"{matrix[0, 0]:.2e}"[:4] in shown
        # Of a bound's sign KaTeX makes a relation, unless it is bound to its number.
        assert "{<}0.001" in shown
        assert not re.search(r"(?<!\{)[<>]", shown)

    def test_the_matrix_is_cores(self, open_app):
        shown = formula(open_app(VIEW, gradient_divisor="2"))
        matrix = softmax_jacobian(softmax(np.array(ROW) / 2), divisor=2)
        body = re.search(r"begin\{pmatrix\} (.*?) \\end", shown)[1]
        cells = [[float(x) for x in line.split("&")] for line in body.split(r"\\")]
        np.testing.assert_allclose(cells, matrix, atol=5.1e-5)
        np.testing.assert_allclose(matrix.sum(axis=0), 0, atol=1e-15)

    def test_a_norm_too_small_for_a_float_is_not_written_as_zero(self):
        assert norm(0.0) == "<10⁻³⁰⁰"
        assert norm(7.21e-8) == "7.21\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10⁻⁸"


class TestCharts:
    @pytest.fixture(scope="class")
    @classmethod
    def found(cls):
        return report.norms(3, 1)

    def test_scaled_gradient_is_a_root_of_the_width_smaller(self, found):
        drawn = [
            next(t for t in norms_figure(LIGHT, found, by_raw_score=by, width=64).data[::-1])
            for by in (False, True)
        ]
        assert {trace.marker.symbol for trace in drawn} == {"square"}
        ratio = np.array(drawn[0].y) / np.array(drawn[1].y)
        np.testing.assert_allclose(ratio, np.sqrt(GRADIENT_WIDTHS), rtol=1e-12)

    def test_what_is_below_the_floor_is_drawn_on_it_and_told_in_full(self, found):
        fig = norms_figure(DARK, found, by_raw_score=False, width=64)
        assert all(min(trace.y) >= FLOOR for trace in fig.data)
        raw = next(t for t in fig.data if t.marker.symbol == "circle")
        assert raw.y[-1] == FLOOR
        assert "×\N{NO-BREAK SPACE}10⁻" in raw.text[-1]
        assert fig.layout.yaxis.range[0] < math.log10(FLOOR)
        assert any("10⁻⁶ or less" in note.text for note in fig.layout.annotations)
        assert "×\N{NO-BREAK SPACE}10⁻" in describe_norms(found, by_raw_score=False)

    def test_bands_hold_the_quantiles(self, found):
        fig = norms_figure(LIGHT, found, by_raw_score=False, width=64)
        quantiles = np.maximum(found.raw.quantiles, FLOOR)
        np.testing.assert_array_equal(fig.data[0].y, [*quantiles[0], *quantiles[4][::-1]])
        np.testing.assert_array_equal(fig.data[1].y, [*quantiles[1], *quantiles[3][::-1]])

    def test_shares_and_their_intervals(self, found):
        raw, scaled = saturated_figure(LIGHT, found, width=64).data
        np.testing.assert_array_equal(raw.y, found.raw_saturated.value)
        np.testing.assert_allclose(scaled.y + scaled.error_y.array, found.scaled_saturated.high)

    def test_the_curve_and_its_marks(self):
        fig = divisor_figure(LIGHT, report.curve(), report.marked(8.0))
        assert (DIVISORS[0], DIVISORS[-1]) == (0.1, 100.0)
        np.testing.assert_allclose(fig.data[1].y, report.curve().gradient)
        assert fig.data[2].marker.symbol == ("circle", "square", "diamond-open")
        np.testing.assert_allclose(fig.data[2].y, [0.213, 0.210, 0.058], atol=5e-4)
        assert fig.data[2].cliponaxis is False
        assert any("peak 0.226 at τ = 1.27" in note.text for note in fig.layout.annotations)


class TestScript:
    @pytest.mark.parametrize(
        ("n_keys", "n_rows", "seed", "divisor"), [(3, 10_000, 1, 0.3), (64, 1500, 4, 8.0)]
    )
    def test_gives_the_numbers_of_the_page(self, n_keys, n_rows, seed, divisor):
        names = {}
        values = {"n_keys": n_keys, "n_rows": n_rows, "seed": seed, "divisor": divisor}
        with contextlib.redirect_stdout(io.StringIO()):
            exec(snippets.render("gradients", **values), names)
        found = report.gradient_norms(GRADIENT_WIDTHS, n_keys=n_keys, n_rows=n_rows, seed=seed)
        for name, norms, share in (
            ("raw", found.raw, found.raw_saturated),
            ("scaled", found.scaled, found.scaled_saturated),
        ):
            for i, d_k in enumerate(GRADIENT_WIDTHS):
                *quantiles, saturated = names["medians"][name, d_k]
                np.testing.assert_allclose(
                    quantiles, norms.quantiles[[0, 2, 4], i], rtol=1e-9, atol=1e-150
                )
                assert saturated == share.value[i]
        row = float(jacobian_norm_from_scores(ROW, divisor=divisor))
        np.testing.assert_allclose(np.linalg.norm(names["J"] / divisor), row, rtol=1e-12)
