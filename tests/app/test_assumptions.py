"""The assumptions page without a browser: odd links, true sentences, its charts and its script."""

import contextlib
import io
import re

import assumptions_report as report
import numpy as np
import pytest
import snippets
from charts.against_width import nice_top, spread_out
from charts.assumptions import entropy_figure, planted_figure, spread_figure
from charts.base import DARK, LIGHT

from core.assumptions import Components
from core.planted import planted_weight
from core.planted_rows import other_keys

VIEW = "assumptions.py"
SPACE = "\N{NO-BREAK SPACE}"


def text(app):
    return "\n".join(element.value for element in app.markdown)


class TestDefaults:
    def test_as_assumed_the_divisor_is_right(self, open_app):
        page = text(open_app(VIEW, component_mean="0"))
        assert "the divisor √64 = 8 brings it to 1" in page
        assert "instead of 8" not in page

    def test_shows_the_published_weights(self, open_app):
        page = text(open_app(VIEW, assumptions_guess="Just show me"))
        assert "gets 0.988 with √dₖ, 0.148 with dₖ/8 and 0.021 with dₖ" in page

    def test_shows_both_spreads_of_a_mean_of_one(self, open_app):
        page = text(open_app(VIEW))
        assert "standard deviation 1.732, sampled" in page
        assert "Within a row the spread is 1.414, sampled" in page
        assert "a divisor of 11.31 instead of 8" in page

    def test_keeps_the_answer_for_the_guess(self, open_app):
        assert "0.021" not in text(open_app(VIEW))
        revealed = text(open_app(VIEW, assumptions_guess="about 0.15"))
        assert "You said “about 0.15”; it is “about 0.02”. It gets 0.021" in revealed
        assert "“about 0.02” is right" in text(open_app(VIEW, assumptions_guess="about 0.02"))

    def test_says_nothing_of_a_good_link(self, open_app):
        app = open_app(
            VIEW, planted_rho="0.55", planted_keys="8", planted_seed="3", component_mean="-0.5"
        )
        assert app.number_input("planted_rho").value == 0.55
        assert app.selectbox("planted_keys").value == 8
        assert app.number_input("component_mean").value == -0.5
        assert not app.text


class TestOnce:
    def test_another_lean_draws_no_rows(self, monkeypatch):
        report.sampled.clear()
        drawn = []
        monkeypatch.setattr(
            report, "other_keys", lambda d_k, **rest: drawn.append(d_k) or other_keys(d_k, **rest)
        )
        report.planted.clear()
        low, high = (report.planted(rho=rho, n_keys=4, seed=9) for rho in (0.11, 0.87))
        assert drawn == list(report.MEASURED)
        assert (low.sample.weight["sqrt_d_k"].value < high.sample.weight["sqrt_d_k"].value).all()


class TestOddLinks:
    @pytest.mark.parametrize("value", ["banana", "-1", "nan", "1e999", "1.01", ""])
    def test_a_bad_number_is_named_and_the_default_stands(self, open_app, value):
        app = open_app(VIEW, planted_rho=value, component_std="0")
        assert app.number_input("planted_rho").value == 0.3
        assert app.number_input("component_std").value == 1
        said = app.text[0].value
        assert f"planted_rho={value}: planted_rho takes a number from 0 to 1." in said
        assert "component_std=0: component_std takes a number from 0.25 to 2." in said

    @pytest.mark.parametrize("value", ["65", "64.0", "0", "many"])
    def test_a_number_of_keys_that_is_not_offered(self, open_app, value):
        app = open_app(VIEW, planted_keys=value)
        assert app.selectbox("planted_keys").value == 64
        assert f"planted_keys={value}: planted_keys takes one of 2, 4, 8" in app.text[0].value

    def test_an_unknown_name_is_named(self, open_app):
        assert "“rho” is not a control" in open_app(VIEW, rho="0.3").text[0].value


class TestSentences:
    @pytest.mark.parametrize(
        ("rho", "mean", "n_keys"),
        [(0.0, "0", 512), (0.05, "51.2", 512), (0.6, "614", 2), (1.0, "1,024", 2)],
    )
    def test_the_planted_key_at_width_1024(self, open_app, rho, mean, n_keys):
        page = text(
            open_app(
                VIEW, planted_rho=str(rho), planted_keys=str(n_keys), assumptions_guess="0.99 too"
            )
        )
        for name, label in (("sqrt_d_k", "√dₖ"), ("d_k/8", "dₖ/8"), ("d_k", "dₖ")):
            weight = float(planted_weight(1024, rho=rho, n_keys=n_keys, divisor=name))
            written = f"{weight:.3f}" if 0.001 <= weight <= 0.999 else "[<>]0.(001|999)"
            assert re.search(f"{written} with {label}\\b", page)
        assert f"ρdₖ = {mean} there" in page
        assert f"stays at ρ = {rho:g}." in page
        assert " 0\N{NO-BREAK SPACE}%" not in page
        assert "100\N{NO-BREAK SPACE}%" not in page
        assert "0.000" not in page

    def test_entropy_of_a_certain_row_is_not_written_as_zero(self, open_app):
        page = text(open_app(VIEW, planted_rho="1"))
        assert f"keep <0.001{SPACE}nats of entropy" in page

    @pytest.mark.parametrize(
        ("mu", "s", "r", "total", "within"),
        [
            ("0", "1", "0", "1.000", "1.000"),  # the assumptions themselves
            ("1", "0.5", "0", "0.7500", "0.5590"),  # √(1.25² − 1), ½√1.25
            ("0", "1", "0.1", "1.277", "1.277"),  # √(1 + 63 · 0.01)
            ("-2", "2", "1", "55.43", "45.25"),  # √(16·64 + 2·16·64), √(16·64 + 16·64)
        ],
    )
    def test_spreads_at_width_64(self, open_app, mu, s, r, total, within):
        page = text(open_app(VIEW, component_mean=mu, component_std=s, component_correlation=r))
        assert f"have standard deviation {total}, sampled" in page
        assert re.search(rf"Within a row (the spread|it) is {within}, sampled", page)
        assert ("no part of that is common" in page) == (mu == "0")
        assert ("no fixed multiple of √dₖ" in page) == (r != "0")

    def test_sampled_values_are_near_with_their_intervals(self, open_app):
        page = text(open_app(VIEW))
        for value, low, high in re.findall(r"sampled ([\d.]+) \(([\d.]+) to ([\d.]+)\)", page):
            assert float(low) <= float(value) <= float(high)
            assert float(high) - float(low) < 0.15


class TestCharts:
    @pytest.fixture(scope="class")
    @classmethod
    def found(cls):
        return report.planted(0.3, 64, 1), report.scores(Components(mean=1.0), 64, 1)

    def test_curves_are_cores_and_points_lie_on_them(self, found):
        planted, _ = found
        fig = planted_figure(
            LIGHT, report.WIDTHS, planted.weights, planted.lead, planted.sample, n_keys=64
        )
        exact = planted_weight([16, 64, 256, 1024], rho=0.3, n_keys=64, divisor="sqrt_d_k")
        curve = dict(zip((2.0 ** np.array(fig.data[1].x)).round(), fig.data[1].y, strict=True))
        np.testing.assert_allclose([curve[d] for d in (16, 64, 256, 1024)], exact, rtol=1e-12)
        points = next(trace for trace in fig.data if trace.mode == "markers")
        assert points.marker.symbol == "square"
        assert points.marker.color == LIGHT.scaled
        np.testing.assert_allclose([points.y[i] for i in (1, 2, 3, 4)], exact, atol=0.02)
        assert fig.layout.yaxis.range == (0, 1.03)

    def test_a_hidden_divisor_is_not_in_the_figure(self, found):
        planted, _ = found
        shown = {name: w for name, w in planted.weights.items() if name != "d_k"}
        fig = planted_figure(DARK, report.WIDTHS, shown, planted.lead, planted.sample, n_keys=64)
        assert not any("<b>dₖ</b>" in note.text for note in fig.layout.annotations)
        assert len(fig.data) == 4 + 2

    def test_entropy_has_its_ceiling_and_spread_its_reference(self, found):
        _, scores = found
        fig = spread_figure(LIGHT, report.WIDTHS, scores.spread, scores.sample)
        assert set(fig.data[2].y) == {1.0}
        fig = entropy_figure(
            LIGHT,
            report.WIDTHS,
            {"raw": scores.raw, "scaled": scores.scaled, "assumed": scores.scaled},
            scores.sample,
            n_keys=64,
        )
        np.testing.assert_allclose(fig.data[0].y, np.log(64))
        assert fig.layout.yaxis.range[1] > np.log(64)

    def test_names_at_the_end_keep_apart_and_in_order(self):
        places = [0.98, 1.0, 0.5, 0.02, 0.0, 0.5]
        moved = spread_out(places, 0.06)
        assert min(np.diff(sorted(moved))) >= 0.06 - 1e-12
        assert moved[1] > moved[0] > moved[2] > moved[3] > moved[4] >= 0
        assert max(moved) <= 1
        assert spread_out([0.9, 0.1], 0.06) == [0.9, 0.1]

    @pytest.mark.parametrize(
        ("highest", "top"), [(1.0, 2), (1.8, 2), (2.0, 5), (28, 50), (97, 200)]
    )
    def test_axis_ends_at_one_of_a_few_values(self, highest, top):
        assert nice_top(highest) == top


class TestScript:
    @pytest.mark.parametrize(
        ("rho", "n_keys", "seed", "mu", "s", "r"),
        [(0.3, 64, 1, 1.0, 1.0, 0.0), (0.9, 4, 7, -0.5, 1.5, 0.2)],
    )
    def test_gives_the_numbers_of_the_page(self, rho, n_keys, seed, mu, s, r):
        names = {}
        with contextlib.redirect_stdout(io.StringIO()):
            exec(
                snippets.render("assumptions", rho=rho, n_keys=n_keys, seed=seed, mu=mu, s=s, r=r),
                names,
            )
        planted = report.planted(rho, n_keys, seed).sample
        weights = np.array(list(names["planted"].values()))
        for column, name in zip(weights.T, ("sqrt_d_k", "d_k/8", "d_k"), strict=True):
            np.testing.assert_allclose(column, planted.weight[name].value, rtol=1e-10)
        scores = report.scores(Components(mu, s, r), n_keys, seed)
        total, within, sampled, in_rows, entropy = np.array(list(names["spreads"].values())).T
        at = list(report.AT.values())
        np.testing.assert_allclose(total, scores.spread.scaled_total[at], rtol=1e-12)
        np.testing.assert_allclose(within, scores.spread.scaled_within[at], rtol=1e-12)
        np.testing.assert_allclose(sampled, scores.sample.total.value, rtol=2e-3)
        np.testing.assert_allclose(in_rows, scores.sample.within.value, rtol=1e-9)
        np.testing.assert_allclose(entropy, scores.sample.scaled_entropy.value, rtol=1e-9)


class TestFiles:
    def test_tables_hold_what_is_printed(self):
        planted = report.planted(0.3, 64, 1)
        printed, full = report.planted_table(planted), report.planted_file(planted, seed=1)
        assert list(printed["√dₖ exact"])[1:5] == ["0.049", "0.132", "0.534", "0.988"]
        assert list(printed["dₖ exact"])[1:5] == ["0.021"] * 4
        np.testing.assert_allclose(full["sqrt_d_k exact weight"][3], 0.5336, atol=5e-5)
        assert (full["d_k sampled weight low"] < full["d_k sampled weight high"]).all()
        assert (full["seed"] == 1).all()
        assert (full["rows"] == report.ROWS).all()
        scores = report.scores(Components(mean=1.0), 64, 1)
        assert set(report.score_table(scores)["std/√dₖ, all exact"]) == {"1.732"}
        np.testing.assert_allclose(report.score_file(scores)["std/√dₖ, in a row exact"], 2**0.5)
