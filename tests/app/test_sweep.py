"""The sweep page without a browser: links, limits, stopping, words, tables, figures, scripts."""

import contextlib
import csv
import io
import re

import control_types
import numpy as np
import pytest
import runs
import snippets
import sweep_choice
import sweep_report as report
import sweep_run
import sweep_status
import sweep_tables as tables
from charts.base import DARK, LIGHT
from charts.sweep import APART, describe, spread_apart, sweep_figure
from charts.sweep_paper import PAIRS, Frame
from hypothesis import given
from hypothesis import strategies as st
from runs import Setting, exact_curves, fit, powers_of_two, published_setting
from sweep_parts import exact

from core.expectation import expected
from core.published import PUBLISHED_VALUES, agreement, published
from core.sweep import last
from core.sweep_result import Progress

VIEW = "sweep.py"
SPACE = "\N{NO-BREAK SPACE}"


def text(app):
    return "\n".join(element.value for element in [*app.markdown, *app.caption])


def run(setting):
    return last(setting.start())


SMALL = Setting((4, 16, 64), 12, 1, 400, 3, "exact-law")
SHARED = Setting((1, 2, 4, 8), 5, 7, 40, 3, "exact-law")
ONE_TRIAL = Setting((4, 8), 2, 2, 1, 1, "exact-law")
FOUR_SCORES = Setting((4, 8), 2, 1, 2, 1, "exact-law")
ALL_EQUAL = Setting((1,), 2, 1, 50, 1, "exact-law")
ROOT_MEAN_SQUARE = Setting((4, 16), 4, 4, 30, 20, "drawn-vectors", mean_removed=False)
WIDE = Setting((2**19, 2**20), 3, 1, 200, 5, "exact-law")
SETTINGS = (SMALL, SHARED, ONE_TRIAL, FOUR_SCORES, ALL_EQUAL, ROOT_MEAN_SQUARE, WIDE)


class TestDefaults:
    def test_shows_points_and_says_how_they_came(self, open_app):
        app = open_app(VIEW)
        assert not app.text
        shown = text(app)
        assert "Engine: exact law. Seed 1. 117,000 random numbers, 108,000 scores." in shown
        assert f"NumPy {np.__version__}" in shown
        sweep = run(fit(powers_of_two(4, 1024), 12, 1, 1000, 1, "exact-law"))
        for statistics in (sweep.raw, sweep.scaled):
            assert f"{statistics.score_std.value[-1]:.3g}" in shown
            assert f"{statistics.max_weight.value[-1]:.3f}" in shown
        assert "√512 ≈ 22.6" in shown
        assert "Published against this machine" not in [s.value for s in app.header]

    def test_a_link_restores_every_control(self, open_app):
        link = {
            "sweep_keys": "20",
            "sweep_queries": "3",
            "trials": "70",
            "widths": ["1", "64"],
            "seed": "9",
            "engine": "drawn vectors",
        }
        app = open_app(VIEW, **link)
        assert not app.text
        assert app.number_input("sweep_keys").value == 20
        assert app.select_slider("widths").value == (1, 64)
        assert app.selectbox("engine").value == "drawn-vectors"
        cost = Setting(powers_of_two(1, 64), 20, 3, 70, 9, "drawn-vectors").cost
        assert f"Engine: drawn vectors. Seed 9. {sum(cost.normals):,} random numbers" in text(app)

    @pytest.mark.parametrize(("guess", "mark"), [("over 0.9", "is right"), ("under 0.1", "it is")])
    def test_a_guess_is_answered_by_the_exact_value(self, open_app, guess, mark):
        (many,) = expected([1024], n_keys=4096, scaled=False).max_weight
        app = open_app(VIEW, sweep_guess=guess)
        answer = next(m.value for m in app.markdown if "even among 4,096 keys" in m.value)
        assert mark in answer
        assert f"{many:.3f}" in answer

    def test_512_is_quoted_where_it_is_measured(self, open_app):
        assert "At width 512" not in text(open_app(VIEW, widths=["1", "1"], trials="20"))
        assert "At width 512" not in text(open_app(VIEW, preset="self-attention"))

    @pytest.mark.parametrize(
        ("link", "shown"),
        [
            ({}, False),
            ({"sweep_keys": "4096", "trials": "2"}, True),
            ({"sweep_keys": "4096", "trials": "2", "widths": ["4", "512"]}, False),
            ({"sweep_keys": "4096", "preset": "self-attention"}, False),
        ],
    )
    def test_a_guess_that_the_chart_settles_says_so(self, open_app, link, shown):
        captions = [caption.value for caption in open_app(VIEW, **link).caption]
        assert (report.SHOWN in captions) == shown

    def test_the_guess_is_settled_by_a_control_too(self, open_app):
        app = open_app(VIEW, trials="2")
        app.number_input("sweep_keys").set_value(4096).run()
        assert report.SHOWN in [caption.value for caption in app.caption]

    def test_other_changes_fit_no_setting_to_find_that_it_is_not(self, monkeypatch):
        state = {"preset": "free", "sweep_keys": 12}
        monkeypatch.setattr(control_types.st, "session_state", state)
        monkeypatch.setattr(sweep_choice, "fit", None)  # would be called
        assert not sweep_choice.settled()

    def test_says_what_the_experiments_are(self, open_app):
        app = open_app(VIEW)
        assert "two published experiments" in text(app)
        assert not app.button_group("preset").proto.label_visibility.value


class TestOddLinks:
    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("preset", "banana"),
            ("sweep_keys", "1"),
            ("sweep_keys", "4097"),
            ("sweep_keys", "12.5"),
            ("sweep_keys", "nan"),
            ("sweep_queries", "0"),
            ("trials", "0"),
            ("trials", "-1"),
            ("trials", "1e999"),
            ("widths", "4"),
            ("seed", "-1"),
            ("engine", "<b>magic</b>"),
            ("sweep_guess", "everything"),
        ],
    )
    def test_what_it_gets_wrong_is_named_and_the_default_stands(self, open_app, name, value):
        app = open_app(VIEW, **{name: value})
        assert f"{name}={value}: {name} takes" in app.text[0].value
        assert "Engine: exact law. Seed 1. 117,000 random numbers" in text(app)

    @pytest.mark.parametrize("pair", [["3", "64"], ["64", "banana"], ["0", "4"], ["4", "2097152"]])
    def test_widths_are_powers_of_two_in_order(self, open_app, pair):
        app = open_app(VIEW, widths=pair)
        assert "widths takes a step from 1 to 1048576" in app.text[0].value
        assert app.select_slider("widths").value == (4, 1024)


class TestTooMuchWork:
    def test_gets_the_most_that_fits_and_is_told(self, open_app):
        app = open_app(VIEW, sweep_keys="4096", widths=["4", "4"], trials="999999999")
        shown = text(app)
        assert "999,999,999 trials are more work than this page takes on." in shown
        assert "It runs 4,096, the most that fit at these widths and keys." in shown
        assert "16,777,216 scores" in shown
        assert app.number_input("trials").value == 999999999

    def test_where_no_drawn_trial_fits_the_exact_law_stands_in(self):
        setting = fit(powers_of_two(1, 2**20), 4096, 1024, 10, 1, "drawn-vectors")
        said = sweep_status.limited(10, "drawn-vectors", setting)
        assert "Not even one trial of drawn vectors fits" in said
        assert "The exact law stands in, with 4 trials." in said

    def test_what_fits_needs_no_word(self):
        assert sweep_status.limited(400, "exact-law", SMALL) is None


partials: list[Progress] = []


class TestLongRuns:
    @pytest.fixture(autouse=True)
    def _impatient(self, monkeypatch):
        monkeypatch.setattr(runs, "SLICE", 0.0)
        monkeypatch.setattr(sweep_run, "PATIENCE", 0.0)
        monkeypatch.setattr(sweep_run, "GLIMPSE", 0.0)
        monkeypatch.setattr(runs.Runs, "_work", self.one_report)

    @staticmethod
    def one_report(pool, setting, run, until, work=runs.Runs._work):
        work(pool, setting, run, 0.0)
        partials.append(run.latest)

    def test_end_where_quick_ones_end(self, open_app):
        app = open_app(VIEW, seed="123456", trials="300")
        shown = text(app)
        sweep = run(fit(powers_of_two(4, 1024), 12, 1, 300, 123456, "exact-law"))
        assert f"{sweep.raw.score_std.value[-1]:.3g}" in shown
        assert "Seed 123456." in shown
        assert len(partials) > 3
        assert not [b for b in app.button if b.label in ("Stop", "Run it again")]

    def test_a_stopped_one_shows_its_part_and_says_so(self, open_app):
        setting = fit(powers_of_two(4, 1024), 12, 1, 300, 654321, "exact-law")
        reports = setting.start()
        partial = [next(reports) for _ in range(3)][-1]
        app = open_app(VIEW, seed="1", trials="300")
        app.session_state["sweep_stopped"] = (setting, partial)
        app.number_input("seed").set_value(654321).run()
        assert not app.exception
        assert "A partial result: 3 of 9 widths." in text(app)
        assert "## What you see" not in text(app)
        next(b for b in app.button if b.label == "Run it again").click().run()
        assert "Seed 654321." in text(app)
        assert "## What you see" in text(app)

    def test_another_setting_is_not_stopped_with_it(self, open_app):
        setting = fit(powers_of_two(4, 1024), 12, 1, 300, 77, "exact-law")
        app = open_app(VIEW, seed="1", trials="300")
        app.session_state["sweep_stopped"] = (setting, next(setting.start()))
        app.number_input("seed").set_value(78).run()
        assert "Seed 78." in text(app)
        assert app.session_state["sweep_stopped"] is None


class TestTries:
    def test_four_scores_say_little(self, open_app):
        app = open_app(VIEW, seed="5", engine="drawn vectors")
        next(b for b in app.button if b.label == "Four scores only").click().run()
        assert "A sample of 4 scores a width says little" in text(app)
        assert "Engine: exact law. Seed 1." in text(app)


class TestSentences:
    @pytest.mark.parametrize("setting", SETTINGS, ids=str)
    def test_are_short_and_without_false_zeros(self, setting):
        sweep = run(setting)
        for line in report.sentences(sweep, exact(sweep)):
            assert not re.search(r"\b0\.0+\b(?! nats)", line.replace("above 0.9", ""))
            assert f"100{SPACE}%" not in line
            assert "nan" not in line
            for sentence in re.split(r"(?<=[.!?]) ", line):
                assert len(sentence.split()) < 25, sentence

    def test_name_the_kind_of_spread(self):
        assert report.spread_name(run(SMALL)) == "standard deviation"
        assert report.spread_name(run(ROOT_MEAN_SQUARE)) == "root mean square"
        assert "root mean square" in report.record(run(ROOT_MEAN_SQUARE))

    def test_zero_of_many_is_no_proof_of_none(self):
        sweep = run(SMALL)
        lines = "\n".join(report.sentences(sweep, exact(sweep)))
        assert sweep.scaled.saturated_share.value[-1] == 0
        high = 100 * sweep.scaled.saturated_share.high[-1]
        assert f"none of 400 (the interval reaches {high:.2f}{SPACE}%)" in lines

    def test_one_trial_claims_no_precision(self):
        sweep = run(ONE_TRIAL)
        lines = report.sentences(sweep, exact(sweep))
        assert any("One trial, 4 scores: it tells nothing about precision" in x for x in lines)

    def test_the_formula_holds_the_width_and_what_was_measured(self):
        sweep = run(SMALL)
        latex = report.formula(sweep, exact(sweep))
        assert r"\sqrt{64} = 8" in latex
        assert f"{sweep.raw.score_std.value[-1]:.3g}" in latex


class TestTables:
    @pytest.mark.parametrize("setting", SETTINGS, ids=str)
    def test_text_and_file_hold_every_width_twice(self, setting):
        sweep = run(setting)
        readable, complete = tables.both(sweep, exact(sweep))
        assert len(readable) == 4 * len(setting.widths)
        assert len(complete) == 2 * len(setting.widths)
        assert not readable.isna().any().any()
        assert "nan" not in readable.to_string()

    def test_text_shows_values_with_their_intervals_and_the_exact_ones(self):
        sweep = run(SMALL)
        readable = tables.readable(sweep, exact(sweep))
        measured, formula = readable.iloc[-4], readable.iloc[-3]
        weight, (curve, _) = sweep.raw.max_weight, exact(sweep)
        value, low, high = (f"{x[-1]:.3f}" for x in (weight.value, weight.low, weight.high))
        assert measured["largest weight"] == f"{value} [{low}, {high}]"
        assert low < value < high
        assert formula["largest weight"] == f"{curve.max_weight[-1]:.3f}"
        assert formula["above 0.9"] == "no formula"

    def test_the_file_says_where_its_numbers_come_from(self):
        sweep = run(SMALL)
        row = tables.complete(sweep, exact(sweep)).iloc[-1]
        assert row.width == 64
        assert row.scores == "scaled"
        assert row.entropy == sweep.scaled.entropy.value[-1]
        assert row.entropy_low < row.entropy < row.entropy_high
        assert row.entropy_exact == expected(64, n_keys=12, scaled=True).entropy
        assert "saturated_share_exact" not in row
        assert (row.seed, row.engine, row.n_keys, row.n_trials) == (3, "exact-law", 12, 400)
        assert row.numpy == np.__version__
        assert row.python
        assert row.score_std_is == "standard deviation"

    @pytest.mark.parametrize("name", ["independent-keys", "self-attention"])
    def test_the_comparison_agrees_value_by_value(self, name):
        rows = agreement(name, published(name))
        table = tables.agreement_table(rows)
        assert all(verdict.startswith("agrees, ") for verdict in table.verdict)
        assert list(table.printed) == [f"{v.published.value:.{v.published.places}f}" for v in rows]
        assert f"**{len(rows)} of {len(rows)} published values agree**" in tables.verdict(rows)
        for verdict, row in zip(table.verdict, rows, strict=True):
            away = verdict.removeprefix("agrees, ").replace("−", "-").replace("<0.01", "0")
            assert float(away) == pytest.approx(row.errors_away, abs=0.0051)

    def test_a_run_from_another_seed_differs_and_is_counted(self):
        sweep = run(Setting(published_setting("self-attention").widths, 16, 16, 30, 1, "exact-law"))
        rows = agreement("self-attention", sweep)
        assert tables.agreement_table(rows).verdict.str.startswith("differs").any()
        assert f"of {len(rows)} published" in tables.verdict(rows)
        assert f"**{len(rows)} of" not in tables.verdict(rows)


class TestPublishedFile:
    @pytest.fixture
    def rows(self):
        return list(csv.DictReader(tables.PUBLISHED.read_text(encoding="utf-8").splitlines()))

    def test_holds_every_published_value_as_printed(self, rows):
        printed = {
            (r["experiment"], int(r["width"]), r["quantity"], r["scores"]): r["published"]
            for r in rows
            if r["published"]
        }
        assert printed == {
            (v.experiment, v.width, v.quantity, v.variant): f"{v.value:.{v.places}f}"
            for v in PUBLISHED_VALUES
        }
        assert {r["license"] for r in rows} == {"CC0-1.0"}

    def test_full_precision_rounds_to_what_was_printed(self, rows):
        for row in rows:
            if row["published"]:
                places = len(row["published"].partition(".")[2])
                gap = abs(float(row["full_precision"]) - float(row["published"]))
                assert gap <= 0.5 * 10.0**-places + 1e-9


class TestFigure:
    @pytest.mark.parametrize("setting", SETTINGS, ids=str)
    @pytest.mark.parametrize("name", PAIRS)
    def test_is_valid_and_within_its_axes(self, setting, name):
        sweep = run(setting)
        fig = self.draw(setting, name, sweep)
        for trace in fig.data:
            axis = fig.layout["yaxis" + (trace.yaxis or "y")[1:]]
            values = np.array(trace.y, float)
            if axis.type == "log":
                values = np.log10(values)
            assert (values >= axis.range[0] - 1e-9).all()
            assert (values <= axis.range[1] + 1e-9).all()

    def test_bars_end_where_the_intervals_do(self):
        sweep = run(SMALL)
        points = [t for t in self.draw(SMALL, "weights", sweep).data if t.error_y.array]
        raw = points[0]
        assert np.add(raw.y, raw.error_y.array) == pytest.approx(sweep.raw.max_weight.high)
        low = np.subtract(raw.y, raw.error_y.arrayminus)
        assert low == pytest.approx(sweep.raw.max_weight.low)

    def test_no_curve_where_there_is_no_formula(self):
        traces = self.draw(SMALL, "weights", run(SMALL)).data
        assert [t.mode for t in traces if t.yaxis == "y"] == ["lines", "markers"] * 2
        assert [t.mode for t in traces if t.yaxis == "y2"] == ["markers+lines"] * 2

    def test_raw_and_scaled_differ_by_more_than_colour(self):
        points = [t for t in self.draw(SMALL, "weights", run(SMALL)).data if "markers" in t.mode]
        assert [t.marker.symbol for t in points[:2]] == ["circle", "square"]
        assert [t.line.dash for t in points[:2]] == ["dash", "solid"]
        assert points[0].marker.color != points[1].marker.color

    def test_a_partial_result_says_so_on_the_same_paper(self):
        *_, almost, whole = SMALL.start()
        part, full = (self.draw(SMALL, "weights", p.sweep) for p in (almost, whole))
        assert "partial: 2 of 3 widths" in part.layout.annotations[0].text
        assert "partial" not in str(full.layout.annotations)
        assert part.layout.xaxis == full.layout.xaxis
        assert part.layout.yaxis == full.layout.yaxis

    def test_stands_before_anything_is_measured(self):
        fig = self.draw(SMALL, "spread", None)
        assert "(running)" in fig.layout.annotations[0].text
        assert "no width is measured yet" in describe(PAIRS["spread"], None)

    def test_is_described_with_its_numbers(self):
        sweep = run(SMALL)
        alt = describe(PAIRS["weights"], sweep)
        assert "From width 4 to 64." in alt
        assert f"{sweep.scaled.max_weight.value[-1]:.3f}" in alt

    def test_the_axis_names_the_kind_of_spread(self):
        fig = self.draw(ROOT_MEAN_SQUARE, "spread", run(ROOT_MEAN_SQUARE))
        assert fig.layout.yaxis.title.text == "root mean square"

    @given(st.floats(0, 1), st.floats(0, 1))
    def test_names_of_lines_never_touch(self, raw, scaled):
        first, second = spread_apart([raw, scaled])
        assert abs(first - second) >= APART - 1e-9
        assert min(first, second) >= min(0.04, raw, scaled) - 1e-9

    @staticmethod
    def draw(setting, name, sweep):
        frame = Frame(setting.widths, setting.n_keys, setting.mean_removed)
        curves = exact_curves(setting.widths[0], setting.widths[-1], setting.n_keys)
        figures = [
            sweep_figure(PAIRS[name], frame, palette, curves=curves, sweep=sweep)
            for palette in (LIGHT, DARK)
        ]
        return figures[0]


class TestSnippet:
    @pytest.mark.parametrize(
        "setting",
        [
            published_setting("self-attention"),
            Setting((4, 32), 12, 1, 450, 20_260_718, "drawn-vectors"),
            Setting((3, 2**18), 3, 1, 5, 2, "drawn-vectors"),
            Setting((8,), 5, 3, 20, 2, "drawn-vectors"),
            Setting((4, 1024), 12, 1, 6000, 1, "exact-law"),
            Setting((2, 8, 64), 9, 4, 1500, 1, "exact-law"),
            Setting((2, 8, 64), 4, 9, 1500, 1, "exact-law"),
        ],
        ids=str,
    )
    def test_gives_the_page_s_numbers(self, setting):
        name, values = report.script(setting)
        scope: dict[str, object] = {}
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(snippets.render(name, **values), scope)
        sweep = run(setting)
        for i in range(len(setting.widths)):
            for k, statistics in enumerate((sweep.raw, sweep.scaled)):
                mine = [
                    float(getattr(statistics, field).value[i])
                    for field in ("score_std", "entropy", "max_weight", "saturated_share")
                ]
                assert scope["results"][2 * i + k] == pytest.approx(mine, rel=1e-10, abs=1e-12)
        assert printed.getvalue().count("scaled") == len(setting.widths)

    def test_the_published_loop_gives_the_published_table(self):
        name, values = report.script(published_setting("independent-keys"))
        scope: dict[str, object] = {}
        with contextlib.redirect_stdout(io.StringIO()):
            exec(snippets.render(name, **values), scope)
        raw = [row[0] for row in scope["results"][::2]]
        assert np.round(raw, 3).tolist() == [1.990, 3.997, 8.015, 15.967, 31.774]
        entropies = [scope["results"][i][1] for i in (0, 1, 8, 9)]
        assert np.round(entropies, 3).tolist() == [1.575, 2.121, 0.092, 2.093]
