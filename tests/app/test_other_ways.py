"""The page on other ways without a browser: odd links, true sentences, its charts, its script."""

import contextlib
import io
import re

import numpy as np
import other_ways_report as report
import pytest
import snippets
from charts.base import DARK, LIGHT
from charts.gradients import FLOOR
from charts.other_ways import ENTROPY, PAIRS, describe_rules, rules_figure
from charts.rule_order import describe_order, order_figure
from charts.rule_styles import STYLES
from components import state_url
from controls_limits import CAP, RULE_LABELS, SHOWN_RULES

from core.alternatives import alternatives
from core.rules import RULES

VIEW = "other_ways.py"
SPACE = "\N{NO-BREAK SPACE}"


def text(app):
    return "\n".join(element.value for element in app.markdown)


def measured(n_keys=32, n_rows=1000, gain=10.0, cap=50.0, after_scaling=False, seed=1):
    return report.measured(setting=report.Setting(n_keys, n_rows, gain, cap, after_scaling, seed))


class TestDefaults:
    def test_every_rule_is_named_with_its_numbers(self, open_app):
        page = text(open_app(VIEW))
        rules = measured().rules
        assert tuple(RULE_LABELS) == tuple(STYLES) == RULES
        for said in (
            f"from {rules['none'].entropy.value[0]:.3f}{SPACE}nats",
            f"agrees with √dₖ at width 64, {rules['sqrt_d_k'].entropy.value[2]:.3f}{SPACE}nats",
            "g = 10",
            "bends s only where it nears c = 50",
            "with a ceiling of ln 33",
            "The cosine does not keep it",
        ):
            assert said in page

    def test_the_winners_are_kept_for_after_the_guess(self, open_app):
        share = f"{100 * measured().rules['cosine'].changed.value[0]:.1f}{SPACE}%"
        assert share not in text(open_app(VIEW))
        page = text(open_app(VIEW, other_guess="one in ten"))
        assert f"You said “one in ten”; it is “most rows”. In {share}." in page
        assert f"Another key leads in {share} of rows at width 4" in page

    def test_says_nothing_of_a_good_link(self, open_app):
        app = open_app(
            VIEW,
            other_keys="8",
            other_rows="200",
            gain="64.5",
            cap="5",
            acts_on="s/√dₖ",
            other_seed="9",
            rules=["√dₖ", "cosine"],
        )
        assert app.selectbox("other_keys").value == 8
        assert app.number_input("gain").value == 64.5
        assert not app.text
        assert "so needs a gain: g = 64.5" in text(app)
        assert "soft cap** bends" not in text(app)
        assert "ties the leaders" not in text(app)
        assert "200 rows of 8 keys" in text(app)


class TestOddLinks:
    @pytest.mark.parametrize("value", ["banana", "0", "-1", "nan", "1e999", "1001", ""])
    def test_a_bad_number_is_named_and_the_default_stands(self, open_app, value):
        app = open_app(VIEW, gain=value, cap=value)
        assert app.number_input("gain").value == 10
        assert app.number_input("cap").value == 50
        said = app.text[0].value
        assert f"gain={value}: gain takes a number from 0.1 to 1,000." in said
        assert f"cap={value}: cap takes a number from 0.5 to 1,000." in said

    def test_odd_counts_rules_and_names(self, open_app):
        app = open_app(
            VIEW, other_keys="5", other_rows="10.5", rules=["none", "clip"], acts_on="q", width="4"
        )
        said = app.text[0].value
        for name in ("other_keys=5", "other_rows=10.5", "rules=none, clip", "acts_on=q", "“width”"):
            assert name in said
        assert "rules takes any of none, √dₖ, dₖ/8, dₖ, cosine, soft cap, +1." in said

    def test_more_rows_than_fit_become_what_fits(self, open_app):
        app = open_app(VIEW, other_keys="512", other_rows="20000")
        assert not app.text
        said = (
            "20,000 rows of 512 keys are more than fits here; these are 256. 256 rows of 512 keys"
        )
        assert said in text(app)


class TestChoices:
    def test_no_rule_picked_shows_all(self, open_app):
        for link in ({"rules": ""}, {}):
            app = open_app(VIEW, **link)
            assert not app.text
            assert list(app.session_state["rules"] or SHOWN_RULES.default) == list(RULES)

    def test_a_link_names_each_value_that_is_picked(self):
        picked = {"rules": ["none", "softcap"], "cap": 5.0}
        url = state_url("http://host/other-ways", (SHOWN_RULES, CAP), picked)
        assert url == "http://host/other-ways?rules=none&rules=soft+cap&cap=5.0"
        default = {"rules": list(RULES), "cap": 50.0}
        assert state_url("http://host/x", (SHOWN_RULES, CAP), default) == "http://host/x"


class TestSentences:
    @pytest.mark.parametrize(
        ("link", "setting"),
        [
            (
                {"other_keys": "2", "cap": "0.5", "gain": "1000"},
                {"n_keys": 2, "cap": 0.5, "gain": 1e3},
            ),
            ({"other_keys": "512", "other_rows": "10"}, {"n_keys": 512, "n_rows": 10}),
            (
                {"acts_on": "s/√dₖ", "cap": "1", "gain": "0.1"},
                {"after_scaling": True, "cap": 1.0, "gain": 0.1},
            ),
        ],
    )
    def test_are_true_at_the_ends(self, open_app, link, setting):
        page = text(open_app(VIEW, **link, other_guess="Just show me"))
        found = measured(**setting)
        cap, cosine = found.rules["softcap"], found.rules["cosine"]
        told = re.search(r"the leaders tie in ([\w.]+)(\s%)? of the rows in float32", page)
        tied = cap.tied_float32.value[-1] + cap.tied.value[-1] > 0
        assert bool(told) == tied
        assert ("ties the leaders of none of the rows" in page) != tied
        said = told[1] if told else "none"
        share = {"none": 0.0, "all": 100.0}.get(said) if said.isalpha() else float(said)
        assert share == pytest.approx(100 * cap.tied_float32.value[-1], abs=0.051)
        spread = re.search(r"about g/√dₖ: ([\d.]+) at width 4", page)[1]
        assert float(spread) == pytest.approx(cosine.logit_std.value[0], rel=5e-3)
        assert float(spread) == pytest.approx(found.gain / 2, rel=0.15)
        total = re.search(r"The weights sum to ([<>\d.]+) at width 4", page)[1]
        kept = 1 - found.sink_weight.value[0]
        assert total == (">0.999" if kept > 0.999 else f"{kept:.3f}")
        assert "100\N{NO-BREAK SPACE}%" not in page
        assert not re.search(r"(?<![\d.])0\.0+(?!\d)", page)

    def test_a_low_cap_ties_in_float32_long_before_float64(self, open_app):
        cap = measured(cap=5.0).rules["softcap"]
        assert cap.tied_float32.value[4] > 0.5 > 0.05 > cap.tied.value[4]
        assert f"in {100 * cap.tied.value[-1]:.1f}{SPACE}% of the rows in float64" in text(
            open_app(VIEW, cap="5")
        )


class TestCharts:
    @pytest.mark.parametrize("name", PAIRS)
    def test_lines_are_cores(self, name):
        found = measured()
        fig = rules_figure(LIGHT, PAIRS[name], found, RULES)
        assert len(fig.data) == 14
        for trace, (panel, rule) in zip(
            fig.data, [(p, r) for p in PAIRS[name] for r in RULES[::-1]], strict=True
        ):
            values = panel.read(found.rules[rule]).value
            np.testing.assert_allclose(trace.y, np.maximum(values, FLOOR))
            assert trace.marker.symbol == STYLES[rule].symbol
        alt = describe_rules(PAIRS[name], found, RULES)
        assert all(style.name in alt for style in STYLES.values())

    def test_raw_and_scaled_look_as_everywhere(self):
        fig = rules_figure(DARK, PAIRS["weights"], measured(), ("none", "sqrt_d_k"))
        scaled, raw = fig.data[:2]
        assert (raw.marker.symbol, raw.marker.color, raw.line.dash) == ("circle", DARK.raw, "dash")
        assert (scaled.marker.symbol, scaled.line.color) == ("square", DARK.scaled)
        assert "+1" not in fig.layout.annotations[0].text

    def test_entropy_has_the_ceilings_of_the_rules_shown(self):
        found = measured(n_keys=3)
        fig = rules_figure(LIGHT, PAIRS["weights"], found, ("none", "sink"))
        np.testing.assert_allclose([s.y0 for s in fig.layout.shapes], np.log([3, 4]))
        assert fig.layout.annotations[0].text == f"{ENTROPY.title} (dotted: ln 3, for +1 ln 4)"

    @pytest.mark.parametrize(
        "setting", [{"gain": 1000.0}, {"gain": 0.1}, {"n_keys": 2, "cap": 0.5}]
    )
    def test_logarithmic_axes_hold_all_lines(self, setting):
        fig = rules_figure(LIGHT, PAIRS["scores"], measured(**setting), RULES)
        for suffix in ("", "2"):
            low, high = fig.layout[f"yaxis{suffix}"].range
            lines = [t for t in fig.data if (t.yaxis or "y") == f"y{suffix}"]
            assert low <= np.log10(min(min(t.y) for t in lines))
            assert np.log10(max(max(t.y) for t in lines)) <= high
            assert len(fig.layout[f"yaxis{suffix}"].ticktext) >= 2

    def test_the_cosine_stays_hidden_until_the_guess(self):
        found = measured(cap=5.0)
        hidden, shown = (order_figure(LIGHT, found, RULES, revealed=r) for r in (False, True))
        assert len(hidden.data) == 2
        np.testing.assert_array_equal(shown.data[0].y, found.rules["cosine"].changed.value)
        assert "cosine" not in describe_order(found, revealed=False)
        assert not order_figure(LIGHT, found, ("none",), revealed=True).data


class TestScript:
    @pytest.mark.parametrize(
        ("n_keys", "n_rows", "g", "c", "after_scaling", "seed"),
        [(32, 1000, 10.0, 50.0, False, 1), (3, 200, 64.0, 2.0, True, 8)],
    )
    def test_gives_the_numbers_of_the_page(self, n_keys, n_rows, g, c, after_scaling, seed):
        names = {}
        settings = {
            "n_keys": n_keys,
            "n_rows": n_rows,
            "after_scaling": after_scaling,
            "seed": seed,
        }
        with contextlib.redirect_stdout(io.StringIO()):
            exec(snippets.render("other_ways", g=g, c=c, **settings), names)
        found = alternatives(report.WIDTHS, gain=g, cap=c, **settings)
        for rule, of_rule in found.rules.items():
            for i, d_k in enumerate(report.WIDTHS):
                std, entropy, largest, gradient, other = names["results"][rule, d_k]
                np.testing.assert_allclose(std, of_rule.logit_std.value[i], rtol=5e-3)
                np.testing.assert_allclose(entropy, of_rule.entropy.value[i], rtol=1e-9)
                np.testing.assert_allclose(largest, of_rule.max_weight.value[i], rtol=1e-11)
                np.testing.assert_allclose(
                    gradient, of_rule.gradient.median[i], rtol=1e-5, atol=1e-12
                )
                assert other == pytest.approx(of_rule.changed.value[i], abs=1 / n_rows)
